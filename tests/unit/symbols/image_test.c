/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Images: compares what a file contains with readelf; and which files are
 * rejected. */
#include "symbols/image.h"
#include "symbols/plt.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include "base/fd.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

static const char library_source[] =
	"int table[1000]; int filled = 0x11223344;\n"
	"__attribute__((constructor)) static void first(void)\n"
	"{ table[1] = 1; }\n"
	"__attribute__((constructor)) static void second(void)\n"
	"{ table[1] = 2; }\n"
	"void _init(void) { table[1] = 0; }\n"
	"int answer(void) { return table[0] + filled; }\n";

static const char program_source[] =
	"#include <stdio.h>\n"
	"__attribute__((constructor)) static void begin(void) { puts(\"b\"); "
	"}\n"
	"int main(void) { puts(\"hello\"); return 0; }\n";

static void
make_library(const char *name, const char *flags)
{
	workshop_write("library.c", library_source);
	workshop_make(name,
		      "gcc -O1 -shared -fPIC -nostartfiles "
		      "-Wl,-soname,lib.so.3 -Wl,--build-id %s -o %s library.c",
		      flags, name);
}

static void
make_program(const char *name, const char *flags)
{
	workshop_write("program.c", program_source);
	workshop_make(name, "gcc -O1 -Wl,--build-id %s -o %s program.c", flags,
		      name);
}

/* ---- what it says ------------------------------------------------------- */

START_TEST(program_headers_are_those_of_readelf)
{
	struct image *image;

	make_program("pie", "-pie");
	image = workshop_open("pie");
	ck_assert_int_eq(image_type(image), IMAGE_RELOCATABLE);
	ck_assert_str_eq(image_interpreter(image),
			 "/lib64/ld-linux-x86-64.so.2");
	ck_assert_uint_eq(image_entry(image),
			  workshop_hex("Entry point address:",
				       "readelf -hW pie"));
	ck_assert_uint_eq(image_dynamic(image),
			  workshop_hex("DYNAMIC ",
				       "readelf -lW pie | sed "
				       "'s/DYNAMIC *0x[0-9a-f]*/DYNAMIC/'"));
	ck_assert_ptr_null(image_soname(image));
	ck_assert_str_eq(image_label(image), "pie");
	image_unref(image);
}
END_TEST

START_TEST(segments_are_the_loads)
{
	struct image *image;
	const struct segment *segments;
	size_t count, text = 0, data = 0;

	make_program("pie", "-pie");
	image = workshop_open("pie");
	segments = image_segments(image, &count);
	ck_assert_uint_ge(count, 2);
	for (size_t i = 0; i < count; i++) {
		text += segments[i].executable;
		data += segments[i].writable;
		ck_assert(segments[i].size >= segments[i].file_size);
	}
	ck_assert_uint_eq(text, 1);
	ck_assert_uint_eq(data, 1);
	image_unref(image);
}
END_TEST

static void
check_build_id(const char *name, const char *image_id)
{
	char found[128] = "";
	FILE *output = workshop_read("readelf -n %s | sed -n "
				     "'s/.*Build ID: //p'",
				     name);

	ck_assert_int_eq(fscanf(output, "%127s", found), 1);
	pclose(output);
	ck_assert_str_eq(image_id, found);
}

START_TEST(library_names_itself)
{
	struct image *image;

	make_library("lib.so", "");
	image = workshop_open("./lib.so");
	ck_assert_str_eq(image_soname(image), "lib.so.3");
	ck_assert_str_eq(image_label(image), "lib.so.3");
	ck_assert_str_eq(image_name(image), "./lib.so");
	ck_assert_ptr_null(image_interpreter(image));
	check_build_id("lib.so", image_build_id(image));
	image_unref(image);
}
END_TEST

START_TEST(static_programs_have_no_dynamic)
{
	struct image *image;
	size_t count;

	make_program("static", "-static");
	image = workshop_open("static");
	ck_assert_int_eq(image_type(image), IMAGE_FIXED);
	ck_assert_uint_eq(image_dynamic(image), 0);
	ck_assert_ptr_null(image_interpreter(image));
	image_initializers(image, &count);
	ck_assert_uint_eq(count, 0);
	image_unref(image);

	make_program("static-pie", "-static-pie");
	image = workshop_open("static-pie");
	ck_assert_int_eq(image_type(image), IMAGE_RELOCATABLE);
	ck_assert_uint_ne(image_dynamic(image), 0);
	ck_assert_ptr_null(image_interpreter(image));
	image_unref(image);
}
END_TEST

