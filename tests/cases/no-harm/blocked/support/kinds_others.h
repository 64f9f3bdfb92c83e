/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of calls that wait for signals, children and locks; rings. */
#ifndef BLOCKED_KINDS_OTHERS_H
#define BLOCKED_KINDS_OTHERS_H

#include "spot.h"
#include <linux/aio_abi.h>
#include <linux/io_uring.h>
#include <sched.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/wait.h>

/* ---- signals and children ------------------------------------------------ */

static long
wait_for_signal(const struct timespec *limit)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return limit ? sigtimedwait(&set, 0, limit) : sigwaitinfo(&set, 0);
}

static long
in_sigtimedwait(struct spot *s)
{
	(void)s;
	return wait_for_signal(&span);
}

static long
in_sigwaitinfo(struct spot *s)
{
	(void)s;
	return wait_for_signal(0) - SIGRTMIN;
}

static long
in_sigsuspend(struct spot *s)
{
	sigset_t all_but_one;

	(void)s;
	sigfillset(&all_but_one);
	sigdelset(&all_but_one, SIGUSR1);
	return sigsuspend(&all_but_one);
}

static long
in_pause(struct spot *s)
{
	(void)s;
	return pause();
}

static long
in_waitpid(struct spot *s)
{
	int status;

	return waitpid(s->child, &status, __WALL) == s->child ? status - (7 << 8)
							 : -1;
}

static long
in_waitid(struct spot *s)
{
	siginfo_t info;

	return waitid(P_PID, (id_t)s->child, &info, WEXITED | __WALL) == 0
		       ? info.si_status - 7
		       : -1;
}

static int
sleep_and_exit(void *unused)
{
	(void)unused;
	syscall(SYS_nanosleep, &span, 0);
	_exit(7);
}

/*
 * Like vfork(), but the child gets no copies of the other threads' descriptors.
 */
static long
in_vfork(struct spot *s)
{
	s->child = clone(sleep_and_exit, s->bytes + 65536,
			 CLONE_VM | CLONE_VFORK | CLONE_FILES, 0);
	return in_waitpid(s);
}

/* ---- locks --------------------------------------------------------------- */

static void
make_lock(struct spot *s)
{
	snprintf(s->bytes, 64, "lock.%d", s->id);
	s->fd[0] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->fd[1] = open(s->bytes, O_RDWR | O_CREAT, 0600);
}

static void
make_flocked(struct spot *s)
{
	make_lock(s);
	must(flock(s->fd[1], LOCK_EX) == 0, "flock");
}

static long
in_flock(struct spot *s)
{
	return flock(s->fd[0], LOCK_EX);
}

static void
unflock(struct spot *s)
{
	flock(s->fd[1], LOCK_UN);
}

static int
lock(int fd, int command, int type)
{
	struct flock region = { .l_type = (short)type };

	return fcntl(fd, command, &region);
}

static void
make_ofd_locked(struct spot *s)
{
	make_lock(s);
	must(lock(s->fd[1], F_OFD_SETLK, F_WRLCK) == 0, "F_OFD_SETLK");
}

static long
in_ofd_lock(struct spot *s)
{
	return lock(s->fd[0], F_OFD_SETLKW, F_WRLCK);
}

static void
ofd_unlock(struct spot *s)
{
	lock(s->fd[1], F_OFD_SETLK, F_UNLCK);
}

/*
 * A POSIX lock belongs to a process, so a child takes the lock, and holds it
 * until the child is woken.
 */
static void
make_posix_locked(struct spot *s)
{
	int locked[2];
	char byte;

	make_pipe(s);
	must(pipe(locked) == 0, "pipe");
	snprintf(s->bytes, 64, "lock.%d", s->id);
	s->fd[2] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->child = quiet_fork();
	if (!s->child) {
		if (lock(s->fd[2], F_SETLK, F_WRLCK) < 0 ||
		    write(locked[1], "x", 1) != 1)
			_exit(8);
		_exit(read(s->fd[0], &byte, 1) == 1 ? 7 : 9);
	}
	must(read(locked[0], &byte, 1) == 1, "lock");
}

static long
in_posix_lock(struct spot *s)
{
	return lock(s->fd[2], F_SETLKW, F_WRLCK);
}

/* ---- rings --------------------------------------------------------------- */

static void
make_aio(struct spot *s)
{
	aio_context_t context = 0;

	if (syscall(SYS_io_setup, 1, &context) < 0)
		context = 0;
	memcpy(s->bytes, &context, sizeof(context));
}

static long
in_io_getevents(struct spot *s)
{
	struct io_event event;
	aio_context_t context;

	memcpy(&context, s->bytes, sizeof(context));
	return syscall(SYS_io_getevents, context, 1, 1, &event, &span);
}

/* An AIO context with one request in it, a timeout. */
static void
make_ring(struct spot *s)
{
	struct io_uring_params p = { 0 };
	struct io_uring_sqe *sqes;
	char *ring;

	s->fd[0] = (int)syscall(SYS_io_uring_setup, 4, &p);
	if (s->fd[0] < 0)
		return;
	ring = mmap(0, p.sq_off.array + p.sq_entries * sizeof(uint32_t),
		    PROT_READ | PROT_WRITE, MAP_SHARED, s->fd[0],
		    IORING_OFF_SQ_RING);
	sqes = mmap(0, p.sq_entries * sizeof(*sqes), PROT_READ | PROT_WRITE,
		    MAP_SHARED, s->fd[0], IORING_OFF_SQES);
	memset(sqes, 0, sizeof(*sqes));
	memcpy(s->bytes, &span, sizeof(span));
	sqes->opcode = IORING_OP_TIMEOUT;
	sqes->addr = (uint64_t)(uintptr_t)s->bytes;
	sqes->len = 1;
	((uint32_t *)(ring + p.sq_off.array))[0] = 0;
	__atomic_store_n((uint32_t *)(ring + p.sq_off.tail), 1,
			 __ATOMIC_RELEASE);
}

static long
in_io_uring(struct spot *s)
{
	return syscall(SYS_io_uring_enter, s->fd[0], 1, 1,
		       IORING_ENTER_GETEVENTS, 0, 0);
}

static long
in_io_uring_wait(struct spot *s)
{
	syscall(SYS_io_uring_enter, s->fd[0], 1, 0, 0, 0, 0);
	return syscall(SYS_io_uring_enter, s->fd[0], 0, 1,
		       IORING_ENTER_GETEVENTS, 0, 0);
}

#endif
