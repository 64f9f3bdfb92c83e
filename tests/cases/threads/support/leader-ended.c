/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The leader has ended, one thread calls f forever, and another reads lines of
 * input: "load" loads a library and calls g in it, "exec" executes the program
 * again, "end" ends the process with status 5.
 *
 * CFLAGS: -D_GNU_SOURCE -DMAIN -fno-omit-frame-pointer
 * LDFLAGS: -pthread -ldl
 * LIB: libplug.so -fno-omit-frame-pointer
 */
#include "subject.h"

#ifndef MAIN
EXPORT NOINLINE long
g(long x)
{
	OPAQUE(x);
	return x + 1;
}
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_t leader;
static char **arguments;

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x;
}

static void *
call(void *unused)
{
	for (long i = 0;; i++) {
		if (f(i) != i)
			abort();
		usleep(100);
	}
	return unused;
}

static void
load(void)
{
	void *module = dlopen(arguments[1], RTLD_NOW);
	long (*g)(long) = 0;

	if (module)
		*(void **)&g = dlsym(module, "g");
	if (!g || g(41) != 42)
		abort();
	say("loaded");
}

static void *
listen_to(void *unused)
{
	char line[16];

	pthread_join(leader, 0);
	say("ready");
	while (fgets(line, sizeof(line), stdin)) {
		if (line[0] == 'l')
			load();
		else if (line[1] == 'x')
			execv("/proc/thread-self/exe", arguments);
		else
			exit(5);
	}
	_exit(9);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t thread;

	if (argc != 2)
		return 2;
	arguments = argv;
	leader = pthread_self();
	pthread_create(&thread, 0, call, 0);
	pthread_create(&thread, 0, listen_to, 0);
	pthread_exit(0);
}
#endif
