/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Injected system calls, single instructions, and signals of a stopped
 * thread. */
#include "arch/arch.h"
#include "process/remote.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "base/clock.h"
#include "process/nudge.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/space.h"
#include "process/wait.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define BIT(signal) (UINT64_C(1) << ((signal)-1))

static struct tracee tracee;
/* Code of the test that is never executed. The copy has it at the same
 * address. */
static uint8_t *scratch;
static uint64_t note[2];

static void
setup(void)
{
	scratch = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(scratch, MAP_FAILED);
}

static void
teardown(void)
{
	tracee_end(&tracee);
}

static int
ask(const struct stub_call *calls, size_t count, int64_t *results)
{
	return remote_run(&tracee.table, tracee.thread, (addr_t)scratch, calls,
			  count, results);
}

START_TEST(a_sleeping_thread_runs_injected_calls)
{
	const struct stub_call calls[] = {
		{ .number = SYS_mmap,
		  .arguments = { 0, 4096, PROT_READ,
				 MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1 } },
		{ .number = SYS_close, .arguments = { 12345 } },
	};
	uint8_t there[STUB_ROOM], nothing[STUB_ROOM] = { 0 };
	int64_t results[STUB_CALLS];
	struct regs before;

	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee_stop(&tracee);
	before = *thread_regs(&tracee.table, tracee.thread);
	ck_assert_int_eq(ask(calls, 2, results), 0);
	ck_assert_int_gt(results[0], 0);
	ck_assert_int_eq(results[1], -EBADF);
	ck_assert_uint_eq(tracee.table.tally.injected, 2);
	/* The original bytes of the scratch memory are restored. */
	ck_assert_int_eq(space_read_raw(tracee.process->space, (addr_t)scratch,
					there, sizeof(there)),
			 0);
	ck_assert_mem_eq(there, nothing, sizeof(there));
	/*
	 * The thread will sleep again: its registers restart its system call.
	 */
	ck_assert_uint_eq(regs_sp(thread_regs(&tracee.table, tracee.thread)),
			  regs_sp(&before));
	tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, SYS_pause);
}
END_TEST

static void
sleep_long(void)
{
	struct timespec left = { .tv_sec = 1000 };

	nanosleep(&left, &left);
}

START_TEST(a_sleep_with_a_clock_is_continued)
{
	const struct stub_call call = { .number = SYS_gettid };
	int64_t result;

	tracee_start(&tracee, sleep_long);
	tracee_await_blocked(tracee.pid, SYS_clock_nanosleep);
	tracee_stop(&tracee);
	ck_assert_int_eq(ask(&call, 1, &result), 0);
	ck_assert_int_eq(result, tracee.pid);
	tracee_resume(&tracee, 0);
	/*
	 * The kernel continues the sleep with restart_syscall(2), for the
	 * remaining time.
	 */
	tracee_await_blocked(tracee.pid, SYS_restart_syscall);
}
END_TEST

START_TEST(a_stop_that_comes_meanwhile_comes_after)
{
	const struct stub_call call = {
		.number = SYS_kill,
		.arguments = { 0, SIGSTOP },
	};
	struct stub_call own = call;
	int64_t result;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	own.arguments[0] = (uint64_t)tracee.pid;
	ck_assert_int_eq(ask(&own, 1, &result), 0);
	ck_assert_int_eq(result, 0);
	tracee_resume(&tracee, 0);
	ck_assert_int_eq(tracee_await(&tracee, STOP_SIGNAL).signal, SIGSTOP);
}
END_TEST

static int call_ends[2];

/* Injects a read of an empty pipe, which does not end before the deadline.
 * Afterwards writes to the pipe, so that the read ends. */
static void
give_up(struct regs *ret_before)
{
	const struct stub_call calls[] = {
		{ .number = SYS_read,
		  .arguments = { (uint64_t)call_ends[0], (uint64_t)note, 1 } },
		{ .number = SYS_gettid },
	};
	int64_t results[STUB_CALLS];

	*ret_before = *thread_regs(&tracee.table, tracee.thread);
	/* If this test waits for a CPU until the deadline, the calls do not
	 * begin. */
	do {
		tracee.table.deadline = clock_now() + CLOCK_SECOND / 10;
		ck_assert_int_eq(ask(calls, 2, results), -EBUSY);
	} while (!tracee.thread->given_up);
	tracee.table.deadline = 0;
	ck_assert(remote_given_up(&tracee.table, tracee.process->space));
	ck_assert_int_eq(write(call_ends[1], "x", 1), 1);
}

