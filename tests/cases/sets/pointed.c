/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that only a table points to. The table is filled by relocation, by
 * a constructor, or by the program when it runs. The functions are found if
 * xtrace starts the program, after a dlopen(), and if xtrace attaches.
 *
 * LIB: libtable.so -DTABLE -fvisibility=hidden
 * LDFLAGS: -ldl
 * FILE: t.conf: set "members of a table";
 * FILE: t.conf: int early(int n);
 * FILE: t.conf: int middle(int n);
 * FILE: t.conf: int late(int n);
 * FILE: t.conf: probe early at functions + 8 { show n; }
 * FILE: t.conf: probe middle at functions + 16 { show n; }
 * FILE: t.conf: probe late at functions + 24 { show n; }
 * FILE: t.conf: probe late at nosuch { show n; }
 *
 * RUN: xtrace --set %d/t.conf %t
 * EXPECT:
 *   %time early 1 = 2 <%dur>
 *   %time middle 2 = 4 <%dur>
 *   %time early 1 = 2 <%dur>
 *   %time late 3 = 6 <%dur>
 *   %time +++ exited (status 0) +++
 *
 * RUN: xtrace --set %d/t.conf -p %p
 * ATTACH:
 * EXPECT:
 *   %id %time early 1 = 2 <%dur>
 *   %id %time middle 2 = 4 <%dur>
 *   %id %time early 1 = 2 <%dur>
 *   %id %time late 3 = 6 <%dur>
 *   %id %time +++ exited (status 0) +++
 */
#ifdef TABLE

#define VISIBLE __attribute__((visibility("default")))

static int
early(int n)
{
	return n + 1;
}

static int
middle(int n)
{
	return n + 2;
}

static int
late(int n)
{
	return n + 3;
}

/* The first word of the table is not a function. */
VISIBLE int (*functions[4])(int) = { (int (*)(int))1, early };

VISIBLE void
fill(void)
{
	functions[3] = late;
}

__attribute__((constructor)) static void
construct(void)
{
	functions[2] = middle;
}

#else

#include <dlfcn.h>
#include <stdlib.h>

#include "subject.h"

int
main(void)
{
	void *library = dlopen("libtable.so", RTLD_NOW);
	int (**functions)(int);
	void (*fill)(void);

	if (!library)
		return EXIT_FAILURE;
	functions = dlsym(library, "functions");
	fill = (void (*)(void))dlsym(library, "fill");
	ready();
	functions[1](1);
	functions[2](2);
	fill();
	functions[1](1);
	functions[3](3);
	return 0;
}

#endif
