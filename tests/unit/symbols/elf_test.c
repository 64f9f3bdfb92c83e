/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Unusual ELF files: compressed sections, and headers that libelf would
 * reject. */
#include "symbols/elf.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include "base/fd.h"
#include "symbols/dynamic.h"
#include "symbols/image_parts.h"

#include <stdlib.h>
#include <string.h>

static void
make_file(const char *flags)
{
	workshop_write("odd.c",
		       "static __attribute__((noinline)) int\n"
		       "secret(int n) { __asm__(\"\"); return n; }\n"
		       "int open_to_all(int n) { return secret(n) + 1; }\n");
	workshop_make("odd.so", "gcc -O1 -g -shared -fPIC %s -o odd.so odd.c",
		      flags);
}

/* ---- compressed sections ---------------------------------------------------
 */

static struct bytes
find_bytes(const struct image *image, const char *name)
{
	const struct elf *elf = image_elf(image);
	const struct section *section = elf_section(elf, name);

	ck_assert_msg(section, "no section %s", name);
	return elf_section_bytes(elf, section);
}

/* If a string is read without the table of strings, it is the same as in the
 * table. */
START_TEST(strings_of_the_dynamic_section)
{
	struct image *image = workshop_open("/lib/x86_64-linux-gnu/libc.so.6");
	const struct elf *elf = image_elf(image);
	struct strings all;

	/* The soname is read before the table of strings is. */
	ck_assert_str_eq(image_soname(image), "libc.so.6");
	all = dynamic_strings(elf);
	ck_assert_uint_gt(all.size, 1000);
	for (uint64_t i = 0; i < all.size; i += 7)
		ck_assert_ptr_eq(dynamic_string(elf, i), strings_at(&all, i));
	ck_assert_ptr_eq(dynamic_string(elf, all.size - 1),
			 strings_at(&all, all.size - 1));
	ck_assert_ptr_null(dynamic_string(elf, all.size));
	ck_assert_ptr_null(dynamic_string(elf, UINT64_MAX));
	ck_assert_ptr_null(dynamic_string(elf, UINT64_MAX / 2));
	image_unref(image);
}
END_TEST

START_TEST(compressed_sections_are_inflated)
{
	static const char *const names[] = { ".debug_info", ".debug_str",
					     ".debug_line" };
	struct image *plain, *packed;

	make_file("-Wl,--compress-debug-sections=none");
	workshop_run("objcopy --compress-debug-sections=zlib odd.so zlib.so");
	plain = workshop_open("odd.so");
	packed = workshop_open("zlib.so");
	for (size_t i = 0; i < array_size(names); i++) {
		struct bytes expected = find_bytes(plain, names[i]);

		for (int again = 0; again < 2; again++) {
			struct bytes found = find_bytes(packed, names[i]);

			ck_assert_uint_eq(found.count, expected.count);
			ck_assert_mem_eq(found.at, expected.at, found.count);
		}
	}
	image_unref(packed);
	image_unref(plain);
}
END_TEST

START_TEST(unknown_compression_is_no_bytes)
{
	struct image *image;

	make_file("");
	if (!workshop_try("objcopy --compress-debug-sections=zstd odd.so "
			  "zstd.so"))
		return;
	image = workshop_open("zstd.so");
	/* If a newer libelf knows this compression, the bytes are found. */
	find_bytes(image, ".debug_info");
	ck_assert(workshop_function(image, "secret"));
	image_unref(image);
}
END_TEST

/* pack.py FROM TO SIZE: compresses .symtab. Its header claims an inflated size
 * of SIZE bytes, or the true size if SIZE is 0. */
static const char pack[] =
	"import struct, sys, zlib\n"
	"data = bytearray(open(sys.argv[1], 'rb').read())\n"
	"start, = struct.unpack_from('<Q', data, 40)\n"
	"count, = struct.unpack_from('<H', data, 60)\n"
	"for at in range(start, start + count * 64, 64):\n"
	"    kind, flags, _, offset, size = struct.unpack_from(\n"
	"        '<IQQQQ', data, at + 4)\n"
	"    if kind == 2:\n"
	"        text = bytes(data[offset:offset + size])\n"
	"        body = struct.pack('<IIQQ', 1, 0,\n"
	"            int(sys.argv[3]) or size, 8) + zlib.compress(text)\n"
	"        struct.pack_into('<Q', data, at + 8, flags | 0x800)\n"
	"        struct.pack_into('<QQ', data, at + 24, len(data), len(body))\n"
	"        data += body\n"
	"open(sys.argv[2], 'wb').write(data)\n";

START_TEST(compressed_symbols_are_read)
{
	struct image *image;

	make_file("");
	workshop_write("pack.py", pack);
	workshop_run("python3 pack.py odd.so packed.so 0");
	image = workshop_open("packed.so");
	ck_assert(workshop_function(image, "secret"));
	image_unref(image);
}
END_TEST

static const char *const untrue[] = { "1000000000000", "1000", "5" };

START_TEST(what_claims_another_size_is_no_bytes)
{
	struct image *image;

	make_file("");
	workshop_write("pack.py", pack);
	workshop_run("python3 pack.py odd.so packed.so %s", untrue[_i]);
	image = workshop_open("packed.so");
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "secret"));
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "open_to_all"));
	image_unref(image);
}
END_TEST

