/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See dlopen-stops.py: loads as many libraries as its argument says, one after
 * the other. Each has a constructor.
 *
 * LIB: libmod0.so -DMOD=0
 * LIB: libmod1.so -DMOD=1
 * LIB: libmod2.so -DMOD=2
 * LIB: libmod3.so -DMOD=3
 * LDFLAGS: -ldl
 */
#include "subject.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef MOD
__attribute__((constructor)) static void
begin(void)
{
}
#else
int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 0;

	for (int i = 0; i < count; i++) {
		char name[32];

		snprintf(name, sizeof(name), "libmod%d.so", i);
		if (!dlopen(name, RTLD_NOW))
			return 1;
	}
	return 0;
}
#endif
