/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of instructions, and the bytes of their slots. The site is at
 * 0x401000, and its slot 0x1000 after it or far away. Written by hand;
 * run_test.c tests what slots do.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/relocate.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define AT UINT64_C(0x401000)
#define NEAR (AT + 0x1000)
#define FAR UINT64_C(0x7f0000000000)

struct row {
	addr_t slot;
	const char *from;
	const char *to;
	unsigned displaced;
	addr_t onward; /* if it only changes the pc: the new pc, else 0 */
	bool ambiguous;
};

static const struct row rows[] = {
	/* copied, with a jump back */
	{ NEAR, "48 89 e5", "48 89 e5 e9 fb ef ff ff", 3, 0, false },
	{ FAR, "48 89 e5", "48 89 e5 ff 25 00 00 00 00 03 10 40 00 00 00 00 00",
	  3, 0, false },
	{ NEAR, "5c 48 89 e5", "5c 48 89 e5 e9 fb ef ff ff", 4, 0, false },
	/* copied, without a jump */
	{ NEAR, "c3", "c3", 1, 0, false },
	{ NEAR, "c2 08 00", "c2 08 00", 3, 0, false },
	{ NEAR, "41 ff e3", "41 ff e3", 3, 0, false },
	/* two instructions if the first is short */
	{ NEAR, "55 48 89 e5", "55 48 89 e5 e9 fb ef ff ff", 4, 0, false },
	{ NEAR, "55 c3", "55 c3", 2, 0, false },
	{ NEAR, "55 0f 05", "55 e9 fb ef ff ff", 1, 0, true },
	{ NEAR, "55", "55 e9 fb ef ff ff", 1, 0, true },
	{ FAR, "55 48 8b 05 10 00 00 00",
	  "55 ff 25 00 00 00 00 01 10 40 00 00 00 00 00", 1, 0, true },
	{ NEAR, "55 e8 10 00 00 00",
	  "55 ff 35 05 00 00 00 e9 0a f0 ff ff 06 10 40 00 00 00 00 00", 6, 0,
	  false },
	{ NEAR, "90 55", "55 e9 fc ef ff ff", 2, 0, false },
	/* rip-relative operands */
	{ NEAR, "48 8b 05 10 00 00 00", "48 8b 05 10 f0 ff ff e9 fb ef ff ff",
	  7, 0, false },
	{ NEAR, "c7 05 10 00 00 00 01 02 03 04",
	  "c7 05 10 f0 ff ff 01 02 03 04 e9 fb ef ff ff", 10, 0, false },
	{ NEAR, "ff 25 10 00 00 00", "ff 25 10 f0 ff ff", 6, 0, false },
	/* branches */
	{ NEAR, "74 10", "0f 84 0c f0 ff ff e9 f7 ef ff ff", 2, 0, false },
	{ NEAR, "3e 74 10", "0f 84 0d f0 ff ff e9 f8 ef ff ff", 3, 0, false },
	{ NEAR, "0f 8f 10 00 00 00", "0f 8f 10 f0 ff ff e9 fb ef ff ff", 6, 0,
	  false },
	{ FAR, "74 10",
	  "75 0e ff 25 00 00 00 00 12 10 40 00 00 00 00 00 "
	  "ff 25 00 00 00 00 02 10 40 00 00 00 00 00",
	  2, 0, false },
	{ NEAR, "e2 10", "e2 02 eb 05 e9 09 f0 ff ff e9 f4 ef ff ff", 2, 0,
	  false },
	{ NEAR, "67 e3 10", "67 e3 02 eb 05 e9 09 f0 ff ff e9 f4 ef ff ff", 3,
	  0, false },
	{ FAR, "e0 10",
	  "e0 02 eb 0e ff 25 00 00 00 00 12 10 40 00 00 00 00 00 "
	  "ff 25 00 00 00 00 02 10 40 00 00 00 00 00",
	  2, 0, false },
	/* instructions that only change the pc */
	{ NEAR, "eb 10", "e9 0d f0 ff ff", 2, 0x401012, false },
	{ FAR, "e9 10 00 00 00", "ff 25 00 00 00 00 15 10 40 00 00 00 00 00", 5,
	  0x401015, false },
	{ NEAR, "f3 0f 1e fa", "e9 ff ef ff ff", 4, 0x401004, false },
	{ NEAR, "90 90", "e9 fd ef ff ff", 2, 0x401002, false },
	{ NEAR, "90 0f 05", "e9 fc ef ff ff", 1, 0x401001, true },
	{ NEAR, "90 eb 10", "e9 0e f0 ff ff", 3, 0x401013, false },
	{ NEAR, "eb ff", "e9 fc ef ff ff", 2, 0x401001, true },
	/* calls */
	{ NEAR, "e8 10 00 00 00",
	  "ff 35 05 00 00 00 e9 0a f0 ff ff 05 10 40 00 00 00 00 00", 5, 0,
	  false },
	{ FAR, "e8 10 00 00 00",
	  "ff 35 0e 00 00 00 ff 25 00 00 00 00 15 10 40 00 00 00 00 00 "
	  "05 10 40 00 00 00 00 00",
	  5, 0, false },
	{ NEAR, "ff d0", "ff 35 02 00 00 00 ff e0 02 10 40 00 00 00 00 00", 2,
	  0, false },
	{ NEAR, "41 ff d4",
	  "ff 35 03 00 00 00 41 ff e4 03 10 40 00 00 00 00 00", 3, 0, false },
	{ NEAR, "ff 14 24",
	  "ff 35 07 00 00 00 ff a4 24 08 00 00 00 03 10 40 00 00 00 00 00", 3,
	  0, false },
	{ NEAR, "ff 54 24 08",
	  "ff 35 07 00 00 00 ff a4 24 10 00 00 00 04 10 40 00 00 00 00 00", 4,
	  0, false },
	{ NEAR, "41 ff 54 24 08",
	  "ff 35 05 00 00 00 41 ff 64 24 08 05 10 40 00 00 00 00 00", 5, 0,
	  false },
	{ NEAR, "ff 15 10 00 00 00",
	  "ff 35 06 00 00 00 ff 25 0a f0 ff ff 06 10 40 00 00 00 00 00", 6, 0,
	  false },
};

