/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Several threads trap at the same time, half of them with SIGTRAP blocked. In
 * each round each of them keeps its mask, and SIGTRAP is caught or ignored as
 * before. The threads block it by pthread_sigmask(), by birth, by the mask of a
 * handler or by a raw system call. xtrace must not take one thread for another.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace --stats --pid=never -F p.conf -x f %t asks
 * COUNT: 480 f(%num%any
 * SAYS:
 *   xtrace: stops:%any
 *   xtrace: system calls:%any
 *   xtrace: calls traced: 480;%any
 *   xtrace: restored for SIGTRAP: actions %num, masks 480; owner unknown: 0
 *   xtrace: held at attach: 0.000 ms in all, 0.000 ms at most at a time
 *
 * RUN: xtrace --stats --pid=never -F p.conf -x f %t born
 * COUNT: 480 f(%num%any
 * SAYS:
 *   xtrace: stops:%any
 *   xtrace: system calls:%any
 *   xtrace: calls traced: 480;%any
 *   xtrace: restored for SIGTRAP: actions %num, masks 960; owner unknown: 0
 *   xtrace: held at attach: 0.000 ms in all, 0.000 ms at most at a time
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t handler
 * COUNT: 480 f(%num%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t ignores
 * COUNT: 480 f(%num%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t catches
 * COUNT: 480 f(%num%any
 *
 * RUN: xtrace -f -F p.conf -x f %t forks
 * COUNT: 480 %id f(%num%any
 *
 * RUN: xtrace -f -F p.conf -x f %t execs
 * COUNT: 480 %id f(%num%any
 *
 * RUN: xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 480 f(%num%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#define THREADS 8
#define ROUNDS 20
#define CALLS 3

static const char *how = "itself";
static pthread_barrier_t all;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* SigBlk, SigIgn and SigCgt of this thread. */
struct signals {
	unsigned long blocked, ignored, caught;
};

static unsigned long
field(const char *text, const char *name)
{
	return strtoul(strstr(text, name) + strlen(name), 0, 16);
}

static struct signals
signals_now(void)
{
	char text[8192];
	int file = open("/proc/thread-self/status", O_RDONLY);
	ssize_t length = read(file, text, sizeof(text) - 1);

	close(file);
	text[length > 0 ? length : 0] = '\0';
	return (struct signals){ field(text, "\nSigBlk:"),
				 field(text, "\nSigIgn:"),
				 field(text, "\nSigCgt:") };
}

static void
block(int way)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(way, &set, 0);
}

/* A raw system call, so no traced function shows the change. */
static void
block_itself(void)
{
	unsigned long set = 1UL << (SIGTRAP - 1);

	syscall(SYS_rt_sigprocmask, SIG_BLOCK, &set, 0, sizeof(set));
}

static int
same(const struct signals *a, const struct signals *b)
{
	return a->blocked == b->blocked && a->ignored == b->ignored &&
	       a->caught == b->caught;
}

/* Counts the rounds after which the thread's signals are not as before. The
 * barriers keep the other threads from trapping while this thread reads its
 * signals in /proc. */
static long
rounds(int number)
{
	long wrong = 0;

	for (int round = 0; round < ROUNDS; round++) {
		struct signals before = signals_now(), after;

		pthread_barrier_wait(&all);
		for (int i = 0; i < CALLS; i++)
			f(number);
		pthread_barrier_wait(&all);
		after = signals_now();
		wrong += !same(&before, &after);
		pthread_barrier_wait(&all);
	}
	return wrong;
}

static _Thread_local int mine;
static _Thread_local long wrong;

static void
handler(int number)
{
	(void)number;
	wrong = rounds(mine);
}

static void *
thread(void *argument)
{
	mine = (int)(long)argument;
	pthread_barrier_wait(&all);
	if (mine % 2 == 0 && !strcmp(how, "handler"))
		pthread_kill(pthread_self(), SIGUSR1);
	else if (mine % 2 == 0 && strcmp(how, "born") && strcmp(how, "itself"))
		block(SIG_BLOCK);
	if (strcmp(how, "handler") || mine % 2)
		wrong = rounds(mine);
	return (void *)wrong;
}

static void
trapped(int number)
{
	(void)number;
}

static void
prepare(void)
{
	struct sigaction action = { .sa_handler = handler };

	sigaddset(&action.sa_mask, SIGTRAP);
	sigaction(SIGUSR1, &action, 0);
	if (!strcmp(how, "ignores"))
		signal(SIGTRAP, SIG_IGN);
	if (!strcmp(how, "catches"))
		signal(SIGTRAP, trapped);
	if (!strcmp(how, "born"))
		block(SIG_BLOCK);
	pthread_barrier_init(&all, 0, THREADS);
}

static int
threads(void)
{
	pthread_t others[THREADS];
	char line[64];
	long faults = 0;

	for (long i = 0; i < THREADS; i++)
		pthread_create(&others[i], 0, thread, (void *)i);
	for (long i = 0; i < THREADS; i++) {
		void *result;

		pthread_join(others[i], &result);
		faults += (long)result;
	}
	snprintf(line, sizeof(line), "%s: %ld rounds wrong", how, faults);
	say(line);
	return faults != 0;
}

/* All threads of the child start with its parent's mask. */
static int
in_child(char **argv)
{
	int status = 0;
	pid_t pid;

	block(SIG_BLOCK);
	signal(SIGTRAP, SIG_IGN);
	pid = fork();
	if (pid == 0) {
		struct signals now = signals_now();
		char *words[] = { argv[0], (char *)"born", 0 };

		if (!(now.blocked >> (SIGTRAP - 1) & 1))
			_exit(3);
		if (!strcmp(how, "execs"))
			execv("/proc/self/exe", words);
		how = "born";
		_exit(threads());
	}
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}

int
main(int argc, char **argv)
{
	how = argc > 1 ? argv[1] : "itself";
	prepare();
	if (argc < 2) {
		block_itself();
		ready();
	}
	if (!strcmp(how, "forks") || !strcmp(how, "execs"))
		return in_child(argv);
	return threads();
}
