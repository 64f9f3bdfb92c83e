/* SPDX-License-Identifier: GPL-2.0-or-later */
/* System calls of i386 programs in which a thread waits. */
#include "arch/i386/i386.h"
#include "tests/unit/arch/suites.h"

#include "arch/arch.h"
#include "base/attr.h"
#include "base/reader.h"

#include <errno.h>
#include <string.h>
#include <sys/syscall.h>

/* The words behind the second argument of socketcall(2). */
#define STACK UINT64_C(0xffffd000)

static const uint32_t stack[] = { 0, 11, 12, 13, 14, 15, 16 };

static int
read_stack(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < STACK || from - STACK > sizeof(stack) ||
	    length > sizeof(stack) - (from - STACK))
		return -EFAULT;
	memcpy(to, (const char *)stack + (from - STACK), length);
	return 0;
}

static struct reader memory = { .read = read_stack };

/* ppoll(2) in its newer form has the mask as its fourth argument, and the old
 * sigsuspend(2) always has one. */
START_TEST(calls_with_a_mask)
{
	const struct arch_system_call *call = i386.system_call;
	const uint64_t none[6] = { 1, 1, 1 };

	for (long own = 0; own < 500; own++) {
		uint64_t all[6] = { 1, 1, 1, 1, 1, 1 };
		bool with = own == 72 || own == 179 || own == 308 ||
			    own == 309 || own == 319 || own == 385 ||
			    own == 413 || own == 414 || own == 416 ||
			    own == 441;
		bool always = own == 72 || own == 179;
		long known = call->waits_as(call->known_as(own), all, NULL);

		ck_assert_int_eq(call->waits_masked(known, all), with);
		ck_assert_int_eq(call->waits_masked(known, none), always);
	}
	ck_assert(!call->waits_masked(-1, none));
}
END_TEST

/* A call of socketcall(2) waits as the call that its first argument names, with
 * the arguments to which the second points; others wait as their older form. */
START_TEST(calls_that_wait)
{
	const struct arch_system_call *call = i386.system_call;
	static const long calls[][3] = {
		{ 102, 10, SYS_recvfrom }, { 102, 5, SYS_accept },
		{ 102, 17, SYS_recvmsg },  { 102, 3, 1024 + 102 },
		{ 7, 10, SYS_wait4 },	   { 407, 10, SYS_clock_nanosleep },
		{ 422, 10, SYS_futex },	   { 142, 10, SYS_select },
	};

	for (size_t i = 0; i < array_size(calls); i++) {
		const long *row = calls[i], known = call->known_as(row[0]);
		uint64_t arguments[6] = { (uint64_t)row[1], STACK + 4 };
		bool waits = row[0] == 102 && row[2] < 1024;

		ck_assert_int_eq(call->waits_as(known, arguments, &memory),
				 row[2]);
		ck_assert_uint_eq(arguments[0], waits ? 11 : row[1]);
		ck_assert_uint_eq(arguments[1], waits ? 12 : STACK + 4);
	}
}
END_TEST

Suite *
i386_waits_suite(void)
{
	Suite *suite = suite_create("i386 waits");
	TCase *tests = tcase_create("waits");

	tcase_add_test(tests, calls_with_a_mask);
	tcase_add_test(tests, calls_that_wait);
	suite_add_tcase(suite, tests);
	return suite;
}
