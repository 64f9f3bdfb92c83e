/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An interrupted system call returns, inside the kernel, one of four errors
 * that no program sees (include/linux/errno.h). The kernel then repeats the
 * call, or continues it with restart_syscall(2) until its time limit. Other
 * calls return EINTR (signal(7), "Interruption of system calls by stop
 * signals", and our measurements), and some have done a part of their work by
 * then: none of these is in the tables below. Of calls that behave differently
 * with different arguments, only the restartable uses are here.
 *
 * epoll_wait(2) returns EINTR, which thread_mend_interrupted() turns into a
 * restart. This is correct if the call has no time limit, because a limit would
 * begin again.
 */
#include "process/restart.h"

#include "arch/syscall.h"
#include "base/clock.h"
#include "process/regs.h"
#include "process/socket_wait.h"

#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* An address at most this many bytes above the stack pointer is taken to be on
 * the stack. */
#define STACK_NEAR 4096u

#define PATIENCE_NS (2 * CLOCK_SECOND)

/* Files, by their links in /proc/PID/fd, from which an interrupted read has
 * taken nothing. */
static const char *const readable[] = { "pipe:[", "/dev/pts/", "/dev/tty" };

static bool
reads_unseen(pid_t tid, uint64_t fd)
{
	char path[64], target[64] = "";

	snprintf(path, sizeof(path), "/proc/%d/fd/%d", tid, (int)fd);
	if (readlink(path, target, sizeof(target) - 1) < 0)
		return false;
	for (size_t i = 0; i < sizeof(readable) / sizeof(readable[0]); i++) {
		if (!strncmp(target, readable[i], strlen(readable[i])))
			return true;
	}
	return !strncmp(target, "socket:[", strlen("socket:[")) &&
	       socket_waits_plainly(tid, (int)fd);
}

/* True if an interrupted read of the socket has taken nothing. With MSG_WAITALL
 * it may have taken a part. */
static bool
receives_unseen(pid_t tid, uint64_t fd, uint64_t flags)
{
	return !(flags & MSG_WAITALL) && socket_waits_plainly(tid, (int)fd);
}

/*
 * The kernel writes the rest of the time limit where the limit was, and repeats
 * the call with it; if it cannot write there, the call returns EINTR
 * (fs/select.c, poll_select_finish). The C library has the limit on its stack.
 */
static bool
selects_unseen(const struct blocked *blocked, uint64_t limit)
{
	return limit == 0 || (limit >= (uint64_t)blocked->sp &&
			      limit - (uint64_t)blocked->sp < STACK_NEAR);
}

static bool
waits_only(uint64_t operation)
{
	int command = (int)operation & FUTEX_CMD_MASK;

	return command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET;
}

/*
 * A seccomp policy also judges restart_syscall(2) and need not allow it. The
 * policy of a running thread cannot be read.
 */
static bool
resumable(pid_t tid)
{
	struct status status;

	return status_read(tid, &status) == 0 && !status.seccomp;
}

bool
restart_unseen(pid_t tid, const struct blocked *blocked)
{
	switch (blocked->number) {
	case SYS_nanosleep:
	case SYS_clock_nanosleep:
	case SYS_poll:
	/*
	 * restart_syscall() continues one of these calls, or futex(), that was
	 * interrupted before.
	 */
	case SYS_restart_syscall:
		return resumable(tid);
	case SYS_pause:
	case SYS_wait4:
	case SYS_waitid:
		return true;
	case SYS_futex:
		return waits_only(blocked->arguments[1]) &&
		       (!blocked->arguments[3] || resumable(tid));
	case SYS_epoll_wait:
	case SYS_epoll_pwait:
		return (int)blocked->arguments[3] == -1;
	case SYS_read:
		return reads_unseen(tid, blocked->arguments[0]);
	case SYS_accept:
	case SYS_accept4:
		return socket_waits_plainly(tid, (int)blocked->arguments[0]);
	case SYS_recvfrom:
		return receives_unseen(tid, blocked->arguments[0],
				       blocked->arguments[3]);
	case SYS_recvmsg:
		return receives_unseen(tid, blocked->arguments[0],
				       blocked->arguments[2]);
	case SYS_select:
	case SYS_pselect6:
		return selects_unseen(blocked, blocked->arguments[4]);
	case SYS_ppoll:
		return selects_unseen(blocked, blocked->arguments[2]);
	default:
		return false;
	}
}

/* Signals that by default have no effect on a running thread (signal(7)). */
static bool
passes_by_default(int signal)
{
	return signal == SIGCHLD || signal == SIGURG || signal == SIGWINCH ||
	       signal == SIGCONT;
}

static bool
ignores(const struct status *status, int signal)
{
	uint64_t bit = SIGNAL_BIT(signal);

	return status->ignored & bit ||
	       (!(status->caught & bit) && passes_by_default(signal));
}

/*
 * When a call is repeated, its time limit begins again. If ignored signals came
 * all the time, the call would never end. Therefore the program gets EINTR when
 * the same call has been repeated for PATIENCE_NS.
 */
static bool
patient(struct thread *thread, addr_t sp)
{
	uint64_t now = clock_now();

	if (thread->mended_sp == sp)
		return now - thread->mended_since < PATIENCE_NS;
	thread->mended_sp = sp;
	thread->mended_since = now;
	return true;
}

void
restart_if_ignored(struct table *table, struct thread *thread, int signal)
{
	const struct regs *regs = thread_regs(table, thread);
	struct status status;

	if (!regs || !thread_interrupted(thread, regs) ||
	    status_read(thread->tid, &status) < 0 || !ignores(&status, signal))
		return;
	if (patient(thread, regs_sp(regs)))
		thread_mend_interrupted(table, thread);
	else
		thread->mended_sp = 0;
}
