/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests the structs of arch_known[]: which one is chosen for an ELF file, and
 * that none of their functions is missing. */
#include "tests/unit/arch/suites.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "arch/imports.h"
#include "arch/instruction.h"
#include "arch/libc.h"

#include <elf.h>
#include <sys/syscall.h>

START_TEST(kind_by_the_elf_header)
{
	ck_assert_ptr_eq(arch_of_file(EM_X86_64, ELFCLASS64, ELFDATA2LSB),
			 arch_of_host());
	ck_assert_ptr_null(arch_of_file(EM_X86_64, ELFCLASS32, ELFDATA2LSB));
	ck_assert_ptr_null(arch_of_file(EM_X86_64, ELFCLASS64, ELFDATA2MSB));
	ck_assert_ptr_null(arch_of_file(EM_SPARC, ELFCLASS32, ELFDATA2MSB));
}
END_TEST

/* Bytes behind the magic number that cannot be a class do not count. */
START_TEST(programs_by_their_machine)
{
	static const struct {
		unsigned char ident[16];
		unsigned machine;
		bool known;
	} programs[] = {
		{ "\177ELF\2\1\1", EM_X86_64, true },
		{ "\177ELF\220\220\220", EM_X86_64, true },
		{ "\177ELF\1\1\220", EM_X86_64, true },
		{ "\177ELF\1\1\1", EM_X86_64, false },
		{ "\177ELF\2\1\220", EM_AARCH64, false },
	};

	for (size_t i = 0; i < array_size(programs); i++)
		ck_assert_ptr_eq(arch_of_program(programs[i].ident,
						 programs[i].machine),
				 programs[i].known ? arch_of_host() : NULL);
}
END_TEST

START_TEST(traps_are_told_by_their_bytes)
{
	const struct arch_trap long_one = { .bytes = { 1, 2, 3, 4 },
					    .length = 4 };
	const struct arch_trap *trap = &arch_of_host()->trap;

	ck_assert(trap_is_at(trap, trap->bytes));
	ck_assert(!trap_is_at(trap, (const uint8_t[]){ 0x90 }));
	ck_assert(trap_is_at(&long_one, (const uint8_t[]){ 1, 2, 3, 4 }));
	ck_assert(!trap_is_at(&long_one, (const uint8_t[]){ 1, 2, 3, 5 }));
}
END_TEST

/* Checks that a table of pointers has no NULL. */
#define ck_assert_whole(table)                                                 \
	do {                                                                   \
		for (size_t i = 0; i < sizeof(*(table)) / sizeof(void *); i++) \
			ck_assert_ptr_nonnull(((void *const *)(table))[i]);    \
	} while (0)

START_TEST(system_calls_have_names)
{
	const struct arch_system_call *call = arch_of_host()->system_call;

	ck_assert_str_eq(call->name(SYS_openat), "openat");
	ck_assert_str_eq(call->name(SYS_exit_group), "exit_group");
	ck_assert_ptr_null(call->name(-1));
	ck_assert_ptr_null(call->name(call->count()));
	ck_assert_ptr_nonnull(call->name(call->count() - 1));
}
END_TEST

START_TEST(nothing_is_missing)
{
	for (const struct arch *const *at = arch_known; *at; at++) {
		const struct arch *arch = *at;

		ck_assert_whole(arch->system_call);
		ck_assert_whole(arch->code);
		ck_assert_whole(arch->imports);
		ck_assert_whole(arch->libc);
		ck_assert(arch->calling->return_address &&
			  arch->calling->argument &&
			  arch->calling->set_argument &&
			  arch->calling->argument_place &&
			  arch->calling->finish && arch->calling->result &&
			  arch->calling->preserved);
		ck_assert(arch->dwarf->get && arch->dwarf->set);
		ck_assert(arch->relocate && arch->shows_stepping &&
			  arch->stub_build && arch->stub_end);
		ck_assert_uint_gt(arch->top, 0);
		ck_assert_uint_gt(arch->trap.length, 0);
		ck_assert_uint_le(arch->trap.length, TRAP_MOST);
		ck_assert_uint_le(arch->dwarf->count, DWARF_REGISTERS_MOST);
		ck_assert_uint_lt(arch->dwarf->pc, arch->dwarf->count);
		ck_assert_uint_lt(arch->dwarf->sp, EFFECT_REGISTERS);
		ck_assert_uint_gt(arch->reach, 0);
	}
}
END_TEST

Suite *
arch_suite(void)
{
	Suite *suite = suite_create("arch/arch");
	TCase *tests = tcase_create("arch");

	tcase_add_test(tests, kind_by_the_elf_header);
	tcase_add_test(tests, programs_by_their_machine);
	tcase_add_test(tests, traps_are_told_by_their_bytes);
	tcase_add_test(tests, system_calls_have_names);
	tcase_add_test(tests, nothing_is_missing);
	suite_add_tcase(suite, tests);
	return suite;
}
