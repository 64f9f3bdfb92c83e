/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accessors of registers, and which registers struct arch uses for calls
 * and system calls. */
#include "tests/unit/arch/suites.h"

#include "arch/arch.h"
#include "arch/regs.h"

#include <errno.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

static const struct regs regs = { .gpr = {
					  .rip = 1,
					  .rsp = 2,
					  .fs_base = 3,
					  .rax = 4,
					  .rdi = 10,
					  .rsi = 11,
					  .rdx = 12,
					  .rcx = 13,
					  .r8 = 14,
					  .r9 = 15,
					  .r10 = 16,
				  } };

START_TEST(registers_by_use)
{
	struct regs other = regs;

	ck_assert_uint_eq(regs_pc(&regs), 1);
	ck_assert_uint_eq(regs_sp(&regs), 2);
	ck_assert_uint_eq(regs_thread_pointer(&regs), 3);
	regs_set_pc(&other, 5);
	regs_set_sp(&other, 6);
	regs_set_thread_pointer(&other, 7);
	ck_assert_uint_eq(other.gpr.rip, 5);
	ck_assert_uint_eq(other.gpr.rsp, 6);
	ck_assert_uint_eq(other.gpr.fs_base, 7);
}
END_TEST

START_TEST(stepping_is_a_flag)
{
	struct regs other = regs;

	ck_assert(!regs_stepping(&other));
	regs_set_stepping(&other, true);
	ck_assert(regs_stepping(&other));
	ck_assert(regs_same(&regs, &other));
	regs_set_stepping(&other, false);
	ck_assert(!memcmp(&regs, &other, sizeof(regs)));
}
END_TEST

START_TEST(same_except_what_a_trap_changes)
{
	struct regs other = regs;

	other.gpr.orig_rax = (uint64_t)-1;
	ck_assert(regs_same(&regs, &other));
	other.gpr.r11 = 1;
	ck_assert(!regs_same(&regs, &other));
}
END_TEST

START_TEST(requests_of_ptrace)
{
	struct regs_request requests[REGS_REQUESTS_MOST];
	struct regs some = regs;
	struct vregs vregs;

	ck_assert_uint_eq(regs_fetching(&some, requests), 1);
	ck_assert_int_eq(requests->what, PTRACE_GETREGS);
	ck_assert_ptr_eq(requests->data, &some.gpr);
	ck_assert_uint_eq(regs_storing(&some, requests), 1);
	ck_assert_int_eq(requests->what, PTRACE_SETREGS);
	ck_assert_ptr_eq(requests->data, &some.gpr);
	ck_assert_uint_eq(regs_storing_pc(&some, requests), 1);
	ck_assert_int_eq(requests->what, PTRACE_POKEUSER);
	ck_assert_uint_eq(requests->address, 16 * sizeof(uint64_t));
	ck_assert_uint_eq((uintptr_t)requests->data, 1);
	ck_assert_uint_eq(vregs_fetching(&vregs, requests), 1);
	ck_assert_int_eq(requests->what, PTRACE_GETFPREGS);
	ck_assert_ptr_eq(requests->data, &vregs.fxsave);
}
END_TEST

/* ---- calls ---- */

static int
read_seven(struct reader *reader, addr_t from, void *to, size_t length)
{
	const uint64_t seven = 7;

	(void)reader;
	if (from != regs.gpr.rsp || length != sizeof(seven))
		return -EFAULT;
	memcpy(to, &seven, sizeof(seven));
	return 0;
}

START_TEST(arguments_in_the_order_of_the_psabi)
{
	const struct arch_calling *calling = arch_of_host()->calling;
	struct regs other = regs;

	for (unsigned i = 0; i < 6; i++) {
		ck_assert_uint_eq(calling->argument(&regs, NULL, i), 10 + i);
		calling->set_argument(&other, i, 20 + i);
		ck_assert_uint_eq(calling->argument(&other, NULL, i), 20 + i);
	}
	ck_assert_uint_eq(calling->result(&regs), 4);
}
END_TEST

START_TEST(return_address_is_pushed)
{
	const struct arch_calling *calling = arch_of_host()->calling;
	struct reader memory = { .read = read_seven };
	struct regs other = regs;
	addr_t address = 0;

	ck_assert_uint_eq(calling->pushed, 8);
	ck_assert_int_eq(calling->return_address(&regs, &memory, &address), 0);
	ck_assert_uint_eq(address, 7);
	other.gpr.rsp = 0;
	ck_assert_int_eq(calling->return_address(&other, &memory, &address),
			 -EFAULT);
}
END_TEST