static bool
pauses(void)
{
	struct blocked blocked;

	return status_blocked(arch_of_host(), tracee.pid, tracee.pid,
			      &blocked) == 0 &&
	       !blocked.running && blocked.number == SYS_pause;
}

/* Resumes the thread until it has left the injected call that was given up. */
static void
end_given_up(void)
{
	struct stop stop;

	for (;;) {
		ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread,
					     &stop),
				 0);
		if (remote_end(&tracee.table, tracee.thread, &stop))
			return;
		ck_assert_int_eq(thread_resume_to_syscall(&tracee.table,
							  tracee.thread, 0),
				 0);
	}
}

/* Row 0: the thread stops when the kernel leaves the injected call. Row 1: an
 * interrupt stops the thread in the stub. Row 2: the thread has left the stub
 * without a stop. */
START_TEST(a_call_that_was_given_up_ends)
{
	uint8_t there[STUB_ROOM], nothing[STUB_ROOM] = { 0 };
	struct regs before;
	struct stop stop;

	ck_assert_int_eq(pipe(call_ends), 0);
	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee_stop(&tracee);
	give_up(&before);
	if (_i == 1)
		ck_assert_int_eq(thread_interrupt(&tracee.table, tracee.thread),
				 0);
	if (_i == 2) {
		ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread,
					     &stop),
				 0);
		tracee_resume(&tracee, 0);
		tracee_await_blocked(tracee.pid, SYS_pause);
		stop = tracee_stop(&tracee);
		ck_assert(remote_end(&tracee.table, tracee.thread, &stop));
	} else {
		end_given_up();
	}
	ck_assert_ptr_null(tracee.thread->given_up);
	ck_assert(!remote_given_up(&tracee.table, tracee.process->space));
	ck_assert_int_eq(space_read_raw(tracee.process->space, (addr_t)scratch,
					there, sizeof(there)),
			 0);
	ck_assert_mem_eq(there, nothing, sizeof(there));
	ck_assert_uint_eq(regs_sp(thread_regs(&tracee.table, tracee.thread)),
			  regs_sp(&before));
	tracee_resume(&tracee, 0);
	/* In row 1, the stop for the interrupt may come only now. */
	while (_i == 1 && !pauses())
		if (wait_poll(&tracee.table, tracee.pid, &stop) == 0)
			tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, SYS_pause);
	close(call_ends[0]);
	close(call_ends[1]);
}
END_TEST

/* The injected call takes the interrupt's stop. The caller of
 * thread_interrupt() still waits for it. */
START_TEST(an_interrupt_that_comes_meanwhile_comes_after)
{
	const struct stub_call call = { .number = SYS_gettid };
	int64_t result;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	ck_assert_int_eq(thread_interrupt(&tracee.table, tracee.thread), 0);
	ck_assert_int_eq(ask(&call, 1, &result), 0);
	ck_assert_int_eq(result, tracee.pid);
	tracee_resume(&tracee, 0);
	tracee_await(&tracee, STOP_INTERRUPT);
}
END_TEST

START_TEST(a_thread_that_ends_meanwhile_is_removed)
{
	const struct stub_call call = {
		.number = SYS_exit_group,
		.arguments = { 3 },
	};
	int64_t result;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	ck_assert_int_eq(ask(&call, 1, &result), -ESRCH);
}
END_TEST

START_TEST(a_place_that_is_no_code)
{
	const struct stub_call call = { .number = SYS_getpid };
	static uint8_t data[STUB_ROOM];
	struct regs before;
	int64_t result;

	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee_stop(&tracee);
	ck_assert_int_eq(remote_run(&tracee.table, tracee.thread, 16, &call, 1,
				    &result),
			 -EFAULT);
	before = *thread_regs(&tracee.table, tracee.thread);
	ck_assert_int_eq(remote_run(&tracee.table, tracee.thread, (addr_t)data,
				    &call, 1, &result),
			 -EFAULT);
	/* The thread's registers are unchanged. */
	ck_assert_uint_eq(regs_sp(thread_regs(&tracee.table, tracee.thread)),
			  regs_sp(&before));
	tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, SYS_pause);
}
END_TEST

/* ---- registers -------------------------------------------------------------
 */

