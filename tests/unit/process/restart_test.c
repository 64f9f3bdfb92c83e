/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which calls can be interrupted unnoticed, and observations of threads that
 * are not stopped. */
#include "process/restart.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "base/attr.h"
#include "process/observation.h"
#include "process/regs.h"
#include "process/space.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum unseen {
	NEVER,
	ALWAYS,
	UNCONFINED, /* only if no seccomp policy judges restart_syscall(2) */
};

struct row {
	long number;
	uint64_t arguments[4];
	enum unseen unseen;
};

static const struct row rows[] = {
	{ SYS_nanosleep, { 0 }, UNCONFINED },
	{ SYS_clock_nanosleep, { 0 }, UNCONFINED },
	{ SYS_poll, { 0 }, UNCONFINED },
	{ SYS_restart_syscall, { 0 }, UNCONFINED },
	{ SYS_pause, { 0 }, ALWAYS },
	{ SYS_wait4, { 0 }, ALWAYS },
	{ SYS_waitid, { 0 }, ALWAYS },
	{ SYS_futex, { 1, FUTEX_WAIT, 0, 0 }, ALWAYS },
	{ SYS_futex, { 1, FUTEX_WAIT_BITSET_PRIVATE, 0, 0 }, ALWAYS },
	{ SYS_futex, { 1, FUTEX_WAIT_PRIVATE, 0, 0x1000 }, UNCONFINED },
	{ SYS_futex, { 1, FUTEX_LOCK_PI, 0, 0 }, NEVER },
	{ SYS_epoll_wait, { 3, 0, 1, UINT32_MAX }, ALWAYS },
	{ SYS_epoll_pwait, { 3, 0, 1, UINT32_MAX }, ALWAYS },
	{ SYS_epoll_wait, { 3, 0, 1, 1000 }, NEVER },
	{ SYS_select, { 0 }, ALWAYS },
	{ SYS_ppoll, { 0 }, ALWAYS },
	{ SYS_ppoll, { 0, 0, UINT32_MAX }, NEVER },
	/* the descriptor is no socket */
	{ SYS_recvfrom, { UINT32_MAX }, NEVER },
	{ SYS_accept, { UINT32_MAX }, NEVER },
	{ -1, { 0 }, NEVER },
};

START_TEST(one_call)
{
	struct blocked blocked = { .number = rows[_i].number };
	bool unseen = rows[_i].unseen != NEVER;
	struct status status;

	ck_assert_int_eq(status_read(getpid(), &status), 0);
	if (rows[_i].unseen == UNCONFINED)
		unseen = !status.seccomp;

	for (int i = 0; i < 4; i++)
		blocked.arguments[i] = rows[_i].arguments[i];
	ck_assert_msg(restart_unseen(getpid(), &blocked) == unseen, "row %d",
		      _i);
	/* The policy of a thread that does not exist is unknown. */
	if (rows[_i].unseen == UNCONFINED)
		ck_assert(!restart_unseen(5000000, &blocked));
}
END_TEST

START_TEST(reads_of_some_files)
{
	struct blocked blocked = { .number = SYS_read };
	int ends[2], file = open("/proc/self/exe", O_RDONLY);

	ck_assert_int_eq(pipe(ends), 0);
	blocked.arguments[0] = (uint64_t)ends[0];
	ck_assert(restart_unseen(getpid(), &blocked));
	blocked.arguments[0] = (uint64_t)file;
	ck_assert(!restart_unseen(getpid(), &blocked));
	blocked.arguments[0] = 1000000;
	ck_assert(!restart_unseen(getpid(), &blocked));
}
END_TEST