/* ---- headers ---------------------------------------------------------------
 */

struct patch {
	size_t offset; /* offset of the field in the header */
	uint64_t value;
	size_t size;
};

/* The kernel ignores these fields of the header. */
static const struct patch patches[] = {
	{ offsetof(Elf64_Ehdr, e_ident[EI_VERSION]), 0, 1 },
	{ offsetof(Elf64_Ehdr, e_shoff), 0, 8 },
	{ offsetof(Elf64_Ehdr, e_shoff), 1, 8 },
	{ offsetof(Elf64_Ehdr, e_shoff), UINT64_MAX - 8, 8 },
	{ offsetof(Elf64_Ehdr, e_shoff), 1ull << 40, 8 },
	{ offsetof(Elf64_Ehdr, e_shnum), 0, 2 },
	{ offsetof(Elf64_Ehdr, e_shnum), 0xfff0, 2 },
	{ offsetof(Elf64_Ehdr, e_shentsize), 63, 2 },
	{ offsetof(Elf64_Ehdr, e_shstrndx), 0xffff, 2 },
	{ offsetof(Elf64_Ehdr, e_shstrndx), 0xff00, 2 },
};

static struct image *
open_patched(const struct patch *patch)
{
	struct image *image = NULL;
	struct err err = { "" };
	size_t length;
	char *bytes;

	ck_assert_int_eq(fd_read_file("odd.so", &bytes, &length), 0);
	memcpy(bytes + patch->offset, &patch->value, patch->size);
	ck_assert_msg(image_open_memory(bytes, length, "odd", &image, &err) ==
			      0,
		      "%s", err.text);
	free(bytes);
	return image;
}

START_TEST(headers_that_no_kernel_reads_do_not_matter)
{
	struct image *image;

	make_file("");
	image = open_patched(&patches[_i]);
	ck_assert_ptr_nonnull(
		symtab_find(image, SYMTAB_DYNAMIC, "open_to_all"));
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "open_to_all"));
	image_unref(image);
}
END_TEST

/* If e_shnum is 0, section header 0 has the count. If the count has more than
 * 32 bits, libelf rejects the file. */
START_TEST(a_huge_number_of_sections_is_none)
{
	struct image *image;
	Elf64_Ehdr header;
	size_t length;
	char *bytes;

	make_file("");
	ck_assert_int_eq(fd_read_file("odd.so", &bytes, &length), 0);
	memcpy(&header, bytes, sizeof(header));
	memset(bytes + header.e_shoff + offsetof(Elf64_Shdr, sh_size), 0xff, 8);
	header.e_shnum = 0;
	memcpy(bytes, &header, sizeof(header));
	ck_assert_int_eq(image_open_memory(bytes, length, "odd", &image, NULL),
			 0);
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "open_to_all"));
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "secret"));
	image_unref(image);
	free(bytes);
}
END_TEST

/* With more than 65279 sections the counts are in section header 0. */
START_TEST(many_sections_are_counted)
{
	struct image *image;
	Elf64_Ehdr header;
	size_t length;
	uint64_t count;
	char *bytes;

	make_file("");
	ck_assert_int_eq(fd_read_file("odd.so", &bytes, &length), 0);
	memcpy(&header, bytes, sizeof(header));
	count = header.e_shnum;
	memcpy(bytes + header.e_shoff + offsetof(Elf64_Shdr, sh_size), &count,
	       8);
	memcpy(bytes + header.e_shoff + offsetof(Elf64_Shdr, sh_link),
	       &header.e_shstrndx, 2);
	header.e_shnum = 0;
	header.e_shstrndx = SHN_XINDEX;
	memcpy(bytes, &header, sizeof(header));
	ck_assert_int_eq(image_open_memory(bytes, length, "odd", &image, NULL),
			 0);
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "secret"));
	ck_assert_ptr_nonnull(elf_section(image_elf(image), ".text"));
	image_unref(image);
	free(bytes);
}
END_TEST

static const char *const ids[] = { "112233", "11", "0011223344556677" };

/* The last note of a segment may end without padding. */
START_TEST(build_ids_may_have_any_length)
{
	char flags[64];
	struct image *image;

	snprintf(flags, sizeof(flags), "-Wl,--build-id=0x%s", ids[_i]);
	make_file(flags);
	image = workshop_open("odd.so");
	ck_assert_pstr_eq(image_build_id(image), ids[_i]);
	image_unref(image);
}
END_TEST

Suite *
elf_suite(void)
{
	Suite *suite = suite_create("symbols/elf");
	TCase *tests = tcase_create("elf");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, strings_of_the_dynamic_section);
	tcase_add_test(tests, compressed_sections_are_inflated);
	tcase_add_test(tests, unknown_compression_is_no_bytes);
	tcase_add_test(tests, compressed_symbols_are_read);
	tcase_add_loop_test(tests, what_claims_another_size_is_no_bytes, 0,
			    array_size(untrue));
	tcase_add_loop_test(tests, headers_that_no_kernel_reads_do_not_matter,
			    0, array_size(patches));
	tcase_add_test(tests, a_huge_number_of_sections_is_none);
	tcase_add_test(tests, many_sections_are_counted);
	tcase_add_loop_test(tests, build_ids_may_have_any_length, 0,
			    array_size(ids));
	suite_add_tcase(suite, tests);
	return suite;
}