START_TEST(section_headers_are_not_needed)
{
	struct image *whole, *bare;
	size_t count, bare_count;
	const addr_t *initializers, *bare_initializers;

	make_library("lib.so", "");
	workshop_strip_sections("lib.so", "bare.so");
	whole = workshop_open("lib.so");
	bare = workshop_open("bare.so");
	ck_assert_ptr_ne(whole, bare);
	ck_assert_str_eq(image_soname(bare), image_soname(whole));
	ck_assert_str_eq(image_build_id(bare), image_build_id(whole));
	ck_assert_uint_eq(image_dynamic(bare), image_dynamic(whole));
	initializers = image_initializers(whole, &count);
	bare_initializers = image_initializers(bare, &bare_count);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(bare_count, 3);
	ck_assert_mem_eq(initializers, bare_initializers, 3 * sizeof(addr_t));
	image_unref(bare);
	image_unref(whole);
}
END_TEST

START_TEST(the_vdso_is_an_image)
{
	const unsigned long base = getauxval(AT_SYSINFO_EHDR);
	struct image *image;
	unsigned long start = 0, end = 0;
	char line[256];
	FILE *maps = fopen("/proc/self/maps", "r");

	ck_assert_ptr_nonnull(maps);
	while (start != base && fgets(line, sizeof(line), maps))
		ck_assert_int_eq(sscanf(line, "%lx-%lx", &start, &end), 2);
	fclose(maps);
	ck_assert_uint_eq(start, base);
	ck_assert_int_eq(image_open_memory((const void *)base, end - start,
					   "[vdso]", &image, NULL),
			 0);
	ck_assert_str_eq(image_soname(image), "linux-vdso.so.1");
	ck_assert_ptr_nonnull(
		symtab_find(image, SYMTAB_DYNAMIC, "__vdso_clock_gettime"));
	image_unref(image);
}
END_TEST

/* ---- initializers ------------------------------------------------------- */

/*
 * Ways in which linkers store .init_array, each with another kind of
 * relocation.
 */
static const struct {
	const char *linker;
	const char *flags;
} init_layouts[] = {
	{ "bfd", "" },
	{ "bfd", "-Wl,-z,pack-relative-relocs" },
	{ "gold", "" },
	{ "lld", "" },
	{ "lld", "-Wl,--pack-dyn-relocs=relr" },
	{ "lld", "-Wl,--apply-dynamic-relocs" },
	{ "mold", "" },
	{ "mold", "-Wl,--pack-dyn-relocs=relr" },
};

START_TEST(initializers_are_in_order)
{
	char flags[128];
	struct image *image;
	const addr_t *initializers;
	size_t count;

	if (!workshop_links(init_layouts[_i].linker))
		return;
	snprintf(flags, sizeof(flags), "-fuse-ld=%s %s",
		 init_layouts[_i].linker, init_layouts[_i].flags);
	make_library("lib.so", flags);
	image = workshop_open("lib.so");
	initializers = image_initializers(image, &count);
	ck_assert_uint_eq(count, 3);
	ck_assert_uint_eq(initializers[0],
			  workshop_function(image, "_init")->address);
	ck_assert_uint_eq(initializers[1],
			  workshop_function(image, "first")->address);
	ck_assert_uint_eq(initializers[2],
			  workshop_function(image, "second")->address);
	image_unref(image);
}
END_TEST

START_TEST(initializers_of_fixed_programs)
{
	struct image *image;
	const addr_t *initializers;
	addr_t begin;
	size_t count, found = 0;

	make_program("fixed", "-no-pie");
	image = workshop_open("fixed");
	ck_assert_int_eq(image_type(image), IMAGE_FIXED);
	begin = workshop_function(image, "begin")->address;
	initializers = image_initializers(image, &count);
	for (size_t i = 0; i < count; i++)
		found += initializers[i] == begin;
	ck_assert_uint_eq(found, 1);
	image_unref(image);
}
END_TEST

/* ---- bytes -------------------------------------------------------------- */

