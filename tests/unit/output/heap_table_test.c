/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines below the table of --heap, and its last event. */
#include "suites.h"

#include "output/tables/heap_json.h"
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

Suite *
heap_table_suite(void)
{
	Suite *suite = suite_create("heap_table");
	TCase *tests = tcase_create("heap_table");

	tcase_add_test(tests, free_bytes);
	tcase_add_test(tests, fragmented_bytes);
	suite_add_tcase(suite, tests);
	return suite;
}
