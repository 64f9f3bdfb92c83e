/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Kinds of calls on messages and semaphores, of System V and of POSIX. */
#ifndef BLOCKED_KINDS_MESSAGES_H
#define BLOCKED_KINDS_MESSAGES_H

#include "spot.h"
#include <mqueue.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

static void
make_queue(struct spot *s)
{
	s->id = msgget(IPC_PRIVATE, 0600);
	must(s->id >= 0, "msgget");
}

static long
remove_queue(struct spot *s, long result)
{
	int error = errno;

	msgctl(s->id, IPC_RMID, 0);
	errno = error;
	return result;
}

static long
in_msgrcv(struct spot *s)
{
	return remove_queue(s, msgrcv(s->id, s->bytes, 10, 0, 0));
}

static void
send_message(struct spot *s)
{
	long message[2] = { 1, 2 };

	must(msgsnd(s->id, message, 8, 0) == 0, "msgsnd");
}

static void
make_full_queue(struct spot *s)
{
	make_queue(s);
	*(long *)s->bytes = 1;
	while (msgsnd(s->id, s->bytes, 4000, IPC_NOWAIT) == 0)
		;
}

static long
in_msgsnd(struct spot *s)
{
	return remove_queue(s, msgsnd(s->id, s->bytes, 4000, 0));
}

static void
take_message(struct spot *s)
{
	static char message[8192];

	must(msgrcv(s->id, message, 4000, 0, 0) >= 0, "msgrcv");
}

static void
make_semaphore(struct spot *s)
{
	s->id = semget(IPC_PRIVATE, 1, 0600);
	must(s->id >= 0, "semget");
}

static long
take_semaphore(struct spot *s, const struct timespec *limit)
{
	struct sembuf take = { 0, -1, 0 };
	long result = limit ? semtimedop(s->id, &take, 1, limit)
			    : semop(s->id, &take, 1);
	int error = errno;

	semctl(s->id, 0, IPC_RMID);
	errno = error;
	return result;
}

static long
in_semop(struct spot *s)
{
	return take_semaphore(s, 0);
}

static long
in_semtimedop(struct spot *s)
{
	return take_semaphore(s, &span);
}

static void
give_semaphore(struct spot *s)
{
	struct sembuf give = { 0, 1, 0 };

	must(semop(s->id, &give, 1) == 0, "semop");
}

static void
make_mq(struct spot *s)
{
	struct mq_attr attributes = { .mq_maxmsg = 1, .mq_msgsize = 16 };
	char name[64];

	snprintf(name, sizeof(name), "/xtrace-test.%d.%d", getpid(), s->id);
	s->fd[0] = mq_open(name, O_RDWR | O_CREAT, 0600, &attributes);
	must(s->fd[0] >= 0, "mq_open");
	mq_unlink(name);
}

static void
mq_give(struct spot *s)
{
	must(mq_send(s->fd[0], "x", 1, 0) == 0, "mq_send");
}

static void
make_full_mq(struct spot *s)
{
	make_mq(s);
	mq_give(s);
}

static long
in_mq_receive(struct spot *s)
{
	return mq_receive(s->fd[0], s->bytes, 16, 0);
}

static long
in_mq_timedreceive(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	return mq_timedreceive(s->fd[0], s->bytes, 16, 0, &until);
}

static long
in_mq_timedsend(struct spot *s)
{
	struct timespec until = after_span(CLOCK_REALTIME);

	return mq_timedsend(s->fd[0], "y", 1, 0, &until);
}

#endif
