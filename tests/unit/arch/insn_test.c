/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bytes, and how they are decoded. All are at address 0x1000, so that a
 * displacement of 0x10 in an instruction of 6 bytes means 0x1016.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/insn.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"

#include <errno.h>
#include <pthread.h>

#define AT 0x1000u

struct row {
	const char *hex;
	enum insn_kind kind;
	unsigned opcode; /* offset of the opcode */
	unsigned disp;	 /* offset of the displacement, or 0 */
	addr_t target;
};

static const struct row rows[] = {
	/* no-ops and instructions that look like them */
	{ "90", INSN_NOTHING, 0, 0, 0 },
	{ "66 90", INSN_NOTHING, 1, 0, 0 },
	{ "48 90", INSN_NOTHING, 1, 0, 0 },
	{ "41 90", INSN_PLAIN, 1, 0, 0 },
	{ "f3 90", INSN_PLAIN, 1, 0, 0 },
	{ "0f 1f 00", INSN_NOTHING, 0, 0, 0 },
	{ "0f 1f 05 10 00 00 00", INSN_NOTHING, 0, 0, 0 },
	{ "66 2e 0f 1f 84 00 00 00 00 00", INSN_NOTHING, 2, 0, 0 },
	{ "66 66 2e 0f 1f 84 00 00 00 00 00", INSN_NOTHING, 3, 0, 0 },
	{ "f3 0f 1e fa", INSN_NOTHING, 1, 0, 0 },
	{ "f3 0f 1e fb", INSN_NOTHING, 1, 0, 0 },
	{ "f3 48 0f 1e c8", INSN_PLAIN, 2, 0, 0 },
	/* plain */
	{ "55", INSN_PLAIN, 0, 0, 0 },
	{ "41 57", INSN_PLAIN, 1, 0, 0 },
	{ "48 89 e5", INSN_PLAIN, 1, 0, 0 },
	{ "48 83 ec 18", INSN_PLAIN, 1, 0, 0 },
	{ "64 48 8b 04 25 28 00 00 00", INSN_PLAIN, 2, 0, 0 },
	{ "48 b8 01 02 03 04 05 06 07 08", INSN_PLAIN, 1, 0, 0 },
	{ "48 a1 01 02 03 04 05 06 07 08", INSN_PLAIN, 1, 0, 0 },
	{ "f3 48 ab", INSN_PLAIN, 2, 0, 0 },
	{ "c6 f8 01", INSN_PLAIN, 0, 0, 0 },
	{ "ff 35 10 00 00 00", INSN_PC_RELATIVE, 0, 2, 0x1016 },
	{ "ff 74 24 08", INSN_PLAIN, 0, 0, 0 },
	{ "c5 f8 77", INSN_PLAIN, 0, 0, 0 },
	{ "0f 20 05", INSN_PLAIN, 0, 0, 0 },
	/* rip-relative, with and without bytes after the displacement */
	{ "48 8b 05 10 00 00 00", INSN_PC_RELATIVE, 1, 3, 0x1017 },
	{ "48 8d 3d f9 ff ff ff", INSN_PC_RELATIVE, 1, 3, 0x1000 },
	{ "80 3d 10 00 00 00 00", INSN_PC_RELATIVE, 0, 2, 0x1017 },
	{ "66 81 3d 10 00 00 00 05 06", INSN_PC_RELATIVE, 1, 3, 0x1019 },
	{ "f7 05 10 00 00 00 08 09 0a 0b", INSN_PC_RELATIVE, 0, 2, 0x101a },
	{ "f0 48 0f b1 0d 10 00 00 00", INSN_PC_RELATIVE, 2, 5, 0x1019 },
	{ "64 48 8b 05 10 00 00 00", INSN_PC_RELATIVE, 2, 4, 0x1018 },
	{ "c5 f9 6f 05 10 00 00 00", INSN_PC_RELATIVE, 0, 4, 0x1018 },
	{ "c4 e3 7d 0f 05 10 00 00 00 04", INSN_PC_RELATIVE, 0, 5, 0x101a },
	{ "62 f1 7c 48 28 05 10 00 00 00", INSN_PC_RELATIVE, 0, 6, 0x101a },
	{ "67 8d 05 10 00 00 00", INSN_PC_RELATIVE, 1, 3, 0x1017 },
	/* instructions that capstone 4 does not know */
	{ "62 f3 7d 20 3f 47 01 00", INSN_PLAIN, 0, 0, 0 },
	{ "62 f3 fd 48 25 05 10 00 00 00 ff", INSN_PC_RELATIVE, 0, 6, 0x101b },
	{ "c5 fb 93 c0", INSN_PLAIN, 0, 0, 0 },
	{ "66 0f 38 cf 05 10 00 00 00", INSN_PC_RELATIVE, 1, 5, 0x1019 },
	{ "66 0f 3a ce c1 05", INSN_PLAIN, 1, 0, 0 },
	{ "62 f5 7c 48 58 84 88 01 02 03 04", INSN_PLAIN, 0, 0, 0 },
	{ "0f 01 ef", INSN_PLAIN, 0, 0, 0 },
	{ "f3 0f c7 f8", INSN_PLAIN, 1, 0, 0 },
	/* relative branches */
	{ "eb 10", INSN_JUMP, 0, 0, 0x1012 },
	{ "eb fe", INSN_JUMP, 0, 0, 0x1000 },
	{ "e9 10 00 00 00", INSN_JUMP, 0, 0, 0x1015 },
	{ "f2 e9 10 00 00 00", INSN_JUMP, 1, 0, 0x1016 },
	{ "74 80", INSN_BRANCH, 0, 0, 0xf82 },
	{ "3e 75 10", INSN_BRANCH, 1, 0, 0x1013 },
	{ "0f 84 10 00 00 00", INSN_BRANCH, 0, 0, 0x1016 },
	{ "f2 0f 8f 10 00 00 00", INSN_BRANCH, 1, 0, 0x1017 },
	{ "e0 10", INSN_LOOP, 0, 0, 0x1012 },
	{ "e1 10", INSN_LOOP, 0, 0, 0x1012 },
	{ "e2 10", INSN_LOOP, 0, 0, 0x1012 },
	{ "e3 10", INSN_LOOP, 0, 0, 0x1012 },
	{ "67 e3 10", INSN_LOOP, 1, 0, 0x1013 },
	{ "e8 10 00 00 00", INSN_CALL, 0, 0, 0x1015 },
	{ "67 e8 10 00 00 00", INSN_CALL, 1, 0, 0x1016 },
	{ "66 66 48 e8 10 00 00 00", INSN_CALL, 3, 0, 0x1018 },
	/* indirect branches */
	{ "ff e0", INSN_JUMP_INDIRECT, 0, 0, 0 },
	{ "3e 41 ff e3", INSN_JUMP_INDIRECT, 2, 0, 0 },
	{ "ff 24 c5 10 00 00 00", INSN_JUMP_INDIRECT, 0, 0, 0 },
	{ "ff 25 10 00 00 00", INSN_JUMP_WORD, 0, 2, 0x1016 },
	{ "f2 ff 25 10 00 00 00", INSN_JUMP_WORD, 1, 3, 0x1017 },
	{ "ff d0", INSN_CALL_INDIRECT, 0, 0, 0 },
	{ "ff 14 25 10 00 00 00", INSN_CALL_INDIRECT, 0, 0, 0 },
	{ "41 ff 54 24 08", INSN_CALL_INDIRECT, 1, 0, 0 },
	{ "ff 15 10 00 00 00", INSN_CALL_WORD, 0, 2, 0x1016 },
	{ "66 48 ff 15 10 00 00 00", INSN_CALL_WORD, 2, 4, 0x1018 },
	{ "c3", INSN_RETURN, 0, 0, 0 },
	{ "f3 c3", INSN_RETURN, 1, 0, 0 },
	{ "c2 08 00", INSN_RETURN, 0, 0, 0 },
	/* instructions that must not be displaced */
	{ "0f 05", INSN_SYSCALL, 0, 0, 0 },
	{ "0f 34", INSN_SYSCALL, 0, 0, 0 },
	{ "cd 80", INSN_SYSCALL, 0, 0, 0 },
	{ "cc", INSN_TRAP, 0, 0, 0 },
	{ "f1", INSN_TRAP, 0, 0, 0 },
	{ "f4", INSN_TRAP, 0, 0, 0 },
	{ "0f 0b", INSN_TRAP, 0, 0, 0 },
	{ "48 cf", INSN_OTHER_FLOW, 1, 0, 0 },
	{ "cb", INSN_OTHER_FLOW, 0, 0, 0 },
	{ "ff 2d 10 00 00 00", INSN_OTHER_FLOW, 0, 0, 0 },
	{ "c7 f8 10 00 00 00", INSN_OTHER_FLOW, 0, 0, 0 },
	{ "66 75 10", INSN_OTHER_FLOW, 1, 0, 0 },
	{ "66 ff d0", INSN_OTHER_FLOW, 1, 0, 0 },
};