static int
relocate_hex(const char *hex, addr_t slot, const struct relocate_limits *limits,
	     struct relocated *ret_slot, const char **ret_why)
{
	uint8_t bytes[RELOCATE_WINDOW];
	size_t length = bytes_of(hex, bytes, sizeof(bytes));

	return x86_64_relocate(&(struct code){ bytes, length, AT }, slot,
			       limits, ret_slot, ret_why);
}

START_TEST(one_slot)
{
	const struct row *row = &rows[_i];
	char text[3 * SLOT_ROOM];
	struct relocated slot;

	ck_assert_int_eq(relocate_hex(row->from, row->slot, NULL, &slot, NULL),
			 0);
	ck_assert_str_eq(hex_of(slot.bytes, slot.length, text), row->to);
	ck_assert_uint_eq(slot.displaced, row->displaced);
	ck_assert_msg(slot.ambiguous == row->ambiguous, "%s", row->from);
	ck_assert_msg(slot.moves_only == (row->onward != 0), "%s", row->from);
	if (slot.moves_only)
		ck_assert_uint_eq(slot.onward, row->onward);
}
END_TEST

struct refusal {
	addr_t slot;
	const char *from;
	int code;
	const char *why;
};

static const struct refusal refusals[] = {
	{ NEAR, "", -EINVAL, "not an instruction" },
	{ NEAR, "48 8b 05 10 00", -EINVAL, "not an instruction" },
	{ NEAR, "06", -EINVAL, "not an instruction" },
	{ FAR, "48 8b 05 10 00 00 00", -ERANGE,
	  "an operand out of the slot's reach" },
	{ FAR, "ff 25 10 00 00 00", -ERANGE,
	  "an operand out of the slot's reach" },
	{ FAR, "ff 15 10 00 00 00", -ERANGE,
	  "an operand out of the slot's reach" },
	{ NEAR, "0f 05", -ENOTSUP, "a system call" },
	{ NEAR, "cd 80", -ENOTSUP, "a system call" },
	{ NEAR, "cc", -ENOTSUP, "a trap" },
	{ NEAR, "0f 0b", -ENOTSUP, "a trap" },
	{ NEAR, "48 cf", -ENOTSUP, "a far or transactional jump" },
	{ NEAR, "c7 f8 10 00 00 00", -ENOTSUP, "a far or transactional jump" },
	{ NEAR, "67 8d 05 10 00 00 00", -ENOTSUP, "an eip-relative operand" },
	{ NEAR, "67 ff 15 10 00 00 00", -ENOTSUP, "an eip-relative operand" },
	{ NEAR, "ff d4", -ENOTSUP, "a call through rsp" },
	{ NEAR, "ff 54 24 f8", -ENOTSUP,
	  "a call through an odd word of the stack" },
	{ NEAR, "ff 94 24 f8 ff ff 7f", -ENOTSUP,
	  "a call through an odd word of the stack" },
};

START_TEST(one_refusal)
{
	const struct refusal *refusal = &refusals[_i];
	struct relocated slot = { .length = 77 };
	const char *why = NULL;
	int r = relocate_hex(refusal->from, refusal->slot, NULL, &slot, &why);

	ck_assert_msg(r == refusal->code, "%s: %d", refusal->from, r);
	ck_assert_str_eq(why, refusal->why);
	ck_assert_uint_eq(slot.length, 77);
}
END_TEST

START_TEST(calls_under_a_shadow_stack)
{
	static const char *const calls[] = { "e8 10 00 00 00", "ff d0",
					     "ff 15 10 00 00 00",
					     "ff 54 24 08" };
	const struct relocate_limits limits = { .shadow_stack = true };
	struct relocated slot;
	const char *why;

	for (size_t i = 0; i < array_size(calls); i++) {
		ck_assert_int_eq(relocate_hex(calls[i], NEAR, &limits, &slot,
					      &why),
				 -ENOTSUP);
		ck_assert_str_eq(why, "a call under a shadow stack");
	}
	ck_assert_int_eq(relocate_hex("55 ff d0", NEAR, &limits, &slot, &why),
			 0);
	ck_assert_uint_eq(slot.displaced, 1);
	ck_assert(slot.ambiguous);
	ck_assert_int_eq(relocate_hex("c3", NEAR, &limits, &slot, &why), 0);
}
END_TEST

