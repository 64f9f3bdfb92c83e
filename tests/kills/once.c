/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls f nine times, from itself, a thread and a child; and once p of a
 * library that it loads. Exits with 7 if all is right. xtrace decodes the first
 * instruction of p with its disassembler.
 *
 *	once PLUG
 *
 * LIB: libplug.so -DPLUG
 * LDFLAGS: -pthread -ldl
 */
#include "subject.h"

#ifdef PLUG
__asm__(".pushsection .text\n"
	".globl p\n"
	".type p, @function\n"
	"p:	pause\n"
	"	lea (%rdi,%rdi,4), %rax\n"
	"	ret\n"
	".size p, . - p\n"
	".popsection");
#else
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

static _Atomic int wrong;

EXPORT NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x * 3 + 1;
}

static void *
caller(void *argument)
{
	for (long x = 0; x < 3; x++)
		wrong += f(x) != x * 3 + 1;
	return argument;
}

static void
load(const char *path)
{
	void *library = dlopen(path, RTLD_NOW);
	long (*function)(long) = 0;

	if (library)
		*(void **)&function = dlsym(library, "p");
	wrong += !function || function(8) != 40;
	wrong += !library || dlclose(library);
}

int
main(int argc, char **argv)
{
	pthread_t thread;
	int status = 0;
	pid_t child;

	if (argc < 2)
		return 2;
	say("begun");
	caller(0);
	wrong += pthread_create(&thread, 0, caller, 0) ||
		 pthread_join(thread, 0);
	load(argv[1]);
	child = fork();
	if (child == 0) {
		caller(0);
		_exit(wrong ? 9 : 43);
	}
	wrong += waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
		 WEXITSTATUS(status) != 43;
	say(wrong ? "wrong" : "right");
	return wrong ? 1 : 7;
}
#endif