START_TEST(limits_on_the_stack)
{
	static const struct {
		long number;
		int at; /* the index of the argument */
	} calls[] = { { SYS_select, 4 },
		      { SYS_pselect6, 4 },
		      { SYS_ppoll, 2 } };
	const uint64_t sp = 0x7ffc00001000;

	for (size_t i = 0; i < array_size(calls); i++) {
		struct blocked blocked = { .number = calls[i].number,
					   .sp = (addr_t){ sp } };
		uint64_t *limit = &blocked.arguments[calls[i].at];

		*limit = sp + 64;
		ck_assert(restart_unseen(getpid(), &blocked));
		*limit = sp - 64;
		ck_assert(!restart_unseen(getpid(), &blocked));
		*limit = sp + 64000;
		ck_assert(!restart_unseen(getpid(), &blocked));
	}
}
END_TEST

static const struct {
	int domain, type;
	int option, value; /* an option of SOL_SOCKET, and its value */
	bool plain;
} sockets[] = {
	{ AF_UNIX, SOCK_STREAM, 0, 0, true },
	{ AF_UNIX, SOCK_SEQPACKET, 0, 0, true },
	{ AF_UNIX, SOCK_DGRAM, 0, 0, true },
	{ AF_INET, SOCK_STREAM, 0, 0, true },
	{ AF_INET, SOCK_DGRAM, 0, 0, true },
	{ AF_INET6, SOCK_STREAM, 0, 0, true },
	{ AF_NETLINK, SOCK_RAW, 0, 0, false },
	{ AF_UNIX, SOCK_STREAM, SO_RCVTIMEO, 1, false },
	{ AF_INET, SOCK_STREAM, SO_RCVTIMEO, 1, false },
	{ AF_INET, SOCK_STREAM, SO_RCVLOWAT, 2, false },
};

static void
set_option(int fd, int option, int value)
{
	const struct timeval time = { .tv_sec = value };

	if (option == SO_RCVTIMEO)
		ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, option, &time,
					    sizeof(time)),
				 0);
	else if (option)
		ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, option, &value,
					    sizeof(value)),
				 0);
}

START_TEST(waits_at_sockets)
{
	static const long numbers[] = { SYS_read, SYS_accept, SYS_accept4,
					SYS_recvfrom, SYS_recvmsg };
	const int fd = socket(sockets[_i].domain, sockets[_i].type, 0);
	struct blocked blocked = { 0 };

	ck_assert_int_ge(fd, 0);
	set_option(fd, sockets[_i].option, sockets[_i].value);
	blocked.arguments[0] = (uint64_t)fd;
	for (size_t i = 0; i < array_size(numbers); i++) {
		blocked.number = numbers[i];
		ck_assert_msg(restart_unseen(getpid(), &blocked) ==
				      sockets[_i].plain,
			      "row %d, call %ld", _i, numbers[i]);
	}
	/* With MSG_WAITALL, a part of the data may have been received
	 * already. */
	blocked.number = SYS_recvfrom;
	blocked.arguments[3] = MSG_WAITALL;
	ck_assert(!restart_unseen(getpid(), &blocked));
	blocked.number = SYS_recvmsg;
	blocked.arguments[2] = MSG_WAITALL;
	ck_assert(!restart_unseen(getpid(), &blocked));
	close(fd);
}
END_TEST

/* ---- a signal that is ignored ----------------------------------------------
 */

static struct tracee tracee;

static void
nothing(int signal)
{
	(void)signal;
}

static void
wait_for_events(void)
{
	struct epoll_event event;
	int fd = epoll_create1(0);

	signal(SIGUSR1, SIG_IGN);
	signal(SIGUSR2, nothing);
	for (;;)
		epoll_wait(fd, &event, 1, -1);
}

static void
teardown(void)
{
	tracee_end(&tracee);
}

/* Interrupts the thread's system call by this signal. Returns the call's result
 * as it is at the stop for the signal. */
static int64_t
result_after(int signal)
{
	kill(tracee.pid, signal);
	ck_assert_int_eq(tracee_await(&tracee, STOP_SIGNAL).signal, signal);
	ck_assert_int_eq(
		(int64_t)thread_regs(&tracee.table, tracee.thread)->gpr.rax,
		-EINTR);
	restart_if_ignored(&tracee.table, tracee.thread, signal);
	return (int64_t)thread_regs(&tracee.table, tracee.thread)->gpr.rax;
}

