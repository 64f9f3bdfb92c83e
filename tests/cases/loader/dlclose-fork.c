/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library was traced and is unloaded. The memory mapped in its place contains
 * only int3 bytes. Then a process with several threads forks, and xtrace
 * searches the child for its traps by the table of the handler area. It must
 * not change the new memory, in the parent or in the child.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -ldl -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * CONTAINS:
 *   %anyf(0) = 0
 *   %anyf(3) = 3
 * SAYS:
 *   xtrace: %anyf%any
 *
 * RUN: xtrace -F p.conf -x f %t
 * CONTAINS:
 *   %anyf(0) = 0
 *   %anyf(3) = 3
 * SAYS:
 *   xtrace: %anyf%any
 */
#include "subject.h"
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/wait.h>

#ifdef MOD
int
f(int x)
{
	return x;
}
#else
#define PAGE 4096

static void *
stays(void *unused)
{
	for (;;)
		pause();
	return unused;
}

static int
all_traps(const unsigned char *page)
{
	for (size_t i = 0; i < PAGE; i++)
		if (page[i] != 0xcc)
			return 0;
	return 1;
}

static int
round_of(int turn)
{
	void *module = dlopen("libmod.so", RTLD_NOW);
	int (*f)(int) = (int (*)(int))dlsym(module, "f");
	uintptr_t page = (uintptr_t)f & -(uintptr_t)PAGE;
	unsigned char *there;
	int status;
	pid_t pid;

	if (f(turn) != turn || dlclose(module))
		return 1;
	there = mmap((void *)page, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
	if (there != (unsigned char *)page)
		return 2;
	memset(there, 0xcc, PAGE);
	pid = fork();
	if (pid == 0)
		_exit(all_traps(there) ? 0 : 3);
	if (waitpid(pid, &status, 0) != pid || status)
		return 4;
	return all_traps(there) ? 0 : 5;
}

int
main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, stays, 0);
	for (int i = 0; i < 4; i++) {
		int bad = round_of(i);

		if (bad)
			return bad;
	}
	return 0;
}
#endif
