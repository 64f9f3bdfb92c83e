/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures of folded stacks, and the bytes that calls request. */
#include "suites.h"

#include "output/stacks/asked.h"
#include "output/stacks/flame.h"
#include "output/stacks/flame_text.h"
#include "output/stacks/folded_read.h"
#include "output/stacks/tree.h"
#include "script.h"
#include "subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define NOW "main;read 30\nmain;parse;malloc 50\nmain 20\nother<x> 1\n"
#define BEFORE "main;read 90\nmain;parse;malloc 10\nmain;gone 7\n"

static void
grow(struct tree *tree, const char *lines, enum look_weight weight)
{
	char *copy = strdup(lines);

	tree_init(tree);
	for (char *line = strtok(copy, "\n"); line; line = strtok(NULL, "\n")) {
		struct err err = { "" };

		ck_assert_msg(folded_read(tree, line, weight, false, false,
					  &err) == 0,
			      "%s", err.text);
	}
	free(copy);
}

/* The picture of the lines; the caller frees it. */
static char *
drawn(const char *lines, struct flame_about about)
{
	const enum look_weight weight = flame_weight_of_unit(about.unit);
	struct str text = { 0 };
	struct out *out = out_memory(&text);
	struct tree tree;

	grow(&tree, lines, weight);
	flame_write(&tree, &about, out);
	tree_release(&tree);
	ck_assert_int_eq(out_close(out), 0);
	return str_take(&text);
}

static void
expect_part(const char *picture, const char *part)
{
	ck_assert_msg(strstr(picture, part) != NULL, "'%s' is missing", part);
}

START_TEST(frames_have_weights_and_widths)
{
	char *svg = drawn(NOW, (struct flame_about){ .unit = FLAME_PLAIN });

	expect_part(svg, "data-form=\"icicle\"");
	expect_part(svg, "width=\"100.0000%\" height=\"18\" data-d=\"0\" "
			 "data-w=\"101\"");
	expect_part(svg, "width=\"99.0099%\" height=\"18\" data-d=\"1\" "
			 "data-w=\"100\" data-o=\"20\"");
	expect_part(svg, "data-d=\"3\" data-w=\"50\" data-o=\"50\"><title>"
			 "malloc\n50, 49.5 %");
	expect_part(svg, "<title>other&lt;x&gt;\n1, 0.99 %");
	expect_part(svg, "101 \302\267 4 stacks");
	ck_assert_ptr_null(strstr(svg, "other<x>"));
	free(svg);
}
END_TEST

START_TEST(a_picture_says_what_it_is_of)
{
	struct flame_about about = {
		.unit = _i == 0 ? FLAME_TIME : FLAME_BYTES,
		.page = _i == 0 ? FLAME_SVG : FLAME_HTML,
		.upward = true,
		.command = "a < b",
		.began = UINT64_C(1700000000000000000),
		.lasted = UINT64_C(2500000000),
	};
	char *picture = drawn(NOW, about);

	expect_part(picture, ">a &lt; b");
	expect_part(picture, "2023-11-14 22:13:20");
	expect_part(picture, "ran for 2.5");
	expect_part(picture, _i == 0 ? "101.0us \302\267 4 stacks"
				     : "101 B asked for \302\267 4 stacks");
	expect_part(picture,
		    _i == 0 ? "data-unit=\"us\"" : "data-unit=\"bytes\"");
	expect_part(picture, "data-form=\"flames\"");
	ck_assert_int_eq(strncmp(picture, _i == 0 ? "<?xml" : "<!DOCTYPE", 5),
			 0);
	free(picture);
}
END_TEST

START_TEST(a_difference_shows_changes)
{
	struct flame_about about = { .unit = FLAME_CALLS };
	struct tree before;
	char *svg;

	grow(&before, BEFORE, LOOK_WEIGHT_CALLS);
	about.against = &before;
	svg = drawn(NOW, about);
	expect_part(svg, "data-w=\"30\" data-b=\"90\" data-o=\"30\"");
	expect_part(svg, "data-w=\"50\" data-b=\"10\" data-o=\"50\"");
	expect_part(svg, "before: 107 calls, now -6 calls, -5.6 %");
	expect_part(svg, "gone: 1 stack of 7 calls");
	tree_release(&before);
	free(svg);
}
END_TEST

