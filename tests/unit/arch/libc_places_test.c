/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where glibc keeps the data of a thread: errno, by the bytes of several forms
 * of __errno_location() and in this process, and other places in this
 * process. */
#include "arch/x86_64/libc.h"

#include "arch/x86_64/calling.h"
#include "tests/unit/arch/suites.h"

#include <errno.h>
#include <setjmp.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AT 0x1000

struct shape {
	const char *bytes;
	size_t count;
	bool known;
	addr_t word;
	int64_t distance;
};

#define BYTES(text) text, sizeof(text) - 1
#define ENDBR "\xf3\x0f\x1e\xfa"
#define ADD_FS "\x64\x48\x03\x04\x25\0\0\0\0"
#define MOV_FS "\x64\x48\x8b\x04\x25\0\0\0\0"

static const struct shape shapes[] = {
	{ BYTES("\x48\x8b\x05\x10\x02\0\0" ADD_FS "\xc3"), true, 0x1217, 0 },
	{ BYTES(ENDBR "\x48\x8b\x05\xf0\xff\xff\xff" ADD_FS "\xc3"), true,
	  0xffb, 0 },
	{ BYTES("\x48\xc7\xc0\xc0\xff\xff\xff" ADD_FS "\xc3"), true, 0, -64 },
	{ BYTES(MOV_FS "\x48\x83\xc0\x34\xc3"), true, 0, 0x34 },
	{ BYTES(MOV_FS "\x48\x05\x40\x01\0\0\xc3"), true, 0, 0x140 },
	{ BYTES(MOV_FS "\xc3"), false, 0, 0 },
	{ BYTES("\x48\x8b\x05\x10\x02\0\0\xc3"), false, 0, 0 },
	{ BYTES("\x48\x8b\x05\x10"), false, 0, 0 },
	{ BYTES(""), false, 0, 0 },
};

START_TEST(shape)
{
	const struct shape *expected = &shapes[_i];
	struct errno_place place;
	const struct code code = { (const uint8_t *)expected->bytes,
				   expected->count, AT };
	bool known = x86_64_libc.errno_place(&code, &place);

	ck_assert_int_eq(known, expected->known);
	if (!known)
		return;
	ck_assert_uint_eq(place.word, expected->word);
	ck_assert_int_eq(place.distance, expected->distance);
}
END_TEST

/* The code of __errno_location() in this process tells where errno is. */
START_TEST(this_process)
{
	const struct code code = { (const void *)__errno_location, ERRNO_CODE,
				   (addr_t)(uintptr_t)__errno_location };
	struct errno_place place;
	uint64_t thread_pointer;
	int64_t distance;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	ck_assert(x86_64_libc.errno_place(&code, &place));
	distance = place.word ? *(const int64_t *)(uintptr_t)place.word
			      : place.distance;
	ck_assert_uint_eq(thread_pointer + (uint64_t)distance,
			  (uint64_t)(uintptr_t)&errno);
}
END_TEST

static int
read_self(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	memcpy(to, (const void *)(uintptr_t)from, length);
	return 0;
}

static struct reader self = { .read = read_self };

START_TEST(thread_pointer_by_the_robust_list)
{
	uint64_t thread_pointer;
	addr_t list = 0;
	size_t length;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	ck_assert_int_eq(syscall(SYS_get_robust_list, 0, &list, &length), 0);
	ck_assert_uint_eq(x86_64_libc.thread_pointer(&self, list),
			  thread_pointer);
}
END_TEST

/* The TLS block of the program ends at the thread pointer, and is aligned
 * (psABI 3.4.6). */
START_TEST(tls_ends_at_the_thread_pointer)
{
	ck_assert_int_eq(x86_64_libc.tls_distance(0, 16, 8), -16);
	ck_assert_int_eq(x86_64_libc.tls_distance(4, 20, 1), -16);
	ck_assert_int_eq(x86_64_libc.tls_distance(4, 20, 16), -28);
}
END_TEST

/* setjmp() encodes pointers with the pointer guard. Decodes a jmp_buf of this
 * process. */
START_TEST(jump_to_a_stack_pointer)
{
	struct regs regs = { 0 };
	addr_t sps[JUMP_SPS_MOST];
	uint64_t thread_pointer;
	jmp_buf buffer;
	unsigned count;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	if (setjmp(buffer))
		return;
	regs_set_thread_pointer(&regs, thread_pointer);
	x86_64_calling.set_argument(&regs, 0, (uintptr_t)buffer);
	count = x86_64_libc.jump_sps(&regs, &self, sps);
	ck_assert_uint_eq(count, 2);
	/* The stack pointer after the jump is in this function's frame. */
	ck_assert_uint_lt((uintptr_t)&buffer - sps[0], 4096);
	ck_assert_uint_eq(sps[1], ((const uint64_t *)(void *)buffer)[6]);
}
END_TEST

Suite *
libc_places_suite(void)
{
	Suite *suite = suite_create("arch/libc_places");
	TCase *tests = tcase_create("errno");

	tcase_add_loop_test(tests, shape, 0,
			    sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_test(tests, this_process);
	tcase_add_test(tests, thread_pointer_by_the_robust_list);
	tcase_add_test(tests, tls_ends_at_the_thread_pointer);
	tcase_add_test(tests, jump_to_a_stack_pointer);
	suite_add_tcase(suite, tests);
	return suite;
}