START_TEST(preserved_registers_of_the_psabi)
{
	const struct arch_calling *calling = arch_of_host()->calling;
	struct regs other = regs;
	unsigned long long *const kept[] = {
		&other.gpr.rbx, &other.gpr.rbp, &other.gpr.r12,
		&other.gpr.r13, &other.gpr.r14, &other.gpr.r15,
	};
	uint64_t before = calling->preserved(&regs);

	ck_assert_uint_ne(before, 0);
	other.gpr.rax = other.gpr.rdi = other.gpr.r11 = other.gpr.rsp = 99;
	ck_assert_uint_eq(calling->preserved(&other), before);
	for (size_t i = 0; i < array_size(kept); i++) {
		*kept[i] = 1;
		ck_assert_uint_ne(calling->preserved(&other), before);
		*kept[i] = 0;
	}
}
END_TEST

/* The registers have DWARF's numbers (psABI, figure 3.36). */
START_TEST(registers_by_dwarf)
{
	const struct arch_dwarf *dwarf = arch_of_host()->dwarf;
	struct regs other = { 0 };
	const unsigned long long *const order[] = {
		&other.gpr.rax, &other.gpr.rdx, &other.gpr.rcx, &other.gpr.rbx,
		&other.gpr.rsi, &other.gpr.rdi, &other.gpr.rbp, &other.gpr.rsp,
		&other.gpr.r8,	&other.gpr.r9,	&other.gpr.r10, &other.gpr.r11,
		&other.gpr.r12, &other.gpr.r13, &other.gpr.r14, &other.gpr.r15,
		&other.gpr.rip,
	};

	ck_assert_uint_eq(dwarf->count, array_size(order));
	for (unsigned i = 0; i < dwarf->count; i++) {
		dwarf->set(&other, i, 100 + i);
		ck_assert_uint_eq(*order[i], 100 + i);
		ck_assert_uint_eq(dwarf->get(&other, i), 100 + i);
	}
	ck_assert_uint_eq(dwarf->get(&other, dwarf->sp), other.gpr.rsp);
	ck_assert_uint_eq(dwarf->get(&other, dwarf->frame), other.gpr.rbp);
	ck_assert_uint_eq(dwarf->get(&other, dwarf->pc), other.gpr.rip);
	ck_assert_uint_eq(dwarf->preserved, 0xf048);
}
END_TEST

/* ---- system calls ---- */

START_TEST(system_calls_by_their_registers)
{
	const struct arch_system_call *call = arch_of_host()->system_call;
	const uint64_t arguments[] = { 10, 11, 12, 16, 14, 15 };
	struct regs other = regs;

	other.gpr.orig_rax = SYS_futex;
	other.gpr.rax = (uint64_t)-EINTR;
	ck_assert_int_eq(call->number(&other), SYS_futex);
	ck_assert_int_eq(call->result(&other), -EINTR);
	for (unsigned i = 0; i < 6; i++)
		ck_assert_uint_eq(call->argument(&other, i), arguments[i]);
	call->set_result(&other, -3);
	ck_assert_int_eq(call->result(&other), -3);
	call->leave(&other);
	ck_assert_int_lt(call->number(&other), 0);
}
END_TEST

START_TEST(system_call_again)
{
	const struct arch_system_call *call = arch_of_host()->system_call;
	struct regs other = regs;

	other.gpr.rip = 1002;
	other.gpr.orig_rax = SYS_nanosleep;
	call->again(&other, SYS_restart_syscall);
	ck_assert_uint_eq(other.gpr.rip, 1000);
	ck_assert_uint_eq(other.gpr.rax, SYS_restart_syscall);
	ck_assert_int_lt(call->number(&other), 0);
	ck_assert_uint_eq(other.gpr.rdi, regs.gpr.rdi);
}
END_TEST

/* `syscall` stores the address behind it in rcx (Intel SDM 2, "SYSCALL"). */
START_TEST(system_call_was_made)
{
	const struct arch_system_call *call = arch_of_host()->system_call;
	struct regs other = regs;

	ck_assert(!call->made(&other));
	other.gpr.rcx = other.gpr.rip;
	ck_assert(call->made(&other));
}
END_TEST

Suite *
regs_suite(void)
{
	Suite *suite = suite_create("arch/regs");
	TCase *tests = tcase_create("regs");

	tcase_add_test(tests, registers_by_use);
	tcase_add_test(tests, stepping_is_a_flag);
	tcase_add_test(tests, same_except_what_a_trap_changes);
	tcase_add_test(tests, requests_of_ptrace);
	tcase_add_test(tests, arguments_in_the_order_of_the_psabi);
	tcase_add_test(tests, return_address_is_pushed);
	tcase_add_test(tests, preserved_registers_of_the_psabi);
	tcase_add_test(tests, registers_by_dwarf);
	tcase_add_test(tests, system_calls_by_their_registers);
	tcase_add_test(tests, system_call_again);
	tcase_add_test(tests, system_call_was_made);
	suite_add_tcase(suite, tests);
	return suite;
}
