/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If a program ignores a signal, by default or by its choice, none of its
 * system calls notices the signal. But the kernel tells a tracer of it, and
 * interrupts the thread's system call to do so. Calls that then end with EINTR
 * are restarted by xtrace. A signal with a handler ends these calls, as it does
 * untraced. A child waits until its parent blocks, and sends one signal during
 * each call.
 *
 * RUN: xtrace -f -x f %t
 * CONTAINS:
 *   %num f(1, %any) = 1
 *   %num --- SIGWINCH (%any) ---
 *   %num --- SIGURG (%any) ---
 *   %num --- SIGUSR1 (%any) ---
 *   %num --- SIGALRM (%any) ---
 */
#define _GNU_SOURCE
#include "subject.h"
#include <errno.h>
#include <linux/aio_abi.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/ipc.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

static struct timespec span = { 0, 300000000 };

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static int
in_epoll_wait(void)
{
	struct epoll_event event;

	return epoll_wait(epoll_create1(0), &event, 1,
			  (int)(span.tv_sec * 1000 + span.tv_nsec / 1000000));
}

static int
in_recv(void)
{
	const struct timeval limit = { span.tv_sec, span.tv_nsec / 1000 };
	int pair[2];
	char byte;

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return -2;
	setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
	return (int)recv(pair[0], &byte, 1, 0);
}

static int
in_sigtimedwait(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	return sigtimedwait(&set, 0, &span);
}

static int
in_semtimedop(void)
{
	struct sembuf take = { 0, -1, 0 };
	int id = semget(IPC_PRIVATE, 1, 0600), result, error;

	result = semtimedop(id, &take, 1, &span);
	error = errno;
	semctl(id, 0, IPC_RMID);
	errno = error;
	return result;
}

static int
in_io_getevents(void)
{
	struct io_event event;
	aio_context_t context = 0;

	if (syscall(SYS_io_setup, 1, &context) < 0)
		return 0;
	return (int)syscall(SYS_io_getevents, context, 1, 1, &event, &span);
}

static const struct kind {
	const char *name;
	int (*run)(void);
	int error;
	long number;
} kinds[] = {
	{ "epoll_wait", in_epoll_wait, 0, SYS_epoll_wait },
	{ "recv, SO_RCVTIMEO", in_recv, EAGAIN, SYS_recvfrom },
	{ "sigtimedwait", in_sigtimedwait, EAGAIN, SYS_rt_sigtimedwait },
	{ "semtimedop", in_semtimedop, EAGAIN, SYS_semtimedop },
	{ "io_getevents", in_io_getevents, 0, SYS_io_getevents },
};

/* Waits until the parent is in the call, or already waits for this child. */
static void
await_parent(long number)
{
	char path[64], text[16] = "";
	const struct timespec pause = { 0, 1000000 };

	snprintf(path, sizeof(path), "/proc/%d/syscall", getppid());
	while (strtol(text, 0, 10) != number &&
	       strtol(text, 0, 10) != SYS_wait4) {
		FILE *file = fopen(path, "r");

		if (!file || !fgets(text, sizeof(text), file))
			_exit(1);
		fclose(file);
		nanosleep(&pause, 0);
	}
}

/* The end of the child sends a SIGCHLD, which is ignored, too. */
static void
try(const struct kind *kind, int number)
{
	char line[160];
	int result, error;
	pid_t child = fork();

	if (child == 0) {
		await_parent(kind->number);
		kill(getppid(), number);
		_exit(0);
	}
	errno = 0;
	result = kind->run();
	error = errno;
	waitpid(child, 0, 0);
	snprintf(line, sizeof(line), "%s: %s", kind->name,
		 result > 0		? "WRONG"
		 : error == EINTR	? "interrupted"
		 : error == kind->error ? "right"
					: "WRONG");
	say(line);
}

static void
handler(int number)
{
	(void)number;
}

int
main(void)
{
	static const int signals[] = { SIGWINCH, SIGURG, SIGUSR1, SIGALRM };

	signal(SIGUSR1, SIG_IGN);
	signal(SIGALRM, handler);
	f(1);
	for (size_t s = 0; s < sizeof(signals) / sizeof(*signals); s++) {
		say(strsignal(signals[s]));
		if (signals[s] == SIGALRM)
			/* none of the calls takes this long */
			span.tv_sec = 60;
		for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
			try(&kinds[i], signals[s]);
	}
	return 0;
}
