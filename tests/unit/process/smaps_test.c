/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mappings of a file are added up. A name may have blanks. */
#include "process/smaps.h"
#include "tests/unit/process/suites.h"

#include <string.h>
#include <unistd.h>

static void
check_file(const struct smaps *smaps, size_t i, const char *name,
	   uint64_t mapped, uint64_t resident)
{
	ck_assert_uint_lt(i, smaps->files.count);
	ck_assert_str_eq(smaps->files.at[i].name, name);
	ck_assert_uint_eq(smaps->files.at[i].mapped, mapped);
	ck_assert_uint_eq(smaps->files.at[i].resident, resident);
}

START_TEST(parsed)
{
	char text[] = "7f0ad4000000-7f0ad4003000 r-xp 00000000 08:02 135522"
		      "                     /usr/lib/a b.so (deleted)\n"
		      "Size:                 12 kB\n"
		      "Rss:                   8 kB\n"
		      "Pss:                   1 kB\n"
		      "7f0ad4003000-7f0ad4004000 rw-p 00003000 08:02 135522"
		      "                     /usr/lib/a b.so (deleted)\n"
		      "Rss:                   4 kB\n"
		      "7f0ad5000000-7f0ad5400000 rw-p 00000000 00:00 0 \n"
		      "Rss:                 400 kB\n"
		      "VmFlags: rd wr mr mw me ac\n"
		      "Rss: x kB\n";
	struct smaps smaps = { 0 };

	arena_init(&smaps.arena);
	smaps_parse(&smaps, text);
	check_file(&smaps, 0, "", 0x400000, 400 * 1024);
	check_file(&smaps, 1, "/usr/lib/a b.so (deleted)", 0x4000, 12 * 1024);
	ck_assert_uint_eq(smaps.files.count, 2);
	smaps_release(&smaps);
}
END_TEST

START_TEST(process)
{
	struct smaps smaps;
	bool stack = false;

	ck_assert_int_eq(smaps_read(&smaps, getpid()), 0);
	for (size_t i = 0; i < smaps.files.count; i++) {
		const struct smaps_file *file = &smaps.files.at[i];

		ck_assert_uint_le(file->resident, file->mapped);
		stack |= strcmp(file->name, "[stack]") == 0 &&
			 file->resident > 0;
	}
	ck_assert(stack);
	smaps_release(&smaps);
}
END_TEST

Suite *
smaps_suite(void)
{
	Suite *suite = suite_create("smaps");
	TCase *tests = tcase_create("process");

	tcase_add_test(tests, parsed);
	tcase_add_test(tests, process);
	suite_add_tcase(suite, tests);
	return suite;
}