/* Two instructions that change one register each. */
__asm__(".pushsection .text\n"
	"two_steps:\n\t"
	"mov $1, %eax\n\t"
	"mov $2, %ecx\n"
	"two_steps_over:\n\t"
	"jmp two_steps_over\n"
	".popsection");
extern const char two_steps[], two_steps_over[];

START_TEST(registers_are_stored_when_it_goes_on)
{
	const struct vregs *vregs;
	const struct regs *regs;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	vregs = thread_vregs(&tracee.table, tracee.thread);
	ck_assert_ptr_nonnull(vregs);
	ck_assert_ptr_eq(thread_vregs(&tracee.table, tracee.thread), vregs);
	regs = thread_regs(&tracee.table, tracee.thread);
	ck_assert_int_eq(thread_store_regs(&tracee.table, tracee.thread), 0);
	tracee.thread->regs.gpr.orig_rax = (uint64_t)-1;
	tracee.thread->regs_state = REGS_DIRTY;
	ck_assert_int_eq(thread_store_regs(&tracee.table, tracee.thread), 0);
	thread_set_pc(tracee.thread, (addr_t)two_steps);
	ck_assert_int_eq(tracee.thread->regs_state, REGS_PC_DIRTY);
	tracee_resume(&tracee, 0);
	do {
		tracee_stop(&tracee);
		regs = thread_regs(&tracee.table, tracee.thread);
		if (regs_pc(regs) != (addr_t)two_steps_over)
			tracee_resume(&tracee, 0);
	} while (regs_pc(regs) != (addr_t)two_steps_over);
	ck_assert_uint_eq(regs->gpr.rax, 1);
	ck_assert_uint_eq(regs->gpr.rcx, 2);
}
END_TEST

static void
stand_at(const char *code)
{
	struct regs regs;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	regs = *thread_regs(&tracee.table, tracee.thread);
	regs.gpr.rip = (addr_t)code;
	regs.gpr.rax = regs.gpr.rcx = 0;
	regs.gpr.orig_rax = (uint64_t)-1;
	thread_set_regs(tracee.thread, &regs);
}

START_TEST(a_nudge_is_one_instruction)
{
	const struct regs *regs;
	uint64_t mask, there[2];

	stand_at(two_steps);
	ck_assert_int_eq(thread_set_signal_mask(tracee.thread, BIT(SIGHUP)), 0);
	ck_assert_int_eq(thread_nudge(&tracee.table, tracee.thread,
				      (addr_t)note),
			 0);
	/* During the nudge, the thread's signals are blocked, and a note in the
	 * tracee's memory says so. */
	kill(tracee.pid, SIGUSR1);
	tracee_await(&tracee, STOP_STEP);
	regs = thread_regs(&tracee.table, tracee.thread);
	ck_assert_uint_eq(regs->gpr.rax, 1);
	ck_assert_uint_eq(regs->gpr.rcx, 0);
	ck_assert(!regs_stepping(regs));
	ck_assert_int_eq(thread_signal_mask(tracee.thread, &mask), 0);
	ck_assert_uint_eq(mask, BIT(SIGHUP));
	ck_assert_int_eq(space_read_raw(tracee.process->space, (addr_t)note,
					there, sizeof(there)),
			 0);
	ck_assert_uint_eq(there[0], 0);
	tracee_resume(&tracee, 0);
	ck_assert_int_eq(tracee_await(&tracee, STOP_SIGNAL).signal, SIGUSR1);
}
END_TEST

START_TEST(a_nudge_that_is_not_possible)
{
	struct regs regs;

	note[0] = 77; /* the note is in use for another thread */
	stand_at(two_steps);
	ck_assert_int_eq(thread_nudge(&tracee.table, tracee.thread,
				      (addr_t)note),
			 -EBUSY);
	ck_assert_int_eq(thread_nudge(&tracee.table, tracee.thread, 16),
			 -EFAULT);
	regs = *thread_regs(&tracee.table, tracee.thread);
	regs_set_stepping(&regs, true);
	thread_set_regs(tracee.thread, &regs);
	ck_assert_int_eq(thread_nudge(&tracee.table, tracee.thread, 0), -EBUSY);
}
END_TEST

