/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of calls that sleep or wait for readiness, and futexes. */
#ifndef BLOCKED_KINDS_WAITS_H
#define BLOCKED_KINDS_WAITS_H

#include "spot.h"
#include <linux/futex.h>
#include <poll.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>

/* ---- sleeping and waiting for readiness ---------------------------------- */

static long
in_nanosleep(struct spot *s)
{
	(void)s;
	return nanosleep(&span, 0);
}

static long
in_clock_nanosleep(struct spot *s)
{
	(void)s;
	return clock_nanosleep(CLOCK_MONOTONIC, 0, &span, 0);
}

static long
in_clock_nanosleep_until(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	(void)s;
	return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, 0);
}

static long
poll_for(int fd, int limit)
{
	struct pollfd one = { .fd = fd, .events = POLLIN };

	return poll(&one, 1, limit);
}

static long
in_poll(struct spot *s)
{
	return poll_for(s->fd[0], span_ms);
}

static long
in_poll_for_good(struct spot *s)
{
	return poll_for(s->fd[0], -1);
}

static void
make_pidfd(struct spot *s)
{
	make_child(s);
	s->fd[2] = (int)syscall(SYS_pidfd_open, s->child, 0);
}

static long
in_poll_pidfd(struct spot *s)
{
	return poll_for(s->fd[2], -1);
}

static long
in_ppoll(struct spot *s)
{
	struct pollfd one = { .fd = s->fd[0], .events = POLLIN };

	return ppoll(&one, 1, &span, 0);
}

/* The kernel cannot store the remaining time in the limit. If the call is
 * interrupted, it therefore fails with EINTR and is not restarted. */
static void
make_read_only(struct spot *s)
{
	const int flags = MAP_PRIVATE | MAP_ANONYMOUS;

	make_pipe(s);
	s->limit = mmap(0, 4096, PROT_READ | PROT_WRITE, flags, -1, 0);
	must(s->limit != MAP_FAILED, "mmap");
	memcpy(s->limit, &span, sizeof(span));
	must(mprotect(s->limit, 4096, PROT_READ) == 0, "mprotect");
}

static long
in_ppoll_read_only(struct spot *s)
{
	struct pollfd one = { .fd = s->fd[0], .events = POLLIN };

	return syscall(SYS_ppoll, &one, 1, s->limit, 0, 8);
}

static long
in_select(struct spot *s)
{
	struct timeval time = span_us;
	fd_set set;

	FD_ZERO(&set);
	FD_SET(s->fd[0], &set);
	return select(s->fd[0] + 1, &set, 0, 0, &time);
}

static long
in_pselect(struct spot *s)
{
	sigset_t none;
	fd_set set;

	sigemptyset(&none);
	FD_ZERO(&set);
	FD_SET(s->fd[0], &set);
	return pselect(s->fd[0] + 1, &set, 0, 0, &span, &none);
}

static void
make_epoll(struct spot *s)
{
	struct epoll_event event = { .events = EPOLLIN };

	make_pipe(s);
	s->fd[2] = epoll_create1(0);
	epoll_ctl(s->fd[2], EPOLL_CTL_ADD, s->fd[0], &event);
}

static long
in_epoll_wait(struct spot *s)
{
	struct epoll_event event;

	return epoll_wait(s->fd[2], &event, 1, span_ms);
}

static long
in_epoll_wait_for_good(struct spot *s)
{
	struct epoll_event event;

	return epoll_wait(s->fd[2], &event, 1, -1);
}

static long
in_epoll_pwait(struct spot *s)
{
	struct epoll_event event;
	sigset_t none;

	sigemptyset(&none);
	return epoll_pwait(s->fd[2], &event, 1, span_ms, &none);
}

static long
in_epoll_pwait2(struct spot *s)
{
	struct epoll_event event;

	return epoll_pwait2(s->fd[2], &event, 1, &span, 0);
}

/* ---- futexes ------------------------------------------------------------- */

/* The call that takes the struct timespec of this program. With 64-bit times, a
 * 32-bit program's SYS_futex would read the seconds of an absolute time, and
 * their upper half as nanoseconds. */
#if defined(__i386__) && defined(__USE_TIME_BITS64)
#define TIMED_FUTEX SYS_futex_time64
#else
#define TIMED_FUTEX SYS_futex
#endif

static long
in_futex(struct spot *s)
{
	return syscall(TIMED_FUTEX, &s->word, FUTEX_WAIT_PRIVATE, 0, &span, 0,
		       0);
}

static long
in_futex_bitset(struct spot *s)
{
	struct timespec until = after_span(CLOCK_MONOTONIC);

	return syscall(TIMED_FUTEX, &s->word, FUTEX_WAIT_BITSET_PRIVATE, 0,
		       &until, 0, FUTEX_BITSET_MATCH_ANY);
}

static long
in_futex_for_good(struct spot *s)
{
	return syscall(SYS_futex, &s->word, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0);
}

static void
wake_futex(struct spot *s)
{
	s->word = 1;
	syscall(SYS_futex, &s->word, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}

/* The headers do not have futex_waitv(2) yet. */
static long
in_futex_waitv(struct spot *s)
{
	struct timespec until = after_span(CLOCK_MONOTONIC);
	struct {
		uint64_t value, address;
		uint32_t flags, reserved;
	} waiter = { 0, (uint64_t)(uintptr_t)&s->word, 2 | 128, 0 };

	return syscall(449, &waiter, 1, 0, &until, CLOCK_MONOTONIC);
}

static long
in_cond_timedwait(struct spot *s)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	struct timespec until = after_span(CLOCK_REALTIME);

	(void)s;
	pthread_mutex_lock(&mutex);
	errno = pthread_cond_timedwait(&cond, &mutex, &until);
	return errno ? -1 : 0;
}

#endif
