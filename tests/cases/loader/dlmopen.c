/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Namespaces: at the first dlmopen r_version becomes 2, and r_next leads to the
 * next namespace (since glibc 2.35; older versions do not say where the other
 * namespaces are).
 *
 * LIB: libdep.so -DDEP
 * LIB: libmod.so -DMOD -ldep
 * GLIBC: 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * EXPECT:
 *   f(1) = 1
 *   f(10) = 10
 *   f(1) = 2
 *   f(20) = 21
 *   f(1) = 3
 *   f(30) = 32
 *   f(11) = 11
 *   f(1) = 4
 *   f(40) = 43
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <stdio.h>

int f(int x);

#ifdef DEP
int
f(int x)
{
	const char *round = getenv("ROUND");

	return x + (round ? *round - '0' : 0);
}
#elif defined(MOD)
__attribute__((constructor)) static void
begin(void)
{
	f(1);
}
#else
static void *
module_in(Lmid_t space)
{
	void *module = dlmopen(space, "libmod.so", RTLD_NOW);

	if (!module) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return module;
}

static int
call(void *module, int x)
{
	int (*f)(int) = dlsym(module, "f");

	return f(x);
}

int
main(void)
{
	void *base = module_in(LM_ID_BASE), *second, *third, *fourth;

	if (call(base, 10) != 10)
		return 2;
	/* Each namespace has its own C library, and so its own getenv. */
	setenv("ROUND", "1", 1);
	second = module_in(LM_ID_NEWLM);
	if (call(second, 20) != 21)
		return 3;
	setenv("ROUND", "2", 1);
	third = module_in(LM_ID_NEWLM);
	if (call(third, 30) != 32)
		return 4;
	unsetenv("ROUND");
	call(base, 11);
	dlclose(second);
	setenv("ROUND", "3", 1);
	fourth = module_in(LM_ID_NEWLM);
	return call(fourth, 40) - 43;
}
#endif
