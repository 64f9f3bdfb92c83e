/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two threads of a library call functions that are traced for the program
 * alone, under a timer; a wrong result aborts. At each line "N" the program
 * calls the functions once, waits until the threads have made some rounds, and
 * writes "N done". The functions' windows have boundaries of several kinds. The
 * main thread blocks the timer's signal, so /proc always shows the same mask.
 *
 * LIB: libmod.so -DMOD -O2
 * LIB: libother.so -DOTHER -O2 -fno-plt
 * CFLAGS: -O2 -fno-plt
 * LDFLAGS: -lother -lmod -Wl,-z,now -lpthread
 */
#include "subject.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int f1(int x, const char *unread);
int f2(int x);
int f3(int x, const char *unread);
int all_right(int x);

#if defined(MOD)
__asm__(".globl f1, f2, f3\n"
	".type f1, @function\n"
	".type f2, @function\n"
	".type f3, @function\n"
	".balign 32\n"
	"f1:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"sub $16,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"leave\n\t"
	"ret\n"
	".size f1, . - f1\n"
	".balign 32\n"
	"f2:\n\t"
	"push %rax\n\t"
	"push %rcx\n\t"
	"push %rdx\n\t"
	"push %rbx\n\t"
	"push %rsi\n\t"
	"add $40,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".size f2, . - f2\n"
	".balign 32\n"
	"f3:\n\t"
	"mov $1,%eax\n\t"
	"add %edi,%eax\n\t"
	"ret\n"
	".size f3, . - f3\n");
#elif defined(OTHER)
int
all_right(int x)
{
	const char text[] = "on the stack";

	return f1(x, text) == x + 1 && f2(x) == x + 1 &&
	       f3(x, "constant") == x + 1;
}
#else
#define THREADS 2

static _Atomic unsigned long rounds;

static void *
work(void *unused)
{
	for (int i = 0;; i++) {
		if (!all_right(i))
			abort();
		atomic_fetch_add(&rounds, 1);
	}
	return unused;
}

static void
on_timer(int signal)
{
	(void)signal;
	if (!all_right(7))
		abort();
}

static void
go_round(void)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	unsigned long then = atomic_load(&rounds) + 200;

	if (f1(1, "") != 2 || f2(1) != 2 || f3(1, NULL) != 2)
		abort();
	while (atomic_load(&rounds) < then)
		nanosleep(&nap, NULL);
}

int
main(void)
{
	const struct itimerval timer = { { 0, 1000 }, { 0, 1000 } };
	struct sigaction action = { .sa_handler = on_timer,
				    .sa_flags = SA_RESTART };
	pthread_t thread;
	char line[64];
	sigset_t set;

	sigaction(SIGPROF, &action, NULL);
	setitimer(ITIMER_PROF, &timer, NULL);
	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, NULL, work, NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGPROF);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	say("ready");
	while (fgets(line, sizeof(line), stdin) && strcmp(line, "stop\n")) {
		go_round();
		line[strcspn(line, "\n")] = 0;
		printf("%s done\n", line);
		fflush(stdout);
	}
	return 0;
}
#endif
