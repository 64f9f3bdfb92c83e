/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines below the table of --heap, its last event, and strings. */
#include "suites.h"

#include "output/tables/heap_json.h"
#include "output/tables/heap_strings.h"
#include "output/tables/heap_table.h"

#include <string.h>

#define SUMS                                                                  \
	"            12                 480  in all, of 16 384 bytes of the " \
	"heap\n"

static const struct heap_table_end plain = {
	.count = 12,
	.bytes = 480,
	.survived = HEAP_TABLE_UNKNOWN,
	.mapped = 16384,
	.fragmented = HEAP_TABLE_UNKNOWN,
};

static void
expect_end(const struct heap_table_end *end, const char *table,
	   const char *event)
{
	const struct heap_json heap = { 1000000000, 77, "Ruby 3.1" };
	struct str text = { 0 };

	heap_table_end(&text, end);
	ck_assert_str_eq(str_text(&text), table);
	str_clear(&text);
	heap_json_end(&text, &heap, 3, end);
	ck_assert_msg(strstr(str_text(&text), event), "%s", str_text(&text));
	str_release(&text);
}

START_TEST(free_bytes)
{
	struct heap_table_end end = plain;

	expect_end(&end,
		   SUMS "  15 904 bytes of it are free, or between objects\n",
		   "\"mapped\":16384,\"free\":15904}");
	end.resident = 1048576;
	expect_end(&end,
		   SUMS "  15 904 bytes of it are free, or between objects; "
			"the process has 1 048 576 bytes in memory\n",
		   "\"free\":15904,\"resident\":1048576}");
}
END_TEST

START_TEST(parts_of_objects)
{
	struct heap_table_end end = plain;

	end.parts = 1234;
	end.torn = 2;
	expect_end(&end,
		   SUMS "  15 904 bytes of it are free, or between objects\n"
			"  1 234 more blocks are parts of these objects, and "
			"their bytes are in the rows\n"
			"  not counted: 2 pages, which changed too often\n",
		   "\"free\":15904,\"parts\":1234,\"torn\":2}");
}
END_TEST

START_TEST(fragmented_bytes)
{
	struct heap_table_end end = plain;

	end.fragmented = 7712;
	expect_end(&end,
		   SUMS "  15 904 bytes of it are free, or between objects\n"
			"  fragmented: 7 712 of these bytes are in pages that "
			"also have objects\n",
		   "\"free\":15904,\"fragmented\":7712}");
}
END_TEST

static const struct heap_string texts[] = {
	{ .count = 12400,
	  .bytes = 396800,
	  .length = 8,
	  .text = "pend\"\033[m",
	  .shown = 8 },
	{ .count = 1,
	  .bytes = 5001216,
	  .length = 5000000,
	  .text = "z\xc3\xa9\xc3",
	  .shown = 4,
	  .cut = true },
	{ .count = 2, .bytes = 80, .length = 2, .text = "\xff\0", .shown = 2 },
};

START_TEST(strings)
{
	static const struct heap_strings_end end = { .count = 12403,
						     .contents = 3,
						     .shown_most = 64 };
	struct str text = { 0 };

	heap_strings_head(&text, false);
	for (unsigned i = 0; i < 3; i++)
		heap_strings_row(&text, &texts[i]);
	heap_strings_hidden(&text, 7);
	heap_strings_end(&text, &end);
	ck_assert_str_eq(
		str_text(&text),
		"\n         count               bytes          length  string, "
		"the commonest first (may be secrets)\n"
		"        12 400             396 800               8  "
		"\"pend\\\"\\033[m\"\n"
		"             1           5 001 216       5 000 000  "
		"\"z\xc3\xa9\"...\n"
		"             2                  80               2  "
		"\"\\377\\0\"\n"
		"                                                    ... 7 "
		"more "
		"rows (--top)\n"
		"  12 403 strings, 3 of them different; strings of one length "
		"with the same first 64 bytes count as the same\n");
	str_release(&text);
}
END_TEST

START_TEST(strings_in_no_row)
{
	static const struct heap_strings_end end = { .count = 5,
						     .contents = 1,
						     .changed = 3,
						     .left_out = 4,
						     .not_looked = true,
						     .shown_most = 64 };
	struct str text = { 0 };

	heap_strings_end(&text, &end);
	ck_assert_str_eq(strchr(str_text(&text), '\n'),
			 "\n  not read: 3 strings, which changed meanwhile\n"
			 "  in no row: 4 strings or lists of strings, because "
			 "there are too many\n"
			 "  some addresses were not looked at, because there "
			 "are too many: strings may be in no row\n");
	str_release(&text);
}
END_TEST

START_TEST(strings_as_events)
{
	static const char *const members[] = {
		"\"text\":\"pend\\\"\\u001b[m\",\"length\":8,"
		"\"count\":12400,\"bytes\":396800}\n",
		"\"text\":\"z\xc3\xa9\",\"cut\":true,\"length\":5000000,"
		"\"count\":1,\"bytes\":5001216}\n",
		"\"text\":{\"$bytes\":\"\\u00ff\\u0000\"},\"length\":2,"
		"\"count\":2,\"bytes\":80}\n",
	};
	const struct heap_json heap = { 1000000000, 77, "Ruby 3.1" };
	struct str text = { 0 };

	heap_strings_event(&text, &heap, &texts[_i]);
	ck_assert_str_eq(strstr(str_text(&text), "\"text\""), members[_i]);
	ck_assert_ptr_nonnull(
		strstr(str_text(&text), "{\"event\":\"string\",\"time\":"));
	str_release(&text);
}
END_TEST

Suite *
heap_table_suite(void)
{
	Suite *suite = suite_create("heap_table");
	TCase *tests = tcase_create("heap_table");

	tcase_add_test(tests, free_bytes);
	tcase_add_test(tests, parts_of_objects);
	tcase_add_test(tests, fragmented_bytes);
	tcase_add_test(tests, strings);
	tcase_add_test(tests, strings_in_no_row);
	tcase_add_loop_test(tests, strings_as_events, 0, 3);
	suite_add_tcase(suite, tests);
	return suite;
}
