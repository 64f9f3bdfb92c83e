/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tables of lines alone give the same lines as libdw with all of
 * the debug information. Damaged tables do no harm.
 */
#include "base/xmalloc.h"
#include "stacks/line_ranges.h"
#include "stacks/native_lines.h"
#include "symbols/debugfile.h"
#include "symbols/symtab.h"
#include "tests/unit/stacks/suites.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_TABLES 0x10000u
#define LIBC "/lib/x86_64-linux-gnu/libc.so.6"

/* The file with the debug information of the image. */
static int
open_debug(struct image *image)
{
	char *path = debugfile_path(image);
	int fd = open(path ? path : image_name(image), O_RDONLY | O_CLOEXEC);

	free(path);
	ck_assert_int_ge(fd, 0);
	return fd;
}

/* The line that libdw finds in all of the debug information. */
static const char *
slow_line(Dwarf *dwarf, addr_t address, int *ret_line)
{
	Dwarf_Die unit;
	Dwarf_Line *line;

	if (!dwarf_addrdie(dwarf, address, &unit))
		return NULL;
	line = dwarf_getsrc_die(&unit, address);
	if (!line || dwarf_lineno(line, ret_line) != 0)
		return NULL;
	return dwarf_linesrc(line, NULL, NULL);
}

/* Compares the lines of a file's functions with those of libdw. Returns how
 * many lines were compared. */
static size_t
compare_lines(const char *path)
{
	struct image *image;
	struct native_lines *lines;
	const struct symtab *symtab;
	Dwarf *dwarf;
	size_t compared = 0;
	int fd;

	ck_assert_int_eq(image_open(path, path, &image, NULL), 0);
	fd = open_debug(image);
	dwarf = dwarf_begin(fd, DWARF_C_READ);
	lines = native_lines_new(image);
	symtab = image_symtab(image, SYMTAB_ALL);
	for (size_t i = 0; dwarf && i < symtab->count; i++) {
		const addr_t address =
			symtab->at[i].address + symtab->at[i].size / 2;
		const char *file = NULL, *wanted;
		unsigned line = 0;
		int number = 0;

		if (symtab->at[i].kind != SYMBOL_FUNCTION ||
		    !native_lines_find(lines, address, &file, &line))
			continue;
		wanted = slow_line(dwarf, address, &number);
		if (!wanted)
			continue;
		ck_assert_msg(file, "%s: 0x%llx has no line, but %s:%d", path,
			      (unsigned long long)address, wanted, number);
		ck_assert_str_eq(file, wanted);
		ck_assert_int_eq((int)line, number);
		compared++;
	}
	native_lines_free(lines);
	dwarf_end(dwarf);
	close(fd);
	image_unref(image);
	return compared;
}

START_TEST(lines_are_those_of_libdw)
{
	ck_assert_uint_gt(compare_lines("/proc/self/exe"), 300);
	/*
	 * The C library's debug information is in another file, which may not
	 * be installed.
	 */
	compare_lines(LIBC);
}
END_TEST

/* ---- damage -------------------------------------------------------------- */

/* Reads the tables of lines of this test's own program. */
static uint8_t *
own_tables(size_t *ret_size)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	Elf *elf;
	Elf_Scn *section = NULL;
	uint8_t *bytes = NULL;
	size_t names;

	*ret_size = 0;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	ck_assert_int_eq(elf_getshdrstrndx(elf, &names), 0);
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		Elf_Data *data;

		gelf_getshdr(section, &header);
		if (strcmp(elf_strptr(elf, names, header.sh_name),
			   ".debug_line") != 0)
			continue;
		data = elf_rawdata(section, NULL);
		*ret_size = data->d_size;
		bytes = xmalloc(*ret_size);
		memcpy(bytes, data->d_buf, *ret_size);
	}
	elf_end(elf);
	close(fd);
	ck_assert_ptr_nonnull(bytes);
	return bytes;
}

/* The size of the first tables, FIRST_TABLES bytes or more. */
static size_t
first_tables(const uint8_t *bytes, size_t size)
{
	size_t end = 0;

	while (end < size && end < FIRST_TABLES) {
		uint32_t length;

		memcpy(&length, bytes + end, sizeof(length));
		end += sizeof(length) + length;
	}
	ck_assert_uint_le(end, size);
	return end;
}

