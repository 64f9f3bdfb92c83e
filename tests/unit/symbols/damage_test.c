/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Damaged files: truncated anywhere, and thousands of copies with changed bits.
 * What xtrace finds in them may be wrong, but each search must end, and a
 * sanitized build must report nothing.
 */
#include "tests/fuzz/image_walk.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include "base/fd.h"

#include <elf.h>

#define CUTS 400
#define FLIPPED 2000

/* The source of a library that has each of these: versions, an IFUNC, TLS,
 * gates, initializers, a compressed symbol table. */
static const char source[] =
	"__asm__(\".symver old, f@V1\"); __asm__(\".symver new, f@@V2\");\n"
	"extern int puts(const char *); extern int rand(void);\n"
	"__thread int each; int datum;\n"
	"int old(void) { return puts(\"old\") + each; }\n"
	"int new(void) { return rand(); }\n"
	"static int one(void) { return 1; }\n"
	"static void *pick(void) { return one; }\n"
	"int either(void) __attribute__((ifunc(\"pick\")));\n"
	"__attribute__((constructor)) static void begin(void) { datum = 1; }\n"
	"void *take(void) { return rand; }\n";

/* One file has a .symtab. One has none, so .gnu_debugdata is read. One is for
 * i386. */
static const char *const flavours[] = { "damage.so", "stripped.so",
					"narrow.so" };

static char *
make_file(int flavour, size_t *ret_length)
{
	char *bytes;

	workshop_write("damage.c", source);
	workshop_write("damage.map",
		       "V1 { global: f; either; take; local: *; };"
		       "V2 { global: f; } V1;\n");
	workshop_make("damage.so",
		      "gcc -O1 -fPIC -shared -Wl,--hash-style=both "
		      "-Wl,--version-script=damage.map -o damage.so damage.c");
	workshop_make("narrow.so",
		      "gcc -m32 -O1 -fPIC -shared -Wl,--hash-style=both "
		      "-Wl,--version-script=damage.map -o narrow.so damage.c");
	workshop_make("stripped.so",
		      "objcopy --only-keep-debug damage.so mini && "
		      "xz -f mini && "
		      "objcopy -S --add-section .gnu_debugdata=mini.xz "
		      "damage.so stripped.so");
	ck_assert_int_eq(fd_read_file(flavours[flavour], &bytes, ret_length),
			 0);
	return bytes;
}

/* Reads all of the file from memory. The bytes end at the end of the
 * allocation, so that a sanitizer detects reads beyond. */
static void
walk(const char *bytes, size_t length)
{
	char *copy = malloc(length + !length);
	struct image *image;

	memcpy(copy, bytes, length);
	if (image_open_memory(copy, length, "damaged", &image, NULL) == 0) {
		walk_headers(image);
		walk_symbols(image, SYMTAB_DYNAMIC);
		walk_symbols(image, SYMTAB_ALL);
		walk_plt(image);
		walk_sdts(image);
		image_unref(image);
	}
	free(copy);
}

START_TEST(whole_files_are_walked)
{
	size_t length;
	char *bytes = make_file(_i, &length);
	struct image *image;

	ck_assert_int_eq(image_open_memory(bytes, length, "whole", &image,
					   NULL),
			 0);
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "pick"));
	ck_assert_uint_ge(image_plt(image)->count, 4);
	image_unref(image);
	walk(bytes, length);
	free(bytes);
}
END_TEST

START_TEST(files_cut_short_do_no_harm)
{
	size_t length;
	char *bytes = make_file(_i, &length);

	for (size_t i = 0; i < CUTS; i++)
		walk(bytes, length * i / CUTS);
	/* The headers are truncated at every length. */
	for (size_t i = 0; i < 64 + 16 * sizeof(Elf64_Phdr); i += 7)
		walk(bytes, i);
	free(bytes);
}
END_TEST

/* Random numbers that are the same on every run (xorshift64). */
static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Picks a byte to damage. In half of the cases it is near the beginning or the
 * end of the file, where the tables of headers are. */
static size_t
pick_byte(uint64_t *state, size_t length)
{
	const uint64_t number = next_random(state);

	switch (number & 3) {
	case 0:
		return number / 4 % 1024;
	case 1:
		return length - 1 - number / 4 % 2048;
	default:
		return number / 4 % length;
	}
}