/* include/linux/errno.h */
#define ERESTARTNOHAND 514

START_TEST(the_call_is_made_again)
{
	tracee_start(&tracee, wait_for_events);
	tracee_await_blocked(tracee.pid, SYS_epoll_wait);
	ck_assert_int_eq(result_after(SIGUSR1), -ERESTARTNOHAND);
	tracee_resume(&tracee, SIGUSR1);
	tracee_await_blocked(tracee.pid, SYS_epoll_wait);
	/* SIGWINCH is ignored by default. */
	ck_assert_int_eq(result_after(SIGWINCH), -ERESTARTNOHAND);
	tracee_resume(&tracee, SIGWINCH);
	tracee_await_blocked(tracee.pid, SYS_epoll_wait);
	/* If ignored signals have interrupted the call for two seconds, the
	 * program gets EINTR. */
	tracee.thread->mended_since -= UINT64_C(3000000000);
	ck_assert_int_eq(result_after(SIGUSR1), -EINTR);
	ck_assert_uint_eq(tracee.thread->mended_sp, 0);
	tracee_resume(&tracee, SIGUSR1);
	tracee_await_blocked(tracee.pid, SYS_epoll_wait);
	/* SIGUSR2 has a handler, so the call ends with EINTR. */
	ck_assert_int_eq(result_after(SIGUSR2), -EINTR);
}
END_TEST

START_TEST(a_call_that_did_not_end_so_is_left)
{
	struct regs regs;

	tracee_start(&tracee, tracee_pause);
	tracee_await_blocked(tracee.pid, SYS_pause);
	tracee_stop(&tracee);
	regs = *thread_regs(&tracee.table, tracee.thread);
	restart_if_ignored(&tracee.table, tracee.thread, SIGCHLD);
	ck_assert_mem_eq(&regs, thread_regs(&tracee.table, tracee.thread),
			 sizeof(regs));
	/*
	 * After EINTR, close(2) has closed the descriptor, so it must not be
	 * restarted.
	 */
	regs.gpr.orig_rax = SYS_close;
	regs.gpr.rax = (uint64_t)-EINTR;
	thread_set_regs(tracee.thread, &regs);
	thread_mend_interrupted(&tracee.table, tracee.thread);
	ck_assert_int_eq((int64_t)tracee.thread->regs.gpr.rax, -EINTR);
	regs.gpr.orig_rax = UINT64_MAX;
	thread_set_regs(tracee.thread, &regs);
	thread_mend_interrupted(&tracee.table, tracee.thread);
	ck_assert_int_eq((int64_t)tracee.thread->regs.gpr.rax, -EINTR);
}
END_TEST

/* ---- calls of i386 by a 64-bit program -----------------------------------
 */

enum { I386_READ = 3, I386_CLOSE = 6, I386_GETPID = 20, I386_PAUSE = 29 };

static long
call_as_i386(long number)
{
	long result;

	__asm__ volatile("int $0x80"
			 : "=a"(result)
			 : "0"(number)
			 : "memory", "r8", "r9", "r10", "r11");
	return result;
}

static void
pause_as_i386(void)
{
	for (;;)
		call_as_i386(I386_PAUSE);
}

/* Without CONFIG_IA32_EMULATION, int $0x80 is a fault. */
static bool
has_calls_of_i386(void)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0)
		_exit(call_as_i386(I386_GETPID) > 0 ? 0 : 1);
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status == 0;
}

/* The numbers of i386 are other calls for the program itself: its read(2) is
 * 3, which is close(2) of x86-64. */
