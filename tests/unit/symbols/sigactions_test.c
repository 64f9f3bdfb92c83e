/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where code makes the system call rt_sigaction(2): rows of bytes, and whole
 * programs, for which objdump and the source give the expected places. */
#include "symbols/sigactions.h"

#include "arch/x86_64/sigactions.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <string.h>

#define NONE 0xffu

/* ---- bytes ---------------------------------------------------------------*/

static const struct {
	const char *what;
	uint8_t code[32];
	size_t size;
	/* offset after the system call; NONE if there is no such call */
	size_t behind;
} rows[] = {
	{ "mov $13, %eax; syscall; nop",
	  { 0xb8, 13, 0, 0, 0, 0x0f, 0x05, 0x90 },
	  8,
	  7 },
	{ "another number", { 0xb8, 14, 0, 0, 0, 0x0f, 0x05, 0x90 }, 8, NONE },
	{ "a number with more bytes",
	  { 0xb8, 13, 1, 0, 0, 0x0f, 0x05, 0x90 },
	  8,
	  NONE },
	{ "mov $13, %rax",
	  { 0x48, 0xc7, 0xc0, 13, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  10,
	  9 },
	{ "push $13; pop %rax; mov %rsp, %rsi",
	  { 0x6a, 13, 0x58, 0x48, 0x89, 0xe6, 0x0f, 0x05, 0xc3 },
	  9,
	  8 },
	{ "push $13; pop %rbx", { 0x6a, 13, 0x5b, 0x0f, 0x05, 0xc3 }, 6, NONE },
	{ "mov $13, %r9d; mov %r9d, %eax",
	  { 0x41, 0xb9, 13, 0, 0, 0, 0x44, 0x89, 0xc8, 0x0f, 0x05, 0xc3 },
	  12,
	  11 },
	{ "mov $13, %ebx; mov %rbx, %rax; xor %ebx, %ebx",
	  { 0xbb, 13, 0, 0, 0, 0x48, 0x89, 0xd8, 0x31, 0xdb, 0x0f, 0x05, 0xc3 },
	  13,
	  12 },
	{ "mov $13, %ebx alone",
	  { 0xbb, 13, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  8,
	  NONE },
	{ "arguments in between (musl)",
	  { 0xb8, 13, 0, 0, 0, 0x41, 0xba, 8, 0, 0, 0, 0x48, 0x8d, 0x74, 0x24,
	    0x20, 0x0f, 0x05, 0xc3 },
	  19,
	  18 },
	{ "eax is written in between",
	  { 0xb8, 13, 0, 0, 0, 0x31, 0xc0, 0x0f, 0x05, 0xc3 },
	  10,
	  NONE },
	{ "al is written in between",
	  { 0xb8, 13, 0, 0, 0, 0xb0, 1, 0x0f, 0x05, 0xc3 },
	  10,
	  NONE },
	{ "a jump in between",
	  { 0xb8, 13, 0, 0, 0, 0x75, 2, 0x0f, 0x05, 0xc3 },
	  10,
	  NONE },
	{ "a call in between",
	  { 0xb8, 13, 0, 0, 0, 0xe8, 0, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  13,
	  NONE },
	{ "the 13 of a comparison",
	  { 0x3d, 13, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  8,
	  NONE },
	{ "cpuid's leaf 13",
	  { 0xb8, 13, 0, 0, 0, 0x31, 0xc9, 0x0f, 0xa2, 0x0f, 0x05, 0xc3 },
	  12,
	  NONE },
	{ "the code ends with it", { 0xb8, 13, 0, 0, 0, 0x0f, 0x05 }, 7, NONE },
	{ "cut in the number", { 0xb8, 13, 0, 0 }, 4, NONE },
	{ "cut before the syscall", { 0xb8, 13, 0, 0, 0, 0x0f }, 6, NONE },
	{ "a byte before it",
	  { 0xcc, 0xb8, 13, 0, 0, 0, 0x0f, 0x05, 0xc3 },
	  9,
	  8 },
	{ "nothing", { 0 }, 0, NONE },
};

static size_t
next_of(const uint8_t *bytes, size_t size, size_t from, size_t *ret_next)
{
	const struct code code = { bytes, size, 0 };

	return x86_64_next_sigaction(&code, from, ret_next);
}

START_TEST(bytes)
{
	size_t size = rows[_i].size, next = 0;
	size_t wanted = rows[_i].behind == NONE ? size : rows[_i].behind;
	/*
	 * The buffer has exactly this size, so that a sanitizer detects reads
	 * behind it.
	 */
	uint8_t *code = xmalloc(size + !size);

	memcpy(code, rows[_i].code, size);
	ck_assert_msg(next_of(code, size, 0, &next) == wanted, "%s",
		      rows[_i].what);
	ck_assert_uint_le(next, size);
	free(code);
}
END_TEST

START_TEST(one_after_the_other)
{
	static const uint8_t code[] = {
		0xb8, 13, 0, 0, 0, 0x0f, 0x05, 0xc3, /* offset 0 */
		0xb8, 1,  0, 0, 0, 0x0f, 0x05, 0xc3,
		0xb8, 13, 0, 0, 0, 0x0f, 0x05, 0xc3, /* offset 16 */
	};
	size_t next = 0;

	ck_assert_uint_eq(next_of(code, sizeof(code), next, &next), 7);
	ck_assert_uint_eq(next_of(code, sizeof(code), next, &next), 23);
	ck_assert_uint_eq(next_of(code, sizeof(code), next, &next),
			  sizeof(code));
	ck_assert_uint_eq(next, sizeof(code));
}
END_TEST

/* ---- programs ------------------------------------------------------------*/

static const char *const programs[] = { "gcc -O2 -static",
					"gcc -O2 -static-pie",
					"musl-gcc -O2 -static" };

/* A static program contains the C library's __libc_sigaction(). glibc's makes
 * the system call at one place, musl 1.2.5's at three. */
START_TEST(linked_in)
{
	const struct sigactions *found;
	const struct symbol *symbol;
	struct image *image;

	workshop_write(
		"handles.c",
		"#include <signal.h>\n"
		"static void handler(int n) { (void)n; }\n"
		"int main(void)\n"
		"{\n"
		"	struct sigaction a = { .sa_handler = handler };\n"
		"	return sigaction(SIGTRAP, &a, 0);\n"
		"}\n");
	workshop_run("%s -o handles handles.c", programs[_i]);
	image = workshop_open("handles");
	found = image_sigactions(image);
	ck_assert_uint_ge(found->behind.count, 1);
	for (size_t i = 0; i < found->behind.count; i++) {
		symbol = symtab_covering(image, found->behind.at[i] - 1);
		ck_assert_ptr_nonnull(symbol);
		ck_assert_str_eq(symbol->name, "__libc_sigaction");
	}
	ck_assert_ptr_eq(image_sigactions(image), found);
	ck_assert(!image_go(image));
	image_unref(image);
}
END_TEST

START_TEST(of_go)
{
	const struct sigactions *found;
	const struct symbol *symbol;
	struct image *image;
	addr_t first;

	if (!workshop_try("go version"))
		return;
	workshop_write("handles.go", "package main\n"
				     "func main() { println(1) }\n");
	workshop_run("GOCACHE=$PWD/go-cache GO111MODULE=off go build -o "
		     "handles-go handles.go");
	image = workshop_open("handles-go");
	ck_assert(image_go(image));
	found = image_sigactions(image);
	ck_assert_uint_eq(found->behind.count, 1);
	first = found->behind.at[0];
	symbol = symtab_covering(image, first);
	ck_assert_ptr_nonnull(symbol);
	ck_assert_ptr_nonnull(strstr(symbol->name, "rt_sigaction"));
	image_unref(image);
}
END_TEST

Suite *
sigactions_suite(void)
{
	Suite *suite = suite_create("sigactions");
	TCase *of_bytes = tcase_create("bytes");
	TCase *of_programs = tcase_create("programs");

	tcase_add_loop_test(of_bytes, bytes, 0, (int)array_size(rows));
	tcase_add_test(of_bytes, one_after_the_other);
	tcase_set_timeout(of_programs, 120);
	tcase_add_loop_test(of_programs, linked_in, 0,
			    (int)array_size(programs));
	tcase_add_test(of_programs, of_go);
	suite_add_tcase(suite, of_bytes);
	suite_add_tcase(suite, of_programs);
	return suite;
}