START_TEST(alone_where_the_next_byte_is_a_site)
{
	const struct relocate_limits limits = { .alone = true };
	struct relocated slot;

	ck_assert_int_eq(relocate_hex("55 48 89 e5", NEAR, &limits, &slot,
				      NULL),
			 0);
	ck_assert_uint_eq(slot.displaced, 1);
	ck_assert(slot.ambiguous);
}
END_TEST

/* The last target that rel32 reaches, and the first one out of reach. */
START_TEST(the_ends_of_reach)
{
	const addr_t end = 7, target = AT + 7;
	const addr_t lowest = target - INT32_MAX - end;
	const addr_t highest = target + (UINT64_C(1) << 31) - end;
	const char *lea = "48 8d 05 00 00 00 00";
	struct relocated slot;

	ck_assert_int_eq(relocate_hex(lea, highest, NULL, &slot, NULL), 0);
	ck_assert_int_eq(relocate_hex(lea, highest + 1, NULL, &slot, NULL),
			 -ERANGE);
	ck_assert_int_eq(relocate_hex(lea, lowest, NULL, &slot, NULL), 0);
	ck_assert_int_eq(relocate_hex(lea, lowest - 1, NULL, &slot, NULL),
			 -ERANGE);
}
END_TEST

/* Branch and jump differ by a byte in length. Therefore a slot exists from
 * which one of them reaches its target and the other does not. */
START_TEST(reach_of_a_branch_and_its_jump)
{
	for (int64_t off = -20; off < 20; off++) {
		addr_t slot_at = AT - (addr_t)INT32_MAX + (addr_t)off;
		struct relocated slot;

		ck_assert_int_eq(relocate_hex("74 10", slot_at, NULL, &slot,
					      NULL),
				 0);
		ck_assert(slot.length == 11 || slot.length == 20 ||
			  slot.length == 30 || slot.length == 21);
	}
}
END_TEST

struct place {
	const char *from;
	addr_t slot;
	unsigned offset;
	addr_t pc;
	bool whole;
};

static const struct place places[] = {
	{ "48 89 e5", NEAR, 0, 0x401000, true },
	{ "48 89 e5", NEAR, 3, 0x401003, true },
	{ "55 48 89 e5", NEAR, 0, 0x401000, true },
	{ "55 48 89 e5", NEAR, 1, 0x401001, true },
	{ "55 48 89 e5", NEAR, 4, 0x401004, true },
	{ "f3 0f 1e fa", NEAR, 0, 0x401004, true },
	{ "90 55", NEAR, 0, 0x401001, true },
	{ "e2 80", NEAR, 0, 0x401000, true },
	{ "e2 80", NEAR, 2, 0x401002, true },
	{ "e2 80", NEAR, 4, 0x400f82, true },
	{ "e2 80", NEAR, 9, 0x401002, true },
	{ "74 10", FAR, 2, 0x401012, true },
	{ "74 10", FAR, 16, 0x401002, true },
	{ "e8 10 00 00 00", NEAR, 0, 0x401000, true },
	{ "e8 10 00 00 00", NEAR, 6, 0x401015, true },
	{ "ff d0", NEAR, 0, 0x401000, true },
	{ "ff d0", NEAR, 6, 0x401000, false },
	{ "55 ff d0", NEAR, 1, 0x401001, true },
	{ "55 ff d0", NEAR, 7, 0x401001, false },
	{ "c3", NEAR, 0, 0x401000, true },
};

START_TEST(one_place_in_a_slot)
{
	const struct place *place = &places[_i];
	struct relocated slot;
	bool whole;
	addr_t pc;

	ck_assert_int_eq(relocate_hex(place->from, place->slot, NULL, &slot,
				      NULL),
			 0);
	pc = relocated_pc(&slot, AT, place->offset, &whole);
	ck_assert_msg(pc == place->pc && whole == place->whole,
		      "%s at %u: %#" PRIxADDR ", %d", place->from,
		      place->offset, pc, whole);
	ck_assert_uint_eq(relocated_pc(&slot, AT, place->offset, NULL), pc);
}
END_TEST

Suite *
relocate_suite(void)
{
	Suite *suite = suite_create("arch/relocate");
	TCase *tests = tcase_create("relocate");

	tcase_add_loop_test(tests, one_slot, 0, array_size(rows));
	tcase_add_loop_test(tests, one_refusal, 0, array_size(refusals));
	tcase_add_test(tests, calls_under_a_shadow_stack);
	tcase_add_test(tests, alone_where_the_next_byte_is_a_site);
	tcase_add_test(tests, the_ends_of_reach);
	tcase_add_test(tests, reach_of_a_branch_and_its_jump);
	tcase_add_loop_test(tests, one_place_in_a_slot, 0, array_size(places));
	suite_add_tcase(suite, tests);
	return suite;
}
