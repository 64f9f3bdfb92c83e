/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library whose function has got a jump in place of its trap (--engine=agent)
 * is unloaded and loaded again, three times. Then the program executes itself
 * while there is a jump.
 *
 * LIB: libmod.so -DMOD -O2
 * LIB: libuser.so -DUSER -O2 -fno-plt -L. -lmod
 * LIB: libother.so -DOTHER -O2 -fno-plt -L. -lmod
 * LDFLAGS: -ldl
 * FILE: p.conf: int f1(int);
 *
 * RUN: xtrace -F p.conf -e f1@libuser.so --engine=agent --stats %t
 * EXPECT:
 *   libuser.so->f1(1) = 2
 *   libuser.so->f1(2) = 3
 *   libuser.so->f1(3) = 4
 *   --- Called exec() ---
 *   libuser.so->f1(4) = 5
 *   +++ exited (status 0) +++
 * MESSAGES: any
 */
#include "subject.h"

#include <dlfcn.h>
#include <unistd.h>

int f1(int x);

#if defined(MOD)
int
f1(int x)
{
	return x + 1;
}
#elif defined(USER)
int
use(int x)
{
	return f1(x) != x + 1;
}
#elif defined(OTHER)
int
use(int x)
{
	int wrong = 0;

	for (int i = 0; i < 1000; i++)
		wrong += f1(x + i) != x + i + 1;
	return wrong;
}
#else
static int
use_of(void *library, int x)
{
	int (*use)(int) = (int (*)(int))dlsym(library, "use");

	return use(x);
}

static int
load_and_use(int x)
{
	void *user = dlopen("libuser.so", RTLD_NOW);
	void *other = dlopen("libother.so", RTLD_NOW);
	int wrong = use_of(other, x) + use_of(user, x) + use_of(other, x);

	if (x >= 3)
		return wrong;
	dlclose(other);
	dlclose(user);
	return wrong;
}

int
main(int argc, char **argv)
{
	if (argc > 1)
		return load_and_use(4);
	for (int round = 1; round <= 3; round++)
		if (load_and_use(round))
			return 1;
	execl("/proc/self/exe", argv[0], "again", NULL);
	return 2;
}
#endif
