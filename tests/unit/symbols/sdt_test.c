/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SDT probes: those of programs of this machine, compared with readelf; and
 * notes that are damaged, which are left out. */
#include "symbols/sdt.h"

#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <string.h>

/* ---- damaged notes ------------------------------------------------------- */

/* The assembler text of a note with this owner, type and description. */
#define NOTE(owner, type, description)                                     \
	".balign 4\n.4byte 2f - 1f, 4f - 3f, " type "\n1: .asciz \"" owner \
	"\"\n2: .balign 4\n3: " description "\n4: .balign 4\n"
#define DESCRIPTION(at, semaphore, texts) \
	".8byte " at ", _.stapsdt.base, " semaphore "\n.asciz " texts "\n"

static const char program[] =
	".globl _start\n_start:\nplace: nop\nret\n"
	".section .probes, \"aw\", \"progbits\"\nraised: .2byte 0\n"
	".section .stapsdt.base, \"a\", \"progbits\"\n_.stapsdt.base: .space "
	"1\n"
	".section .note.stapsdt, \"\", \"note\"\n"
	/* clang-format off */
	NOTE("stapsdt", "3", DESCRIPTION("place", "raised",
		"\"a\", \"first\", \"4@%eax\""))
	NOTE("other", "3", DESCRIPTION("place", "0", "\"a\", \"owner\", \"\""))
	NOTE("stapsdt", "4", DESCRIPTION("place", "0", "\"a\", \"type\", \"\""))
	NOTE("stapsdt", "3", DESCRIPTION("raised", "0",
		"\"a\", \"in data\", \"\""))
	NOTE("stapsdt", "3", DESCRIPTION("place", "place",
		"\"a\", \"counts in code\", \"\""))
	NOTE("stapsdt", "3", DESCRIPTION("place", "raised + 1",
		"\"a\", \"half outside\", \"\""))
	NOTE("stapsdt", "3", DESCRIPTION("place", "0",
		"\"\", \"no provider\", \"\""))
	NOTE("stapsdt", "3", DESCRIPTION("place", "0", "\"a\", \"\", \"\""))
	NOTE("stapsdt", "3", ".8byte place, 0, 0\n.ascii \"a\\0no end\"\n")
	NOTE("stapsdt", "3", ".8byte place, 0\n")
	NOTE("stapsdt", "3", "")
	NOTE("stapsdt", "3", DESCRIPTION("place", "0",
		"\"b\", \"last\", \"\""))
	".4byte 8, 1000, 3\n.asciz \"stapsdt\"\n";
/* clang-format on */

START_TEST(damaged)
{
	const struct sdts *sdts;
	struct image *image;

	workshop_write("sdt.s", program);
	workshop_run("gcc -nostdlib -static -no-pie -o sdt sdt.s");
	image = workshop_open("sdt");
	sdts = image_sdts(image);
	ck_assert_uint_eq(sdts->list.count, 2);
	ck_assert_str_eq(sdts->list.at[0].name, "first");
	ck_assert_str_eq(sdts->list.at[0].provider, "a");
	ck_assert_str_eq(sdts->list.at[0].arguments, "4@%eax");
	ck_assert_uint_eq(sdts->list.at[0].address, image_entry(image));
	ck_assert_uint_eq(sdts->list.at[0].semaphore,
			  workshop_hex("raised d ", "nm -P sdt"));
	ck_assert_str_eq(sdts->list.at[1].name, "last");
	ck_assert_ptr_eq(image_sdts(image), sdts);
	image_unref(image);
}
END_TEST

/* The sections have moved since the file was linked, and the probes with
 * them. */
START_TEST(moved)
{
	const struct sdts *sdts;
	struct image *image;

	workshop_write("sdt.s", program);
	workshop_run("sed 's/_.stapsdt.base, /_.stapsdt.base + 16, /; "
		     "s/.8byte place/.8byte place + 16/' sdt.s >moved.s");
	workshop_run("gcc -nostdlib -static -no-pie -o moved moved.s");
	image = workshop_open("moved");
	sdts = image_sdts(image);
	ck_assert_uint_ge(sdts->list.count, 1);
	ck_assert_uint_eq(sdts->list.at[0].address, image_entry(image));
	image_unref(image);
}
END_TEST

/* ---- real files ---------------------------------------------------------- */

/* One probe, as readelf -n prints it on four lines. */
struct printed {
	char provider[256], name[256], arguments[1024];
	unsigned long at, semaphore;
};

static bool
next_printed(FILE *output, struct printed *printed)
{
	static char line[2048];

	while (fgets(line, sizeof(line), output)) {
		const char *provider = strstr(line, "Provider: ");

		if (provider)
			sscanf(provider, "Provider: %255s", printed->provider);
		sscanf(line, " Name: %255s", printed->name);
		sscanf(line, " Location: %lx, Base: %*x, Semaphore: %lx",
		       &printed->at, &printed->semaphore);
		if (sscanf(line, " Arguments: %1023[^\n]",
			   printed->arguments) == 1)
			return true;
		printed->arguments[0] = '\0';
		if (strstr(line, " Arguments:"))
			return true;
	}
	return false;
}

static const char *const files[] = {
	"/usr/lib/x86_64-linux-gnu/libstdc++.so.6",
	"/usr/bin/python3.11",
	"/usr/bin/php8.2",
	"/usr/lib/x86_64-linux-gnu/libruby-3.1.so.3.1",
	"/usr/lib/postgresql/15/bin/postgres",
};

START_TEST(as_readelf)
{
	struct printed printed = { .name = "" };
	struct image *image;
	const struct sdts *sdts;
	FILE *output;
	size_t count = 0;

	if (!workshop_try("test -r %s", files[_i]))
		return;
	image = workshop_open(files[_i]);
	sdts = image_sdts(image);
	output = workshop_read("readelf -nW %s", files[_i]);
	while (next_printed(output, &printed)) {
		const struct sdt *sdt = &sdts->list.at[count];

		ck_assert_uint_lt(count, sdts->list.count);
		ck_assert_str_eq(sdt->provider, printed.provider);
		ck_assert_str_eq(sdt->name, printed.name);
		ck_assert_str_eq(sdt->arguments, printed.arguments);
		ck_assert_uint_eq(sdt->address, printed.at);
		ck_assert_uint_eq(sdt->semaphore, printed.semaphore);
		count++;
	}
	pclose(output);
	ck_assert_uint_eq(count, sdts->list.count);
	ck_assert_uint_gt(count, 0);
	image_unref(image);
}
END_TEST

Suite *
sdt_suite(void)
{
	Suite *suite = suite_create("sdt");
	TCase *cases = tcase_create("sdt");

	tcase_add_test(cases, damaged);
	tcase_add_test(cases, moved);
	tcase_add_loop_test(cases, as_readelf, 0, (int)array_size(files));
	suite_add_tcase(suite, cases);
	return suite;
}
