/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What zlib reads of a compressed text is the text, in pieces or whole. */
#include "tests/unit/base/suites.h"

#include "base/gzip.h"

#include <stdlib.h>
#include <zlib.h>

#define LINES 20000

static void
check(const struct str *file, const struct str *text)
{
	char *room = malloc(text->length + 1);
	z_stream stream = { .next_in = (unsigned char *)file->text,
			    .avail_in = (unsigned)file->length,
			    .next_out = (unsigned char *)room,
			    .avail_out = (unsigned)text->length + 1 };

	ck_assert_ptr_nonnull(room);
	/* 15 + 16: the largest window, and only the gzip format (zlib.h) */
	ck_assert_int_eq(inflateInit2(&stream, 15 + 16), Z_OK);
	ck_assert_int_eq(inflate(&stream, Z_FINISH), Z_STREAM_END);
	ck_assert_uint_eq(stream.avail_in, 0);
	ck_assert_uint_eq(stream.total_out, text->length);
	ck_assert_mem_eq(room, str_text(text), text->length);
	inflateEnd(&stream);
	free(room);
}

START_TEST(the_text_comes_back)
{
	bool fast = _i & 1, in_pieces = _i & 2;
	struct str line, text, file;
	struct gzip *gzip = gzip_new(fast);

	str_init(&line);
	str_init(&text);
	str_init(&file);
	for (unsigned i = 0; i < LINES; i++) {
		str_clear(&line);
		str_addf(&line, "%u %u\n", i, i * 2654435761u);
		str_add(&text, line.text);
		if (in_pieces)
			gzip_add(gzip, &line, &file);
	}
	if (!in_pieces)
		gzip_add(gzip, &text, &file);
	gzip_end(gzip, &file);
	ck_assert_uint_lt(file.length, text.length);
	check(&file, &text);
	str_release(&line);
	str_release(&text);
	str_release(&file);
}
END_TEST

START_TEST(nothing_is_a_file_too)
{
	struct str text, file;
	struct gzip *gzip = gzip_new(false);

	str_init(&text);
	str_init(&file);
	gzip_end(gzip, &file);
	check(&file, &text);
	str_release(&file);
}
END_TEST

Suite *
gzip_suite(void)
{
	Suite *suite = suite_create("gzip");
	TCase *tests = tcase_create("gzip");

	tcase_add_loop_test(tests, the_text_comes_back, 0, 4);
	tcase_add_test(tests, nothing_is_a_file_too);
	suite_add_tcase(suite, tests);
	return suite;
}