START_TEST(bytes_are_read_by_address)
{
	struct image *image;
	const struct symbol *symbol;
	uint64_t word = 1;
	uint32_t filled = 0;
	char magic[4];

	make_library("lib.so", "");
	image = workshop_open("lib.so");
	ck_assert_int_eq(image_read(image, 0, magic, 4), 0);
	ck_assert_mem_eq(magic, "\177ELF", 4);
	symbol = workshop_function(image, "filled");
	ck_assert_int_eq(symbol->kind, SYMBOL_DATA);
	ck_assert_int_eq(image_read(image, symbol->address, &filled,
				    sizeof(filled)),
			 0);
	ck_assert_uint_eq(filled, 0x11223344);
	symbol = workshop_function(image, "table");
	ck_assert_int_eq(image_read(image, symbol->address + 8, &word, 8), 0);
	ck_assert_uint_eq(word, 0);
	ck_assert_int_eq(image_read(image, 1ull << 40, &word, 8), -EFAULT);
	ck_assert_int_eq(image_read(image, UINT64_MAX - 3, &word, 8), -EFAULT);
	image_unref(image);
}
END_TEST

START_TEST(reading_goes_from_file_to_zeros)
{
	struct image *image;
	const struct segment *segments;
	size_t count;
	uint8_t bytes[64];

	make_library("lib.so", "");
	image = workshop_open("lib.so");
	segments = image_segments(image, &count);
	for (size_t i = 0; i < count; i++) {
		const struct segment *segment = &segments[i];

		if (segment->size < segment->file_size + 32)
			continue;
		memset(bytes, 1, sizeof(bytes));
		ck_assert_int_eq(image_read(image,
					    segment->address +
						    segment->file_size - 32,
					    bytes, 64),
				 0);
		for (size_t b = 32; b < 64; b++)
			ck_assert_uint_eq(bytes[b], 0);
	}
	image_unref(image);
}
END_TEST

/* ---- one file, one image ------------------------------------------------ */

START_TEST(a_file_is_opened_once)
{
	struct image *a, *b, *c;

	make_library("lib.so", "");
	workshop_run("ln -sf lib.so soft.so; ln -f lib.so hard.so");
	a = workshop_open("lib.so");
	b = workshop_open("soft.so");
	c = workshop_open("hard.so");
	ck_assert_ptr_eq(a, b);
	ck_assert_ptr_eq(a, c);
	ck_assert_str_eq(image_name(c), "lib.so");
	image_unref(c);
	image_unref(b);
	ck_assert_str_eq(image_soname(a), "lib.so.3");
	image_unref(a);
	image_unref(NULL);
}
END_TEST

START_TEST(a_replaced_file_is_another)
{
	struct image *a, *b, *c;

	make_library("lib.so", "");
	a = workshop_open("lib.so");
	workshop_run("cp lib.so new.so && mv new.so lib.so");
	b = workshop_open("lib.so");
	ck_assert_ptr_ne(a, b);
	workshop_run("touch -d '2001-02-03' lib.so");
	c = workshop_open("lib.so");
	ck_assert_ptr_ne(b, c);
	image_unref(a);
	image_unref(b);
	image_unref(c);
}
END_TEST

static bool
has_open(const char *name)
{
	return workshop_try("ls -l /proc/%d/fd | grep -q '/%s$'", getpid(),
			    name);
}

/* A file stays open for a while after its last image was dropped, because the
 * children of a shell use the same file one after the other. */
START_TEST(a_file_that_nobody_holds_is_kept_a_while)
{
	struct image *image;
	char name[16];

	make_library("lib.so", "");
	image = workshop_open("lib.so");
	image_unref(image);
	ck_assert(has_open("lib.so"));
	ck_assert_ptr_eq(workshop_open("lib.so"), image);
	image_unref(image);
	for (int i = 0; i < 64; i++) {
		snprintf(name, sizeof(name), "%d.so", i);
		workshop_run("cp lib.so %s", name);
		image_unref(workshop_open(name));
	}
	ck_assert(!has_open("lib.so"));
	ck_assert(has_open("0.so"));
	ck_assert(has_open("63.so"));
}
END_TEST

/* ---- files that others write to ------------------------------------------*/

START_TEST(a_file_that_is_truncated_is_no_fault)
{
	struct image *image;
	uint64_t word;

	make_program("static", "-static");
	image = workshop_open("static");
	ck_assert_int_eq(truncate("static", 100), 0);
	ck_assert_uint_eq(image_symtab(image, SYMTAB_ALL)->count, 0);
	ck_assert_int_eq(image_read(image, image_entry(image) + 0x40000, &word,
				    8),
			 -EFAULT);
	image_plt(image);
	image_unref(image);
}
END_TEST

