/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A forked child opens its first library: the child's list is read to its end,
 * although the parent had read the same entries before.
 *
 * LIB: libmod.so -DMOD
 * LIB: libfirst.so -DFIRST
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * CONTAINS:
 *   %id f(1) = 1
 * SAYS:
 *   xtrace: f: not loaded yet; waiting for a library that defines it
 */
#include "subject.h"

#ifdef MOD
int f(int x);

int
f(int x)
{
	return x;
}
#elif defined(FIRST)
int first;
#else
#include <dlfcn.h>
#include <sys/wait.h>

static int
child(void)
{
	void *module = dlopen("libmod.so", RTLD_NOW);
	int (*found)(int) = module ? dlsym(module, "f") : 0;

	return found ? found(1) : 99;
}

int
main(void)
{
	pid_t pid;
	int status = 0;

	if (!dlopen("libfirst.so", RTLD_NOW))
		return 98;
	pid = fork();
	if (pid == 0)
		_exit(child());
	waitpid(pid, &status, 0);
	return WEXITSTATUS(status);
}
#endif