START_TEST(turned_bits_do_no_harm)
{
	uint64_t state = 0x5eed + (uint64_t)_i;
	size_t length;
	char *bytes = make_file(_i, &length);
	char *copy = malloc(length);

	for (size_t i = 0; i < FLIPPED; i++) {
		memcpy(copy, bytes, length);
		for (size_t n = next_random(&state) % 12 + 1; n--;)
			copy[pick_byte(&state, length)] ^=
				(char)(1 << next_random(&state) % 8);
		walk(copy, length);
	}
	free(copy);
	free(bytes);
}
END_TEST

/* Every 8-byte word of the headers and of PT_DYNAMIC in turn is replaced by a
 * number that makes sums overflow. */
START_TEST(huge_numbers_do_no_harm)
{
	static const uint64_t huge[] = { UINT64_MAX, UINT64_MAX - 7, INT64_MAX,
					 1ull << 32, 0 };
	size_t length, words;
	char *bytes = make_file(_i, &length);
	char *copy = malloc(length);

	words = 64 / 8 + 12 * sizeof(Elf64_Phdr) / 8;
	for (size_t i = 0; i < words * array_size(huge); i++) {
		memcpy(copy, bytes, length);
		if (i % words)
			memcpy(copy + i % words * 8, &huge[i / words], 8);
		walk(copy, length);
	}
	free(copy);
	free(bytes);
}
END_TEST

static addr_t
narrow_dynamic_offset(const char *bytes, size_t *ret_count)
{
	Elf32_Ehdr header;
	Elf32_Phdr each;

	memcpy(&header, bytes, sizeof(header));
	for (size_t i = 0; i < header.e_phnum; i++) {
		memcpy(&each, bytes + header.e_phoff + i * sizeof(each),
		       sizeof(each));
		if (each.p_type != PT_DYNAMIC)
			continue;
		*ret_count = each.p_filesz / sizeof(Elf32_Dyn);
		return each.p_offset;
	}
	ck_abort_msg("no PT_DYNAMIC");
}

static addr_t
dynamic_offset(const char *bytes, size_t length, size_t *ret_count)
{
	Elf64_Ehdr header;
	Elf64_Phdr each;

	ck_assert_uint_gt(length, sizeof(header));
	if (bytes[EI_CLASS] == ELFCLASS32)
		return narrow_dynamic_offset(bytes, ret_count);
	memcpy(&header, bytes, sizeof(header));
	for (size_t i = 0; i < header.e_phnum; i++) {
		memcpy(&each, bytes + header.e_phoff + i * sizeof(each),
		       sizeof(each));
		if (each.p_type != PT_DYNAMIC)
			continue;
		*ret_count = each.p_filesz / sizeof(Elf64_Dyn);
		return each.p_offset;
	}
	ck_abort_msg("no PT_DYNAMIC");
}

START_TEST(wrong_dynamic_values_do_no_harm)
{
	size_t length, count;
	char *bytes = make_file(_i, &length);
	char *copy = malloc(length);
	const size_t offset = dynamic_offset(bytes, length, &count);
	const size_t half = bytes[EI_CLASS] == ELFCLASS32 ? 4 : 8;

	for (size_t i = 0; i < count; i++) {
		for (uint64_t value = 0; value < length; value += 509) {
			memcpy(copy, bytes, length);
			memcpy(copy + offset + i * 2 * half + half, &value,
			       half);
			walk(copy, length);
		}
	}
	free(copy);
	free(bytes);
}
END_TEST

Suite *
damage_suite(void)
{
	Suite *suite = suite_create("symbols/damage");
	TCase *tests = tcase_create("damage");
	const int count = array_size(flavours);

	tcase_set_timeout(tests, 120);
	tcase_add_loop_test(tests, whole_files_are_walked, 0, count);
	tcase_add_loop_test(tests, files_cut_short_do_no_harm, 0, count);
	tcase_add_loop_test(tests, turned_bits_do_no_harm, 0, count);
	tcase_add_loop_test(tests, huge_numbers_do_no_harm, 0, count);
	tcase_add_loop_test(tests, wrong_dynamic_values_do_no_harm, 0, count);
	suite_add_tcase(suite, tests);
	return suite;
}