START_TEST(what_was_read_stays_as_it_was)
{
	struct image *image;
	const struct symbol *symbol;

	make_library("lib.so", "");
	image = workshop_open("lib.so");
	symbol = workshop_function(image, "answer");
	workshop_run("tr 'a-z' 'A-Z' <lib.so >other && cat other >lib.so");
	ck_assert_str_eq(symbol->name, "answer");
	ck_assert_str_eq(image_soname(image), "lib.so.3");
	ck_assert_int_eq(truncate("lib.so", 0), 0);
	ck_assert_str_eq(symbol->name, "answer");
	image_unref(image);
}
END_TEST

/* ---- what is refused ---------------------------------------------------- */

static void
check_refused(const char *name, int code, const char *sentence)
{
	struct image *image = NULL;
	struct err err = { "" };

	ck_assert_int_eq(image_open(name, name, &image, &err), code);
	ck_assert_ptr_null(image);
	ck_assert_str_eq(err.text, sentence);
}

START_TEST(what_is_no_elf_file_is_refused)
{
	workshop_write("text", "#!/bin/sh\n");
	workshop_write("nothing", "");
	workshop_write("short", "\177E");
	ck_assert_int_eq(mkfifo("fifo", 0600), 0);
	check_refused("text", -ENOEXEC, "text: not an ELF file");
	check_refused("nothing", -ENOEXEC, "nothing: empty");
	check_refused("short", -ENOEXEC, "short: not an ELF file");
	check_refused("fifo", -ENOEXEC, "fifo: not a regular file");
	check_refused(".", -ENOEXEC, ".: not a regular file");
	check_refused("missing", -ENOENT, "missing: No such file or directory");
}
END_TEST

/* A copy of the library with a byte of its header changed. */
static void
patch_header(const char *name, long offset, uint8_t value)
{
	FILE *file;

	workshop_run("cp lib.so %s", name);
	file = fopen(name, "r+");
	ck_assert_ptr_nonnull(file);
	fseek(file, offset, SEEK_SET);
	fputc(value, file);
	fclose(file);
}

START_TEST(what_is_no_x86_64_program_is_refused)
{
	make_library("lib.so", "");
	patch_header("small", 4, 1);
	check_refused("small", -ENOEXEC,
		      "small: a 32-bit file, which is not supported");
	patch_header("arm", 18, 183);
	check_refused("arm", -ENOEXEC, "arm: not for x86-64 (ELF machine 183)");
	patch_header("core", 16, 4);
	check_refused("core", -ENOEXEC,
		      "core: neither a program nor a library (ELF type 4)");
	patch_header("headless", 56, 0);
	check_refused("headless", -ENOEXEC,
		      "headless: damaged, no program headers");
	workshop_run("gcc -c -o object.o library.c");
	check_refused("object.o", -ENOEXEC,
		      "object.o: neither a program nor a library (ELF type 1)");
}
END_TEST

Suite *
image_suite(void)
{
	Suite *suite = suite_create("symbols/image");
	TCase *tests = tcase_create("image");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, program_headers_are_those_of_readelf);
	tcase_add_test(tests, segments_are_the_loads);
	tcase_add_test(tests, library_names_itself);
	tcase_add_test(tests, static_programs_have_no_dynamic);
	tcase_add_test(tests, section_headers_are_not_needed);
	tcase_add_test(tests, the_vdso_is_an_image);
	tcase_add_loop_test(tests, initializers_are_in_order, 0,
			    array_size(init_layouts));
	tcase_add_test(tests, initializers_of_fixed_programs);
	tcase_add_test(tests, bytes_are_read_by_address);
	tcase_add_test(tests, reading_goes_from_file_to_zeros);
	tcase_add_test(tests, a_file_is_opened_once);
	tcase_add_test(tests, a_replaced_file_is_another);
	tcase_add_test(tests, a_file_that_nobody_holds_is_kept_a_while);
	tcase_add_test(tests, a_file_that_is_truncated_is_no_fault);
	tcase_add_test(tests, what_was_read_stays_as_it_was);
	tcase_add_test(tests, what_is_no_elf_file_is_refused);
	tcase_add_test(tests, what_is_no_x86_64_program_is_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