START_TEST(a_call_of_i386_has_its_own_number)
{
	static const struct {
		uint64_t number;
		int64_t result;
	} calls[] = {
		{ I386_READ, -ERESTARTNOHAND },
		{ I386_CLOSE, -EINTR },
	};
	struct regs regs;

	if (!has_calls_of_i386())
		return;
	tracee_start(&tracee, pause_as_i386);
	tracee_await_blocked(tracee.pid, I386_PAUSE);
	tracee_stop(&tracee);
	regs = *thread_regs(&tracee.table, tracee.thread);
	for (size_t i = 0; i < array_size(calls); i++) {
		struct regs ended = regs;

		ended.gpr.orig_rax = calls[i].number;
		ended.gpr.rax = (uint64_t)-EINTR;
		thread_set_regs(tracee.thread, &ended);
		thread_mend_interrupted(&tracee.table, tracee.thread);
		ck_assert_int_eq((int64_t)tracee.thread->regs.gpr.rax,
				 calls[i].result);
	}
	thread_set_regs(tracee.thread, &regs);
}
END_TEST

/* ---- observations
 * --------------------------------------------------------------
 */

START_TEST(an_observation_of_a_blocked_thread)
{
	struct observation seen;
	struct space *space;
	const struct regs *regs;

	tracee_start(&tracee, tracee_pause);
	space = tracee.process->space;
	tracee_await_blocked(tracee.pid, SYS_pause);
	ck_assert_int_eq(observation_take(tracee.pid, tracee.pid, space, &seen),
			 0);
	ck_assert(seen.blocked && !seen.stopped);
	ck_assert_int_eq(seen.at.number, SYS_pause);
	ck_assert(observation_holds(tracee.pid, tracee.pid, &seen));
	ck_assert(observation_may_stop(tracee.pid, &seen));
	tracee_stop(&tracee);
	regs = thread_regs(&tracee.table, tracee.thread);
	ck_assert_uint_eq(regs_pc(regs), regs_pc(&seen.regs));
	ck_assert_uint_eq(regs_sp(regs), regs_sp(&seen.regs));
	ck_assert_uint_eq(regs_thread_pointer(regs),
			  regs_thread_pointer(&seen.regs));
	tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, SYS_pause);
	/* The thread has run since the observation. */
	ck_assert(!observation_holds(tracee.pid, tracee.pid, &seen));
	ck_assert_int_lt(observation_take(5000000, 5000000, space, &seen), 0);
	ck_assert(!observation_holds(5000000, 5000000, &seen));
}
END_TEST

static void
spin(void)
{
	for (;;)
		__asm__ volatile("pause");
}

START_TEST(an_observation_of_a_running_thread)
{
	struct observation seen;

	tracee_start(&tracee, spin);
	/*
	 * The thread may be waiting for a CPU. The kernel then shows its
	 * registers.
	 */
	do {
		ck_assert_int_eq(observation_take(tracee.pid, tracee.pid,
						  tracee.process->space, &seen),
				 0);
	} while (seen.blocked);
	ck_assert(!observation_holds(tracee.pid, tracee.pid, &seen));
}
END_TEST

Suite *
restart_suite(void)
{
	Suite *suite = suite_create("process/restart");
	TCase *pure = tcase_create("calls"), *live = tcase_create("stops");

	tcase_add_loop_test(pure, one_call, 0, array_size(rows));
	tcase_add_test(pure, reads_of_some_files);
	tcase_add_test(pure, limits_on_the_stack);
	tcase_add_loop_test(pure, waits_at_sockets, 0, array_size(sockets));
	suite_add_tcase(suite, pure);
	tcase_add_checked_fixture(live, NULL, teardown);
	tcase_add_test(live, the_call_is_made_again);
	tcase_add_test(live, a_call_that_did_not_end_so_is_left);
	tcase_add_test(live, a_call_of_i386_has_its_own_number);
	tcase_add_test(live, an_observation_of_a_blocked_thread);
	tcase_add_test(live, an_observation_of_a_running_thread);
	suite_add_tcase(suite, live);
	return suite;
}
