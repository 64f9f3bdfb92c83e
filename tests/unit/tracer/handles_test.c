/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts that are kept, recalled, deleted and dropped; and spans. */
#include "tests/unit/tracer/suites.h"
#include "tracer/model/handles.h"
#include "tracer/model/spans.h"

#include <stdio.h>
#include <string.h>

static void
keep(struct handles *handles, const char *key, const char *text)
{
	const struct handle_text kept = { .bytes = text,
					  .length = strlen(text),
					  .lens = LENS_SQL };

	handles_keep(handles, key, &kept);
}

static void
recalls(struct handles *handles, const char *key, const char *text)
{
	struct handle_text got;

	ck_assert_msg(handles_recall(handles, key, &got), "%s", key);
	ck_assert_uint_eq(got.length, strlen(text));
	ck_assert(!memcmp(got.bytes, text, got.length));
	ck_assert_int_eq(got.lens, LENS_SQL);
}

static void
knows_not(struct handles *handles, const char *key)
{
	struct handle_text got;

	ck_assert_msg(!handles_recall(handles, key, &got), "%s", key);
}

START_TEST(texts_are_recalled_until_forgotten)
{
	struct handles handles;

	handles_init(&handles, 10, 1000);
	keep(&handles, "1/s/a/", "one");
	keep(&handles, "1/s/b/", "two");
	keep(&handles, "2/s/a/", "");
	recalls(&handles, "1/s/a/", "one");
	keep(&handles, "1/s/a/", "another");
	recalls(&handles, "1/s/a/", "another");
	recalls(&handles, "2/s/a/", "");
	/* An empty text without bytes. */
	handles_keep(&handles, "3/s/a/",
		     &(struct handle_text){ .lens = LENS_SQL });
	recalls(&handles, "3/s/a/", "");
	handles_forget(&handles, "3/");
	knows_not(&handles, "1/s/");
	handles_forget_one(&handles, "1/s/a/");
	handles_forget_one(&handles, "1/s/a/");
	knows_not(&handles, "1/s/a/");
	recalls(&handles, "1/s/b/", "two");
	handles_forget(&handles, "1/");
	knows_not(&handles, "1/s/b/");
	recalls(&handles, "2/s/a/", "");
	ck_assert_uint_eq(handles.count, 1);
	ck_assert_uint_eq(handles.bytes, 0);
	ck_assert_uint_eq(handles.dropped, 0);
	handles_release(&handles);
}
END_TEST

/* The least recently used text is dropped first. Number and bytes never exceed
 * their limits. */
START_TEST(there_are_never_too_many)
{
	struct handles handles;
	char key[20];

	handles_init(&handles, 100, 450);
	for (int i = 0; i < 1000; i++) {
		snprintf(key, sizeof(key), "k%d", i);
		keep(&handles, key, i < 500 ? "x" : "ten bytes.");
		recalls(&handles, "k0", "x");
		ck_assert_uint_le(handles.count, 100);
		ck_assert_uint_le(handles.bytes, 450);
	}
	ck_assert_uint_eq(handles.count, 45);
	ck_assert_uint_eq(handles.dropped, 955);
	recalls(&handles, "k999", "ten bytes.");
	knows_not(&handles, "k955");
	memset(key, 'x', sizeof(key));
	handles_release(&handles);
	handles_init(&handles, 10, 5);
	keep(&handles, "a", "short");
	keep(&handles, "a", "too long");
	knows_not(&handles, "a");
	ck_assert_uint_eq(handles.dropped, 1);
	handles_release(&handles);
}
END_TEST

START_TEST(the_oldest_span_ends_first)
{
	struct call_span *one, *two, *other;
	struct spans spans;

	spans_init(&spans, 3);
	ck_assert_ptr_null(spans_oldest(&spans, "1/q/a/"));
	one = spans_begin(&spans, "1/q/a/", 10);
	other = spans_begin(&spans, "1/q/b/", 20);
	two = spans_begin(&spans, "1/q/a/", 30);
	ck_assert_ptr_null(spans_begin(&spans, "1/q/a/", 40));
	ck_assert_ptr_eq(spans_oldest(&spans, "1/q/a/"), one);
	ck_assert_uint_eq(one->began, 10);
	spans_end(&spans, one);
	ck_assert_ptr_eq(spans_oldest(&spans, "1/q/a/"), two);
	ck_assert_ptr_eq(spans_oldest(&spans, "1/q/b/"), other);
	ck_assert_ptr_eq(spans_beginning(&spans, "1/"), other);
	ck_assert_ptr_null(spans_beginning(&spans, "2/"));
	spans_end(&spans, other);
	ck_assert_ptr_eq(spans_beginning(&spans, "1/"), two);
	ck_assert_uint_eq(spans.count, 1);
	spans_release(&spans);
	ck_assert_uint_eq(spans.count, 0);
}
END_TEST

/* fe12 is a statement of the connection ab34. Another program has the same
 * handles. */
START_TEST(spans_of_a_handle)
{
	const struct span_alias alias = { .why = &alias };
	struct call_span *other, *statement;
	struct spans spans;

	spans_init(&spans, 4);
	other = spans_begin(&spans, "2/query/ab34/", 10);
	statement = spans_begin(&spans, "1/rows/fe12/", 20);
	ck_assert_ptr_null(spans_of_handle(&spans, "1/", 0xab34));
	ck_assert_ptr_eq(spans_of_handle(&spans, "1/", 0xfe12), statement);
	ck_assert_ptr_null(spans_of_handle(&spans, "1/", 0xe12));
	ck_assert_ptr_null(spans_of_handle(&spans, "1/", 0));
	statement->linked = 0xab34;
	ck_assert_ptr_eq(spans_of_handle(&spans, "1/", 0xab34), statement);
	ck_assert_ptr_eq(spans_of_handle(&spans, "2/", 0xab34), other);
	statement->linked = 0;
	spans_link(statement, "1/query/ab34/", &alias);
	ck_assert_ptr_eq(spans_of_handle(&spans, "1/", 0xab34), statement);
	spans_unlink(statement);
	ck_assert_ptr_null(spans_of_handle(&spans, "1/", 0xab34));
	spans_release(&spans);
}
END_TEST

Suite *
handles_suite(void)
{
	Suite *suite = suite_create("handles");
	TCase *tests = tcase_create("handles");

	tcase_add_test(tests, texts_are_recalled_until_forgotten);
	tcase_add_test(tests, there_are_never_too_many);
	tcase_add_test(tests, the_oldest_span_ends_first);
	tcase_add_test(tests, spans_of_a_handle);
	suite_add_tcase(suite, tests);
	return suite;
}