START_TEST(one_instruction)
{
	const struct row *row = &rows[_i];
	uint8_t bytes[32] = { 0 };
	size_t length = bytes_of(row->hex, bytes, sizeof(bytes));
	struct insn insn;

	ck_assert_int_eq(insn_decode(bytes, sizeof(bytes), AT, &insn), 0);
	ck_assert_msg(insn.kind == row->kind, "%s: kind %d", row->hex,
		      insn.kind);
	ck_assert_msg(insn.length == length, "%s: %u bytes", row->hex,
		      insn.length);
	ck_assert_msg(insn.opcode_offset == row->opcode, "%s: opcode at %u",
		      row->hex, insn.opcode_offset);
	ck_assert_msg(insn.disp_offset == row->disp, "%s: disp at %u", row->hex,
		      insn.disp_offset);
	ck_assert_msg(insn.target == row->target, "%s: target %#" PRIxADDR,
		      row->hex, insn.target);
}
END_TEST

/* A part of an instruction is not an instruction, and nothing after it is
 * read. */
START_TEST(one_instruction_cut)
{
	uint8_t bytes[32];
	size_t length = bytes_of(rows[_i].hex, bytes, sizeof(bytes));
	struct insn insn = { .length = 77 };

	for (size_t have = 0; have < length; have++) {
		int r = insn_decode(bytes, have, AT, &insn);

		/* Near branches that AMD and Intel decode differently. */
		if (rows[_i].kind == INSN_OTHER_FLOW && r == 0)
			return;
		ck_assert_msg(r == -EINVAL, "%s: %zu bytes are enough",
			      rows[_i].hex, have);
		ck_assert_uint_eq(insn.length, 77);
	}
}
END_TEST

