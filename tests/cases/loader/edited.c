/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loader changes its list when xtrace attaches, and the list leads to an
 * address that cannot be read, or back to its first entry. xtrace traces the
 * entries that it could read, and the others when the list can be read again.
 *
 * LIB: libmod.so -DMOD
 * LIB: libplug.so -DPLUG
 * VARIANT: cut
 * VARIANT: circle -DCIRCLE
 * LDFLAGS: -Wl,--no-as-needed -L. -lmod -ldl
 *
 * RUN: xtrace --pid=never -x f+p -p %p
 * ATTACH:
 * SAYS:
 *   xtrace: p: not loaded yet; waiting for a library that defines it
 * CONTAINS:
 *   f(%any) = 4
 *   p(%any) = 10
 *   f(%any) = 7
 */
#include "subject.h"

#if defined(MOD)
NOINLINE long f(long x);
long
f(long x)
{
	OPAQUE(x);
	return x * 3 + 1;
}
#elif defined(PLUG)
NOINLINE long p(long x);
long
p(long x)
{
	OPAQUE(x);
	return x * 5;
}
#else
#include <dlfcn.h>
#include <link.h>

#ifdef CIRCLE
#define BEYOND _r_debug.r_map
#else
#define BEYOND ((void *)8)
#endif

long f(long x);

int
main(void)
{
	struct link_map *last = _r_debug.r_map;
	long (*p)(long);
	void *library;

	f(0); /* binds f() before the list is cut */
	while (last->l_next)
		last = last->l_next;
	last->l_next = BEYOND;
	say("ready");
	await_line();
	if (f(1) != 4)
		return 1;
	last->l_next = 0;
	library = dlopen("libplug.so", RTLD_NOW);
	*(void **)&p = library ? dlsym(library, "p") : 0;
	if (!p || p(2) != 10 || f(2) != 7)
		return 2;
	return 0;
}
#endif
