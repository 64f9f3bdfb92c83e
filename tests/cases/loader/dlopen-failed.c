/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dlopen that fails changes nothing: a file that does not exist, a file whose
 * dependency does not exist (it is mapped and unmapped), a file that needs a
 * symbol which no library has. Then a dlopen that succeeds.
 *
 * LIB: libgone.so -DGONE
 * LIB: libneeds.so -DNEEDS -Wl,--no-as-needed -lgone
 * LIB: libunbound.so -DUNBOUND
 * LIB: libmod.so -DMOD
 * POST: rm libgone.so
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * EXPECT:
 *   f%any(4) = 4
 *   f%any(5) = 5
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 */
#include "subject.h"
#include <dlfcn.h>

#ifdef GONE
int gone;
#elif defined(NEEDS)
int
f(int x)
{
	return x;
}
#elif defined(UNBOUND)
int nobody_has_this(int x);

int
f(int x)
{
	return nobody_has_this(x);
}
#elif defined(MOD)
int
f(int x)
{
	return x;
}
#else
int
main(void)
{
	int (*f)(int);
	void *module;

	if (dlopen("libnever.so", RTLD_NOW) || dlopen("libneeds.so", RTLD_NOW)
	    || dlopen("libunbound.so", RTLD_NOW))
		return 1;
	module = dlopen("libmod.so", RTLD_NOW);
	if (!module)
		return 2;
	f = dlsym(module, "f");
	f(4);
	if (dlopen("libneeds.so", RTLD_NOW))
		return 3;
	f(5);
	return 0;
}
#endif
