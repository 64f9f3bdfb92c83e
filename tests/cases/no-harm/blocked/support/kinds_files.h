/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of calls that read, write and open. */
#ifndef BLOCKED_KINDS_FILES_H
#define BLOCKED_KINDS_FILES_H

#include "spot.h"
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/uio.h>

static long
in_read(struct spot *s)
{
	return read(s->fd[0], s->bytes, 10);
}

static long
in_readv(struct spot *s)
{
	struct iovec parts[2] = { { s->bytes, 1 }, { s->bytes + 1, 5 } };

	return readv(s->fd[0], parts, 2);
}

static long
in_write(struct spot *s)
{
	return write(s->fd[1], s->bytes, 4096);
}

/* The pipe has already taken a part of the bytes when this call blocks. */
static long
in_long_write(struct spot *s)
{
	return write(s->fd[1], s->bytes, sizeof(s->bytes));
}

static void
drain_long_write(struct spot *s)
{
	drain(s->fd[0], sizeof(s->bytes));
}

static void
make_fifo(struct spot *s)
{
	snprintf(s->bytes, 64, "fifo.%d", s->id);
	unlink(s->bytes);
	must(mkfifo(s->bytes, 0600) == 0, "mkfifo");
}

static long
in_open(struct spot *s)
{
	return open(s->bytes, O_RDONLY) >= 0 ? 0 : -1;
}

static void
open_fifo(struct spot *s)
{
	must(open(s->bytes, O_WRONLY) >= 0, "fifo");
}

static void
make_tty(struct spot *s)
{
	s->fd[1] = posix_openpt(O_RDWR | O_NOCTTY);
	must(s->fd[1] >= 0 && grantpt(s->fd[1]) == 0 && unlockpt(s->fd[1]) == 0,
	     "pty");
	s->fd[0] = open(ptsname(s->fd[1]), O_RDWR | O_NOCTTY);
}

static void
type_line(struct spot *s)
{
	must(write(s->fd[1], "\n", 1) == 1, "tty");
}

static void
make_pipes(struct spot *s)
{
	int other[2];

	make_pipe(s);
	must(pipe(other) == 0, "pipe");
	s->fd[2] = other[1];
}

static long
in_splice(struct spot *s)
{
	return splice(s->fd[0], 0, s->fd[2], 0, 10, 0);
}

static long
in_tee(struct spot *s)
{
	return tee(s->fd[0], s->fd[2], 10, 0);
}

static long
in_vmsplice(struct spot *s)
{
	struct iovec part = { s->bytes, 4096 };

	return vmsplice(s->fd[1], &part, 1, 0);
}

static void
make_inotify(struct spot *s)
{
	snprintf(s->bytes, 64, "watched.%d", s->id);
	s->fd[1] = open(s->bytes, O_RDWR | O_CREAT, 0600);
	s->fd[0] = inotify_init();
	must(inotify_add_watch(s->fd[0], s->bytes, IN_MODIFY) >= 0, "watch");
}

static long
in_inotify(struct spot *s)
{
	return read(s->fd[0], s->bytes, 4096) > 0 ? 0 : -1;
}

static void
make_eventfd(struct spot *s)
{
	s->fd[0] = s->fd[1] = eventfd(0, 0);
}

static long
in_counter(struct spot *s)
{
	return read(s->fd[0], s->bytes, 8);
}

static void
give_event(struct spot *s)
{
	uint64_t one = 1;

	must(write(s->fd[1], &one, 8) == 8, "eventfd");
}

static void
make_timerfd(struct spot *s)
{
	s->fd[0] = timerfd_create(CLOCK_MONOTONIC, 0);
}

static long
in_timerfd(struct spot *s)
{
	struct itimerspec time = { .it_value = span };

	timerfd_settime(s->fd[0], 0, &time, 0);
	return in_counter(s);
}

static void
make_signalfd(struct spot *s)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	s->fd[0] = signalfd(-1, &set, 0);
}

static long
in_signalfd(struct spot *s)
{
	return read(s->fd[0], s->bytes, 128) == 128 ? 0 : -1;
}

static void
signal_reader(struct spot *s)
{
	pthread_kill(s->thread, SIGRTMIN + 1);
}

#endif