/* The nudge would unblock a SIGTRAP that is pending, so it is refused. */
START_TEST(a_nudge_with_a_blocked_trap)
{
	uint64_t mask;

	stand_at(two_steps);
	ck_assert_int_eq(thread_set_signal_mask(tracee.thread, BIT(SIGTRAP)),
			 0);
	if (_i == 0)
		kill(tracee.pid, SIGTRAP);
	else
		syscall(SYS_tgkill, tracee.pid, tracee.pid, SIGTRAP);
	ck_assert_int_eq(thread_nudge(&tracee.table, tracee.thread, 0), -EBUSY);
	ck_assert(!tracee.thread->nudged);
	ck_assert_int_eq(thread_signal_mask(tracee.thread, &mask), 0);
	ck_assert_uint_eq(mask, BIT(SIGTRAP));
}
END_TEST

START_TEST(a_nudge_and_its_death)
{
	struct stop stop;

	stand_at(two_steps_over);
	tracee_kill(tracee.pid);
	/* The thread may end before or during the nudge. */
	if (thread_nudge(&tracee.table, tracee.thread, (addr_t)note) == 0) {
		ck_assert_int_eq(wait_thread(&tracee.table, tracee.thread,
					     &stop),
				 0);
		ck_assert_int_eq(stop.kind, STOP_GONE);
		ck_assert(!tracee.thread->nudged);
	}
}
END_TEST

/* ---- its signals -----------------------------------------------------------
 */

static void
fault(void)
{
	__asm__ volatile("movb $0, 16");
}

START_TEST(the_address_of_a_fault)
{
	siginfo_t info;

	tracee_start(&tracee, fault);
	ck_assert_int_eq(tracee_await(&tracee, STOP_SIGNAL).signal, SIGSEGV);
	thread_move_fault(tracee.thread, 17, 18);
	ck_assert_int_eq(thread_siginfo(tracee.thread, &info), 0);
	ck_assert_ptr_eq(info.si_addr, (void *)16);
	thread_move_fault(tracee.thread, 16, 18);
	ck_assert_int_eq(thread_siginfo(tracee.thread, &info), 0);
	ck_assert_ptr_eq(info.si_addr, (void *)18);
}
END_TEST

START_TEST(a_trap_that_comes)
{
	siginfo_t info;

	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	ck_assert_int_lt(thread_siginfo(tracee.thread, &info), 1);
	ck_assert(!thread_trap_comes(tracee.thread));
	ck_assert_int_eq(syscall(SYS_tgkill, tracee.pid, tracee.pid, SIGUSR1),
			 0);
	ck_assert(!thread_trap_comes(tracee.thread));
	ck_assert_int_eq(syscall(SYS_tgkill, tracee.pid, tracee.pid, SIGTRAP),
			 0);
	ck_assert(thread_trap_comes(tracee.thread));
	ck_assert(tracee.thread->trap_comes);
	ck_assert_int_eq(thread_set_signal_mask(tracee.thread, BIT(SIGTRAP)),
			 0);
	ck_assert(!tracee.thread->trap_comes);
	ck_assert(!thread_trap_comes(tracee.thread));
}
END_TEST

Suite *
remote_suite(void)
{
	Suite *suite = suite_create("process/remote");
	TCase *calls = tcase_create("calls"), *regs = tcase_create("registers");
	TCase *signals = tcase_create("signals");

	tcase_add_checked_fixture(calls, setup, teardown);
	tcase_add_test(calls, a_sleeping_thread_runs_injected_calls);
	tcase_add_test(calls, a_sleep_with_a_clock_is_continued);
	tcase_add_test(calls, a_stop_that_comes_meanwhile_comes_after);
	tcase_add_test(calls, an_interrupt_that_comes_meanwhile_comes_after);
	tcase_add_loop_test(calls, a_call_that_was_given_up_ends, 0, 3);
	tcase_add_test(calls, a_thread_that_ends_meanwhile_is_removed);
	tcase_add_test(calls, a_place_that_is_no_code);
	suite_add_tcase(suite, calls);
	tcase_add_checked_fixture(regs, NULL, teardown);
	tcase_add_test(regs, registers_are_stored_when_it_goes_on);
	tcase_add_test(regs, a_nudge_is_one_instruction);
	tcase_add_test(regs, a_nudge_that_is_not_possible);
	tcase_add_loop_test(regs, a_nudge_with_a_blocked_trap, 0, 2);
	tcase_add_test(regs, a_nudge_and_its_death);
	suite_add_tcase(suite, regs);
	tcase_add_checked_fixture(signals, NULL, teardown);
	tcase_add_test(signals, the_address_of_a_fault);
	tcase_add_test(signals, a_trap_that_comes);
	suite_add_tcase(suite, signals);
	return suite;
}
