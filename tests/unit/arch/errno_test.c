/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shapes of __errno_location(), by their bytes. */
#include "arch/x86_64/errno.h"

#include "tests/unit/arch/suites.h"

#include <errno.h>
#include <string.h>

#define AT 0x1000

struct shape {
	const char *bytes;
	size_t count;
	bool known;
	addr_t slot;
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
	bool known = errno_place((const uint8_t *)expected->bytes,
				 expected->count, AT, &place);

	ck_assert_int_eq(known, expected->known);
	if (!known)
		return;
	ck_assert_uint_eq(place.slot, expected->slot);
	ck_assert_int_eq(place.distance, expected->distance);
}
END_TEST

/* What runs in this very process leads to its errno. */
START_TEST(this_process)
{
	const void *code = __errno_location;
	struct errno_place place;
	uint64_t thread_pointer;
	int64_t distance;

	__asm__("mov %%fs:0, %0" : "=r"(thread_pointer));
	ck_assert(
		errno_place(code, ERRNO_CODE, (addr_t)(uintptr_t)code, &place));
	distance = place.slot ? *(const int64_t *)(uintptr_t)place.slot
			      : place.distance;
	ck_assert_uint_eq(thread_pointer + (uint64_t)distance,
			  (uint64_t)(uintptr_t)&errno);
}
END_TEST

Suite *
errno_suite(void)
{
	Suite *suite = suite_create("errno");
	TCase *tests = tcase_create("errno");

	tcase_add_loop_test(tests, shape, 0,
			    sizeof(shapes) / sizeof(shapes[0]));
	tcase_add_test(tests, this_process);
	suite_add_tcase(suite, tests);
	return suite;
}
