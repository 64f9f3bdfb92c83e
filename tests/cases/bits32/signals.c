/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A 32-bit program under xtrace keeps its SIGTRAP: handlers of both kinds get
 * its own SIGTRAPs and its own int3, sigaction() tells the action that was set,
 * a blocked SIGTRAP stays queued with its value, and a thread that blocks all
 * signals still does. A forked child is let go with its text restored; with -f
 * it is traced.
 *
 * NEEDS: /lib32/libc.so.6
 * CFLAGS: -m32 -O1 -pthread
 * VARIANT: dynamic
 * VARIANT: static -static
 * FILE: p.conf: int work(int);
 *
 * RUN: xtrace -F p.conf -x work %t
 * COUNT: 406 %anywork(%num%any
 * COUNT: 3 --- SIGTRAP (Trace/breakpoint trap) ---
 * COUNT: 1 %id --- SIGTRAP (Trace/breakpoint trap) ---
 * ABSENT:
 *   %anywork(1000)%any
 * CONTAINS:
 *   %any+++ exited (status 5) +++
 *
 * RUN: xtrace -f -F p.conf -x work %t
 * CONTAINS:
 *   %id work(1000) = 2001
 *   %id +++ exited (status 209) +++
 *   %id +++ exited (status 5) +++
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define THREADS 2
#define CALLS 200

static volatile int plain, with_info, result;

static void
on_plain(int signal)
{
	plain += signal == SIGTRAP;
}

static void
on_info(int signal, siginfo_t *info, void *context)
{
	with_info += signal == SIGTRAP && info->si_signo == SIGTRAP && context;
}

__attribute__((noinline)) int
work(int x)
{
	return x * 2 + 1;
}

static void *
run(void *unused)
{
	sigset_t all;
	long sum = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	for (int i = 0; i < CALLS; i++)
		sum += work(i);
	pthread_sigmask(SIG_BLOCK, NULL, &all);
	(void)unused;
	return (void *)(sum + sigismember(&all, SIGTRAP) +
			sigismember(&all, SIGUSR1));
}

static int
in_threads(void)
{
	pthread_t threads[THREADS];
	void *sum;
	int all = 0;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, NULL);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], &sum);
		all += (int)(long)sum;
	}
	return all;
}

static void
blocked(void)
{
	sigset_t one, now;

	sigemptyset(&one);
	sigaddset(&one, SIGTRAP);
	sigprocmask(SIG_BLOCK, &one, NULL);
	result = work(3);
	raise(SIGTRAP);
	result = work(4);
	sigpending(&now);
	printf("waits %d, ", sigismember(&now, SIGTRAP));
	sigprocmask(SIG_BLOCK, NULL, &now);
	printf("blocked %d, handled %d, ", sigismember(&now, SIGTRAP),
	       with_info);
	sigprocmask(SIG_UNBLOCK, &one, NULL);
	printf("then %d\n", with_info);
}

static volatile int sent_by_us;

static void
on_queued(int signal, siginfo_t *info, void *context)
{
	sent_by_us += signal == SIGTRAP && info->si_code == SI_QUEUE &&
		      info->si_pid == getpid() && info->si_uid == getuid() &&
		      info->si_value.sival_int == 0x12345678 && context;
}

/* A SIGTRAP with a value is queued while all signals are blocked. */
static void
queued(void)
{
	union sigval value = { .sival_int = 0x12345678 };
	struct sigaction action;
	sigset_t all, before;

	memset(&action, 0, sizeof(action));
	action.sa_sigaction = on_queued;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	result = work(5);
	pthread_sigqueue(pthread_self(), SIGTRAP, value);
	result = work(6);
	printf("queued %d, ", sent_by_us);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	printf("then %d\n", sent_by_us);
}

int
main(void)
{
	struct sigaction action, old;
	int status;
	pid_t child;

	memset(&action, 0, sizeof(action));
	action.sa_handler = on_plain;
	sigaction(SIGTRAP, &action, NULL);
	result = work(1);
	raise(SIGTRAP);
	action.sa_sigaction = on_info;
	action.sa_flags = SA_SIGINFO;
	sigaction(SIGTRAP, &action, &old);
	printf("old %d, plain %d\n",
	       old.sa_handler == on_plain && old.sa_flags == 0, plain);
	result = work(2);
	__asm__ volatile("int3");
	blocked();
	fflush(stdout);
	child = fork();
	if (child == 0)
		_exit(work(1000) & 0xff);
	waitpid(child, &status, 0);
	printf("threads %d, child %d, info %d\n", in_threads(),
	       WEXITSTATUS(status), with_info);
	queued();
	return 5;
}
