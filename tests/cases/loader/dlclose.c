/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * dlopen, dlclose and dlopen again, at the same address and at others. What is
 * mapped in the library's place is not xtrace's: here all of it is int3 bytes,
 * so that a byte restored by mistake is found.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -ldl
 * GLIBC: 2.31 2.41
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t same
 * EXPECT:
 *   f(0) = 0
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   f(5) = 5
 *   f(6) = 6
 *   f(7) = 7
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -x f %t other
 * EXPECT:
 *   f(0) = 0
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   f(4) = 4
 *   f(5) = 5
 *   f(6) = 6
 *   f(7) = 7
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 8 %id f(%num) = %num
 * SAYS:
 *   xtrace: %anyf%any
 */
#include "subject.h"
#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>

#ifdef MOD
int
f(int x)
{
	return x;
}
#else
#define ROUNDS 8
static unsigned char *squat[ROUNDS];

int
main(int argc, char **argv)
{
	uintptr_t last = 0;
	int moved = argc < 2 || !strcmp(argv[1], "other");

	if (argc < 2)
		ready();
	for (int i = 0; i < ROUNDS; i++) {
		void *module = dlopen("libmod.so", RTLD_NOW);
		int (*f)(int) = dlsym(module, "f");
		uintptr_t page = (uintptr_t)f & -4096UL;

		if (f(i) != i || (i && (page == last) == moved))
			return 1;
		if (dlclose(module))
			return 2;
		last = page;
		if (!moved)
			continue;
		squat[i] = mmap((void *)page, 4096, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS |
					MAP_FIXED_NOREPLACE, -1, 0);
		if (squat[i] != (void *)page)
			return 3;
		memset(squat[i], 0xcc, 4096);
	}
	for (int i = 0; moved && i < ROUNDS; i++)
		for (int j = 0; j < 4096; j++)
			if (squat[i][j] != 0xcc)
				return 4;
	return 0;
}
#endif