/* The lightest of many frames are left out, and the picture says so. */
START_TEST(too_many_frames)
{
	struct str lines = { 0 };
	char *svg;

	for (unsigned i = 0; i < 30000; i++)
		str_addf(&lines, "f%u;g%u %u\n", i, i, 1 + i % 3);
	svg = drawn(lines.text, (struct flame_about){ .unit = FLAME_CALLS });
	expect_part(svg, "data-w=\"60000\"");
	expect_part(svg, "60,000 calls");
	expect_part(svg, " each are not drawn");
	ck_assert_uint_lt(strlen(svg), 6000000);
	str_release(&lines);
	free(svg);
}
END_TEST

START_TEST(numbers_as_text)
{
	static const struct {
		uint64_t weight;
		enum flame_unit unit;
		const char *text;
	} rows[] = {
		{ 1, FLAME_CALLS, "1 call" },
		{ 1234567, FLAME_CALLS, "1,234,567 calls" },
		{ 1234567, FLAME_PLAIN, "1,234,567" },
		{ 1234567, FLAME_TIME, "1.234s" },
		{ 12, FLAME_TIME, "12.00us" },
		{ 1200000, FLAME_BYTES, "1.2 MB" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct str text = { 0 };

		flame_add_weight(&text, rows[i].weight, rows[i].unit);
		ck_assert_str_eq(text.text, rows[i].text);
		str_release(&text);
	}
}
END_TEST

/* ---- --weight bytes ---------------------------------------------------- */

static const char prototypes[] = "addr malloc(size_t size);\n"
				 "addr calloc(size_t count, size_t size);\n"
				 "addr hidden(int flags, size_t room);\n"
				 "errno(int) fails(int length);\n"
				 "int none(int flags);\n";

START_TEST(requested_bytes)
{
	static const struct {
		const char *name;
		uint64_t arguments[6];
		uint64_t result;
		enum call_end end;
		uint64_t bytes;
	} rows[] = {
		{ "malloc", { 100 }, 0x1000, CALL_RETURNED, 100 },
		{ "malloc", { 100 }, 0x1000, CALL_UNWOUND, 0 },
		{ "calloc", { 3, 50 }, 0x1000, CALL_RETURNED, 150 },
		{ "calloc", { UINT64_MAX / 2, 3 }, 0x1000, CALL_RETURNED, 0 },
		{ "hidden", { 1, 77 }, 0x1000, CALL_RETURNED, 77 },
		{ "fails", { 9 }, (uint64_t)-1, CALL_RETURNED, 0 },
		{ "fails", { 9 }, 0, CALL_RETURNED, 9 },
		{ "none", { 9 }, 0, CALL_RETURNED, 0 },
		{ "unknown", { 9 }, 0, CALL_RETURNED, 0 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct subject *subject = subject_new(prototypes);
		struct event_call call = { .name = rows[i].name };

		subject_enter(subject, &call, rows[i].arguments);
		subject_leave_entry(subject);
		subject_return(subject, &call, rows[i].result);
		call.end = rows[i].end;
		ck_assert_msg(asked_bytes(&call) == rows[i].bytes,
			      "row %zu: %lu", i,
			      (unsigned long)asked_bytes(&call));
		subject_free(subject);
	}
}
END_TEST

Suite *
flame_suite(void)
{
	Suite *suite = suite_create("output/flame");
	TCase *tests = tcase_create("flame");

	tcase_add_test(tests, frames_have_weights_and_widths);
	tcase_add_loop_test(tests, a_picture_says_what_it_is_of, 0, 2);
	tcase_add_test(tests, a_difference_shows_changes);
	tcase_add_test(tests, too_many_frames);
	tcase_add_test(tests, numbers_as_text);
	tcase_add_test(tests, requested_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
