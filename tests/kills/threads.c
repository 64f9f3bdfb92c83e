/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Eight threads that run forever: six call functions of the program, of a
 * library and of the C library, and two load a library, call it and unload it.
 * Each checks the results, and counts in the file COUNTERS. KIND is
 *
 *	mixed	  one thread never makes a system call, the others sleep now
 *		  and then
 *	signals	  in addition a timer of 5 kHz, whose handler makes calls
 *	sleepers  all threads sleep between two calls, in system calls that
 *		  xtrace can interrupt, some now and then for longer than
 *		  xtrace takes to attach
 *	children  a ninth thread has children by fork and vfork, each of which
 *		  makes calls, before or after an exec, and exits with 43
 *
 * A line of input ends it.
 *
 *	threads COUNTERS FOLDER KIND
 *
 * LIB: libmod.so -DMOD=m -fno-omit-frame-pointer
 * LIB: libplug.so -DMOD=p
 * CFLAGS: -D_GNU_SOURCE -DMOD=f -DMAIN
 * LDFLAGS: -lmod -pthread -ldl
 */
#include "subject.h"

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

/* Thirty-two functions of a module. */
#define FOUR(X, n) X(n##0) X(n##1) X(n##2) X(n##3)
#define ALL(X)     \
	FOUR(X, 1) \
	FOUR(X, 2) \
	FOUR(X, 3) FOUR(X, 4) FOUR(X, 5) FOUR(X, 6) FOUR(X, 7) FOUR(X, 8)
#define FUNCTIONS 32

typedef long function(long);

#define DEFINE(n)                                 \
	EXPORT NOINLINE long JOIN(MOD, n)(long x) \
	{                                         \
		OPAQUE(x);                        \
		return x * n + 1;                 \
	}
#define DECLARE(n) function JOIN(MOD, n);
ALL(DECLARE)
ALL(DEFINE)

#define LIST(n) { JOIN(MOD, n), n },
struct entry {
	function *function;
	long factor;
};
EXPORT const struct entry JOIN(MOD, table)[FUNCTIONS] = { ALL(LIST) };

#ifdef MAIN
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <fcntl.h>

#define THREADS 9
extern const struct entry mtable[FUNCTIONS];
function m10;

static struct row {
	_Atomic long calls, wrong, others;
	long unused[5];
} * rows;
static const char *folder;
static _Atomic int over, sleepers, signals;
static _Thread_local struct row *mine;

static void
call(const struct entry *entry, long x)
{
	if (entry->function(x) != x * entry->factor + 1)
		mine->wrong++;
	mine->calls++;
}

static void
round_of_calls(const struct entry *table, long x)
{
	char *text = malloc(16);

	for (int i = 0; i < FUNCTIONS; i++)
		call(&table[i], x + i);
	if (m10(x) != x * 10 + 1 || !text || strlen(strcpy(text, "text")) != 4)
		mine->wrong++;
	free(text);
}

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

/*
 * Sleeps in a system call, and checks that it does not end too early, nor with
 * EINTR if there are no signals.
 */
static void
sleep_for(long ns, int by_poll)
{
	const struct timespec time = { ns / 1000000000, ns % 1000000000 };
	long begin = now();
	int r = by_poll ? poll(0, 0, (int)(ns / 1000000)) : nanosleep(&time, 0);

	if (!signals && (r != 0 || now() - begin < ns))
		mine->wrong++;
}

static void
sleep_a_little(int number)
{
	if (number & 1)
		sleep_for(1000000, 1);
	else
		sleep_for(300000 + number * 10000, 0);
}

static void *
caller(void *argument)
{
	long number = (long)argument;

	mine = &rows[number];
	for (long x = 0; !over; x++) {
		round_of_calls(x & 1 ? mtable : ftable, x);
		if (sleepers || (number > 0 && x % 4 == 0))
			sleep_a_little((int)number);
		if (sleepers && number < 4 && x % 16 == 0)
			sleep_for(50000000, number & 1);
	}
	return 0;
}

static void *
loader(void *argument)
{
	long number = (long)argument;
	char path[512];

	mine = &rows[number];
	snprintf(path, sizeof(path), "%s/libplug%ld.so", folder, number);
	for (long x = 0; !over; x++) {
		void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
		const struct entry *table =
			library ? dlsym(library, "ptable") : 0;

		if (table)
			round_of_calls(table, x);
		else
			mine->wrong++;
		mine->others++;
		if (!library || dlclose(library))
			mine->wrong++;
		if (sleepers || x % 2)
			sleep_a_little((int)number);
	}
	return 0;
}

static int
child_work(void)
{
	for (int i = 0; i < 20; i++)
		for (int j = 0; j < FUNCTIONS; j++)
			if (ftable[j].function(i) != i * ftable[j].factor + 1 ||
			    mtable[j].function(i) != i * mtable[j].factor + 1)
				return 9;
	return 43;
}

static void
become_child(void)
{
	execl("/proc/self/exe", "t", "child", (char *)0);
	_exit(8);
}

static void *
parent(void *argument)
{
	mine = &rows[(long)argument];
	for (long x = 0; !over; x++) {
		int status = 0;
		pid_t pid;

		if (x % 3 == 1) {
			pid = vfork();
			if (pid == 0)
				become_child();
		} else {
			pid = fork();
			if (pid == 0 && x % 3 == 2)
				become_child();
			if (pid == 0)
				_exit(child_work());
		}
		if (waitpid(pid, &status, 0) != pid || !WIFEXITED(status) ||
		    WEXITSTATUS(status) != 43)
			mine->wrong++;
		mine->others++;
		call(&ftable[x % FUNCTIONS], x);
	}
	return 0;
}

static _Atomic long handled, handled_wrong;

static void
handler(int number)
{
	if (f10(number) != number * 10 + 1)
		handled_wrong++;
	handled++;
}

static void
begin_timer(void)
{
	const struct itimerval every = { { 0, 200 }, { 0, 200 } };
	struct sigaction action = { .sa_handler = handler,
				    .sa_flags = SA_RESTART };

	sigaction(SIGALRM, &action, 0);
	setitimer(ITIMER_REAL, &every, 0);
}

int
main(int argc, char **argv)
{
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	pthread_t threads[THREADS];
	long count = 8, wrong = 0;
	char c;
	int fd;

	if (argc == 2)
		return child_work();
	if (argc < 4 || (fd = open(argv[1], O_RDWR)) < 0)
		return 2;
	rows = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	folder = argv[2];
	sleepers = !strcmp(argv[3], "sleepers");
	signals = !strcmp(argv[3], "signals");
	if (!strcmp(argv[3], "children"))
		count = 9;
	for (long i = 0; i < count; i++)
		pthread_create(&threads[i], 0,
			       i == 8  ? parent
			       : i > 5 ? loader
				       : caller,
			       (void *)i);
	if (!strcmp(argv[3], "signals"))
		begin_timer();
	say("ready");
	while (read(0, &c, 1) < 0)
		;
	setitimer(ITIMER_REAL, &never, 0);
	over = 1;
	for (long i = 0; i < count; i++) {
		pthread_join(threads[i], 0);
		wrong += rows[i].wrong;
	}
	say(wrong || handled_wrong ? "wrong" : "right");
	return wrong ? 1 : 7;
}
#endif
