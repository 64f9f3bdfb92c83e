/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace attaches. It finds the libraries that are already loaded, linked or
 * opened with dlopen, and each library that is loaded later.
 *
 * LIB: liblinked.so -DLINKED
 * LIB: libearly.so -DEARLY
 * LIB: liblate.so -DLATE
 * LDFLAGS: -llinked
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int linked(int);
 * FILE: p.conf: int early(int);
 * FILE: p.conf: int late(int);
 * FILE: p.conf: int own(int);
 *
 * RUN: xtrace -F p.conf -x linked+early+late+own -p %p
 * ATTACH:
 * EXPECT:
 *   %id linked(2) = 2
 *   %id early(3) = 3
 *   %id late(4) = 4
 *   %id late(5) = 5
 *   %id own(6) = 6
 *   %id +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anylate%any
 *
 * RUN: xtrace -F p.conf -x late@liblate.so -x early@libearly.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id early(3) = 3
 *   %id late(4) = 4
 *   %id late(5) = 5
 *   %id +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anylate%any
 *
 * RUN: xtrace -F p.conf -e linked@MAIN -p %p
 * ATTACH:
 * EXPECT:
 *   %id linked(2) = 2
 *   %id +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -l liblinked.so -p %p
 * ATTACH:
 * EXPECT:
 *   %id t->linked(2) = 2
 *   %id +++ exited (status 0) +++
 */
#include "subject.h"
#include <dlfcn.h>

int linked(int x);
int early(int x);
int late(int x);

#ifdef LINKED
int
linked(int x)
{
	return x;
}
#elif defined(EARLY)
int
early(int x)
{
	return x;
}
#elif defined(LATE)
int
late(int x)
{
	return x;
}

__attribute__((constructor)) static void
begin(void)
{
	int (*volatile by_pointer)(int) = late;

	by_pointer(4);
}
#else
NOINLINE int
own(int x)
{
	OPAQUE(x);
	return x;
}

int
main(void)
{
	int (*by_name)(int) = dlsym(dlopen("libearly.so", RTLD_NOW), "early");

	linked(1);
	by_name(1);
	ready();
	linked(2);
	by_name(3);
	by_name = dlsym(dlopen("liblate.so", RTLD_LAZY), "late");
	by_name(5);
	return own(6) - 6;
}
#endif
