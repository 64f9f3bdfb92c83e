/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes PAIRS pairs of dlopen() and dlclose(), with a call of f in the loaded
 * library between them, and writes a line after FIRST of them. With "moved" the
 * library is never loaded where it was in the last 64 pairs, because pages full
 * of int3 are mapped there. See loads.py.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -ldl
 */
#define _GNU_SOURCE
#include "subject.h"
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef MOD
long
f(long x)
{
	return x + 1;
}
#else
#define SQUATTERS 64
#define PAGE 4096

static unsigned char *squatter[SQUATTERS];

/* Maps a page full of int3 where the library's text was. */
static int
squat(long turn, uintptr_t page)
{
	unsigned char **one = &squatter[turn % SQUATTERS];

	for (size_t i = 0; *one && i < PAGE; i++)
		if ((*one)[i] != 0xcc)
			return 1;
	if (*one)
		munmap(*one, PAGE);
	*one = mmap((void *)page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (*one == MAP_FAILED)
		return 2;
	memset(*one, 0xcc, PAGE);
	return 0;
}

int
main(int argc, char **argv)
{
	long pairs = atol(argv[1]), first = atol(argv[2]);
	int moved = argc > 3, bad;

	for (long i = 0; i < pairs; i++) {
		void *module = dlopen("libmod.so", RTLD_NOW);
		long (*f)(long) = (long (*)(long))dlsym(module, "f");
		uintptr_t page = (uintptr_t)f & -(uintptr_t)PAGE;

		if (f(i) != i + 1)
			return 10;
		if (dlclose(module))
			return 11;
		bad = moved ? squat(i, page) : 0;
		if (bad)
			return 20 + bad;
		if (i + 1 == first)
			ready();
	}
	ready();
	say("right");
	return 5;
}
#endif