START_TEST(damaged_tables_do_no_harm)
{
	size_t size, refused = 0;
	uint8_t *bytes = own_tables(&size);
	struct line_ranges ranges;

	/* Only the first tables are damaged. */
	size = first_tables(bytes, size);
	bytes = xrealloc(bytes, size);
	ck_assert(line_ranges_read(&ranges, bytes, size));
	ck_assert_uint_gt(ranges.list.count, 20);
	line_ranges_release(&ranges);
	/* Tables that are cut anywhere. Each is on the heap, so that a
	 * sanitizer notices if bytes behind its end are read. */
	for (size_t cut = 0; cut < size && cut < 3000; cut += 7) {
		uint8_t *part = xmalloc(cut + 1);

		memcpy(part, bytes, cut);
		refused += !line_ranges_read(&ranges, part, cut);
		line_ranges_release(&ranges);
		free(part);
	}
	ck_assert_uint_gt(refused, 100);
	for (size_t at = 0; at < 400; at++) {
		for (unsigned value = 0; value < 256; value += 17) {
			const uint8_t old = bytes[at];

			bytes[at] = (uint8_t)value;
			if (line_ranges_read(&ranges, bytes, size))
				line_ranges_find(&ranges, 0x1000);
			line_ranges_release(&ranges);
			bytes[at] = old;
		}
	}
	free(bytes);
}
END_TEST

/* Writes one table of lines with this version of DWARF and this program. */
static size_t
make_table(uint8_t *to, uint8_t version, const uint8_t *program, size_t size)
{
	const uint8_t head[] = {
		0,    0,  0,  0, version, 0, 8, 0, 18, 0, 0, 0, 1, 1, 1,
		0xfb, 14, 13, 0, 1,	  1, 1, 1, 0,  0, 0, 1, 0, 0, 1,
	};

	memcpy(to, head, sizeof(head));
	memcpy(to + sizeof(head), program, size);
	to[0] = (uint8_t)(sizeof(head) - 4 + size);
	return sizeof(head) + size;
}

START_TEST(addresses_are_followed)
{
	/* set_address 0x1000; copy; advance_pc 5; special: 1 + 255-13 / 14;
	 * const_add_pc: 17; fixed_advance_pc 2; end_sequence */
	const uint8_t program[] = { 0, 9, 2, 0,	      0x10, 0, 0, 0, 0, 0, 0,
				    1, 2, 5, 13 + 14, 8,    9, 2, 0, 0, 1, 1 };
	uint8_t bytes[200];
	size_t size = make_table(bytes, 5, program, sizeof(program));
	struct line_ranges ranges;
	const struct line_range *found;

	ck_assert(line_ranges_read(&ranges, bytes, size));
	found = line_ranges_find(&ranges, 0x1000);
	ck_assert_ptr_nonnull(found);
	ck_assert_uint_eq(found->high, 0x1000 + 5 + 1 + 17 + 2);
	ck_assert_uint_eq(found->table, 0);
	ck_assert_ptr_null(line_ranges_find(&ranges, 0xfff));
	ck_assert_ptr_null(line_ranges_find(&ranges, found->high));
	line_ranges_release(&ranges);

	/*
	 * Two tables with the same addresses, then a table of an older version
	 * of DWARF.
	 */
	size += make_table(bytes + size, 5, program, sizeof(program));
	ck_assert(!line_ranges_read(&ranges, bytes, size));
	line_ranges_release(&ranges);
	size = make_table(bytes, 4, program, sizeof(program));
	ck_assert(!line_ranges_read(&ranges, bytes, size));
	line_ranges_release(&ranges);
}
END_TEST

Suite *
lines_suite(void)
{
	Suite *suite = suite_create("lines");
	TCase *cases = tcase_create("lines");

	tcase_set_timeout(cases, 60);
	tcase_add_test(cases, lines_are_those_of_libdw);
	tcase_add_test(cases, damaged_tables_do_no_harm);
	tcase_add_test(cases, addresses_are_followed);
	suite_add_tcase(suite, cases);
	return suite;
}
