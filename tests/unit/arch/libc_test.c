/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every instruction of libc's text is relocated, or refused for an expected
 * reason. The test counts the reasons. The counts show the share of places in
 * real code where a trap can be planted.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/relocate.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AT UINT64_C(0x7f1200000000)
#define SLOT (AT - 0x10000)
#define REASONS 16

struct reasons {
	const char *why[REASONS];
	unsigned count[REASONS];
	unsigned total;
};

static void
count_reason(struct reasons *reasons, const char *why)
{
	size_t i = 0;

	while (reasons->why[i] && strcmp(reasons->why[i], why) != 0)
		ck_assert_uint_lt(++i, REASONS);
	reasons->why[i] = why;
	reasons->count[i]++;
	reasons->total++;
}

static void
check_slot(const struct relocated *slot, size_t at)
{
	bool whole;

	ck_assert_uint_gt(slot->length, 0);
	ck_assert_uint_le(slot->length, SLOT_ROOM);
	ck_assert_uint_gt(slot->displaced, 0);
	ck_assert_uint_gt(slot->steps, 0);
	ck_assert_uint_eq(slot->step[0].offset, 0);
	relocated_pc(slot, at, slot->length - 1u, &whole);
}

START_TEST(every_instruction_is_relocated_or_refused)
{
	struct reasons reasons = { 0 };
	unsigned ambiguous = 0, moves_only = 0;
	struct text text;

	text_of_libc(&text);
	for (size_t i = 0; i < text.count; i++) {
		size_t at = text.starts[i];
		const char *why = NULL;
		const struct code code = { text.bytes + at, text.length - at,
					   AT + at };
		struct relocated slot;
		int r = x86_64_relocate(&code, SLOT, NULL, &slot, &why);

		if (r < 0) {
			ck_assert_int_eq(r, -ENOTSUP);
			count_reason(&reasons, why);
			continue;
		}
		check_slot(&slot, AT + at);
		ambiguous += slot.ambiguous;
		moves_only += slot.moves_only;
	}
	printf("arch: libc: %zu instructions, %u refused, %u ambiguous, "
	       "%u only move the pc, %zu bytes unknown\n",
	       text.count, reasons.total, ambiguous, moves_only, text.unknown);
	for (size_t i = 0; i < REASONS && reasons.why[i]; i++)
		printf("arch: libc: refused: %s: %u\n", reasons.why[i],
		       reasons.count[i]);
	ck_assert_uint_gt(text.count, 100000);
	ck_assert_uint_lt(reasons.total, text.count / 200);
	ck_assert_uint_lt(ambiguous, text.count / 200);
	ck_assert_uint_eq(text.unknown, 0);
	free(text.bytes);
	free(text.starts);
}
END_TEST

Suite *
libc_suite(void)
{
	Suite *suite = suite_create("arch/libc");
	TCase *tests = tcase_create("text");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, every_instruction_is_relocated_or_refused);
	suite_add_tcase(suite, tests);
	return suite;
}
