/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Everything that the quick table knows must agree with capstone: every opcode
 * with every ModRM byte after every prefix and pair of prefixes, random bytes,
 * and libc's own instructions, of which the table must know most.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/quick.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"

#include <capstone/capstone.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static csh capstone;
static cs_insn *insn;

static void
open_capstone(void)
{
	ck_assert_int_eq(cs_open(CS_ARCH_X86, CS_MODE_64, &capstone), 0);
	cs_option(capstone, CS_OPT_DETAIL, CS_OPT_ON);
	insn = cs_malloc(capstone);
}

static void
close_capstone(void)
{
	cs_free(insn, 1);
	cs_close(&capstone);
}

/* Reads the prefixes of an instruction, as arch/x86_64/insn.c does. */
static size_t
read_prefixes(const uint8_t *bytes, size_t have, unsigned *ret_prefixes)
{
	static const struct {
		uint8_t byte;
		unsigned prefix;
	} known[] = {
		{ 0x66, INSN_PREFIX_OPERAND }, { 0x67, INSN_PREFIX_ADDRESS },
		{ 0xf2, INSN_PREFIX_BND },     { 0xf3, INSN_PREFIX_REP },
		{ 0xf0, INSN_PREFIX_LOCK },    { 0x64, INSN_PREFIX_SEGMENT },
		{ 0x65, INSN_PREFIX_SEGMENT }, { 0x26, INSN_PREFIX_HINT },
		{ 0x2e, INSN_PREFIX_HINT },    { 0x36, INSN_PREFIX_HINT },
		{ 0x3e, INSN_PREFIX_HINT },
	};
	unsigned legacy = 0, rex = 0;
	size_t at;

	for (at = 0; at < have; at++) {
		size_t i = 0;

		while (i < array_size(known) && known[i].byte != bytes[at])
			i++;
		if (i < array_size(known)) {
			legacy |= known[i].prefix;
			rex = 0;
		} else if ((bytes[at] & 0xf0) == 0x40) {
			rex = INSN_PREFIX_REX |
			      (bytes[at] & 8 ? INSN_PREFIX_REX_W : 0);
		} else {
			break;
		}
	}
	*ret_prefixes = legacy | rex;
	return at;
}

/* movsxd without REX.W, which capstone 5 does not know (4 does). */
static bool
is_short_movsxd(uint8_t opcode, unsigned prefixes)
{
	return opcode == 0x63 && !(prefixes & INSN_PREFIX_REX_W) &&
	       cs_version(NULL, NULL) >= CS_MAKE_VERSION(5, 0);
}

/* If the quick table knows the instruction, capstone must agree. Check notes
 * each assertion in a file, which takes longer than decoding, so few assertions
 * are made. */
static bool
agreed(const uint8_t *bytes, size_t have)
{
	unsigned prefixes;
	size_t opcode = read_prefixes(bytes, have, &prefixes), modrm = 0;
	const uint8_t *from = bytes;
	uint64_t at = 0x1000;
	char text[3 * INSN_LONGEST + 1];
	size_t length, whole = have;

	if (opcode >= have)
		return false;
	length = insn_quick_length(bytes, have, opcode, prefixes, &modrm);
	if (length == 0)
		return false;
	if (!cs_disasm_iter(capstone, &from, &have, &at, insn)) {
		ck_assert_msg(is_short_movsxd(bytes[opcode], prefixes),
			      "no instruction: %s", hex_of(bytes, whole, text));
		return false;
	}
	if (insn->size != length)
		ck_abort_msg("%u bytes, not %zu: %s", insn->size, length,
			     hex_of(bytes, whole, text));
	/* an instruction that has a ModRM byte only in capstone 5 */
	if (insn->id == X86_INS_ENDBR64)
		return true;
	if (insn->detail->x86.encoding.modrm_offset != modrm)
		ck_abort_msg("ModRM at %u, not %zu: %s",
			     insn->detail->x86.encoding.modrm_offset, modrm,
			     hex_of(bytes, whole, text));
	return true;
}

/* Tests the opcode at `at`, one byte or two, with every ModRM byte. */
static unsigned
every_opcode(uint8_t *bytes, size_t at)
{
	unsigned known = 0;

	for (unsigned opcode = 0; opcode < 512; opcode++) {
		size_t modrm = at;

		if (opcode >= 256)
			bytes[modrm++] = 0x0f;
		bytes[modrm++] = (uint8_t)opcode;
		for (unsigned i = 0; i < 256; i++) {
			bytes[modrm] = (uint8_t)i;
			known += agreed(bytes, INSN_LONGEST);
		}
	}
	return known;
}

START_TEST(every_opcode_behind_every_prefix)
{
	static const uint8_t prefixes[] = { 0x66, 0x67, 0xf2, 0xf3, 0xf0,
					    0x64, 0x65, 0x2e, 0x3e, 0x40,
					    0x41, 0x48, 0x4d };
	uint8_t bytes[INSN_LONGEST] = { 0 };

	/*
	 * Bytes with a SIB byte that has a base, then with one that has none.
	 */
	for (unsigned sib = 0x24; sib <= 0x25; sib++) {
		memset(bytes, (int)sib, sizeof(bytes));
		ck_assert_uint_gt(every_opcode(bytes, 0), 10000);
		for (size_t i = 0; i < array_size(prefixes); i++) {
			bytes[0] = prefixes[i];
			every_opcode(bytes, 1);
			for (size_t j = 0; j < array_size(prefixes); j++) {
				bytes[1] = prefixes[j];
				every_opcode(bytes, 2);
			}
		}
	}
}
END_TEST

START_TEST(random_bytes)
{
	uint64_t state = 5;
	uint8_t bytes[INSN_LONGEST];

	for (unsigned i = 0; i < 300000; i++) {
		for (size_t j = 0; j < sizeof(bytes); j++)
			bytes[j] = (uint8_t)random_below(&state, 256);
		agreed(bytes, 1 + random_below(&state, INSN_LONGEST));
	}
}
END_TEST

START_TEST(most_of_libc)
{
	struct text text;
	size_t known = 0;

	text_of_libc(&text);
	for (size_t i = 0; i < text.count; i++) {
		size_t left = text.length - text.starts[i];

		known += agreed(text.bytes + text.starts[i],
				left < INSN_LONGEST ? left : INSN_LONGEST);
	}
	printf("arch: libc: %zu of %zu instructions are in the quick table\n",
	       known, text.count);
	ck_assert_uint_gt(known, text.count * 9 / 10);
	free(text.bytes);
	free(text.starts);
}
END_TEST

Suite *
quick_suite(void)
{
	Suite *suite = suite_create("arch/quick");
	TCase *tests = tcase_create("table");

	tcase_set_timeout(tests, 120);
	tcase_add_checked_fixture(tests, open_capstone, close_capstone);
	tcase_add_test(tests, every_opcode_behind_every_prefix);
	tcase_add_test(tests, random_bytes);
	tcase_add_test(tests, most_of_libc);
	suite_add_tcase(suite, tests);
	return suite;
}