START_TEST(no_instruction)
{
	static const char sixteen[] =
		"66 66 66 66 66 66 66 66 66 66 66 66 66 66 66 90";
	static const char *const bad[] = { "06", "d6", "0f 04", "ff ff",
					   sixteen };

	for (size_t i = 0; i < array_size(bad); i++) {
		uint8_t bytes[32] = { 0 };
		struct insn insn;

		bytes_of(bad[i], bytes, sizeof(bytes));
		ck_assert_msg(insn_decode(bytes, sizeof(bytes), AT, &insn) ==
				      -EINVAL,
			      "%s", bad[i]);
	}
}
END_TEST

START_TEST(every_kind_has_a_name)
{
	for (int kind = 0; kind < INSN_KINDS; kind++)
		ck_assert_ptr_nonnull(insn_kind_name((enum insn_kind)kind));
}
END_TEST

static void *
decode_all(void *wrong)
{
	for (unsigned i = 0; i < 200 * array_size(rows); i++) {
		const struct row *row = &rows[i % array_size(rows)];
		uint8_t bytes[32] = { 0 };
		struct insn insn;

		bytes_of(row->hex, bytes, sizeof(bytes));
		if (insn_decode(bytes, sizeof(bytes), AT, &insn) < 0 ||
		    insn.kind != row->kind || insn.target != row->target)
			*(int *)wrong = 1;
	}
	return NULL;
}

START_TEST(threads_do_not_disturb_each_other)
{
	pthread_t threads[4];
	int wrong[4] = { 0 };

	for (size_t i = 0; i < array_size(threads); i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, decode_all,
						&wrong[i]),
				 0);
	for (size_t i = 0; i < array_size(threads); i++) {
		pthread_join(threads[i], NULL);
		ck_assert_int_eq(wrong[i], 0);
	}
}
END_TEST

Suite *
insn_suite(void)
{
	Suite *suite = suite_create("arch/insn");
	TCase *tests = tcase_create("insn");

	tcase_add_loop_test(tests, one_instruction, 0, array_size(rows));
	tcase_add_loop_test(tests, one_instruction_cut, 0, array_size(rows));
	tcase_add_test(tests, no_instruction);
	tcase_add_test(tests, every_kind_has_a_name);
	tcase_add_test(tests, threads_do_not_disturb_each_other);
	suite_add_tcase(suite, tests);
	return suite;
}
