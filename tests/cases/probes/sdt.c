/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT probes: arguments in registers, constants, memory on the stack and of the
 * module; names that are globs; probes of a library that is opened later, and
 * opened again; filters and formats. A semaphore is 0 before and after.
 *
 * CFLAGS: -O1
 * LIB: libmod.so -DMOD -O1
 * FILE: p.conf: void open(string path, hex(int) flags, short low);
 *
 * RUN: xtrace -x '%zoo:*' %t
 * EXPECT:
 *   zoo:numbers(-1, 4294967295, -128, -5, 1.5)
 *   zoo:memory(7, 9, 30)
 *   zoo:guarded(5)
 *   zoo:unknown(%any)
 *   zoo:module(1)
 *   zoo:module(2)
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x '%zoo:module+%other:open' --names %t
 * EXPECT:
 *   other:open(path="a path", flags=0x42, low=-2)
 *   zoo:module(1)
 *   zoo:module(2)
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %zoo:module: no such probe yet; zoo has others (--list-probes lists them)
 *
 * RUN: xtrace -x '%[zo]*:*-%zoo:[!m]*@MAIN-%*:mem*' -x main %t
 * EXPECT:
 *   main(%any <unfinished ...>
 *   other:open(%hex, 66, 65534)
 *   zoo:module(1)
 *   zoo:module(2)
 *   <... main resumed> ) = 0
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x '%zoo:m*' --if 'arg1 == 2 || arg2 == 9' %t
 * EXPECT:
 *   zoo:memory(7, 9, 30)
 *   zoo:module(2)
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -x '%zoo:module+%zoo:guarded' -c %t
 * EXPECT:
 *   % time     seconds  usecs/call     calls      function
 *   ------ ----------- ----------- --------- --------------------
 *    50.00    0.000000           0         1 zoo:guarded
 *    50.00    0.000000           0         2 zoo:module
 *   ------ ----------- ----------- --------- --------------------
 *   100.00    0.000000                     3 total
 * SAYS:
 *   xtrace: %zoo:module: no such probe yet; zoo has others (--list-probes lists them)
 *
 * RUN: xtrace -x '%zoo:none+%nobody:*' %t
 * EXPECT:
 *   +++ exited (status 0) +++
 * SAYS:
 *   xtrace: %zoo:none: no such probe yet; zoo has others (--list-probes lists them)
 *   xtrace: %nobody:*: not loaded yet; waiting for a library that has this probe
 *   xtrace: %zoo:none: no module ever had this probe
 *   xtrace: %nobody:*: no module ever had this probe
 *
 * RUN: xtrace -x '%zoo:numbers' --json %t
 * CONTAINS:
 *   {"event":"call",%any"name":"zoo:numbers",%any"value":-1}%any"end":"entry-only"}
 */
#include "subject.h"
#include "support/sdt.h"

#include <dlfcn.h>

#ifdef MOD
void
run(int n)
{
	PROBE("zoo", "module", "0", "-4@%0", "r"(n));
}
#else
SEMAPHORE(guard);
static struct {
	long first, second;
} pair = { 7, 9 };
static int table[] = { 10, 20, 30 };

__attribute__((noinline)) static void
probes(int minus, short byte, const char *path, long index)
{
	PROBE("zoo", "numbers", "0", "-4@%0 4@%0 -1@%1 8@$-5 8f@%2",
	      "r"(minus), "r"((int)byte), "x"(1.5));
	(void)path;
	PROBE("zoo", "memory", "0", "-8@%0 -8@8+pairs(%%rip) -4@(%1,%2,4)",
	      "m"(pair.first), "r"(table), "r"(index));
	if (guard)
		PROBE("zoo", "guarded", "guard", "4@%0", "r"(5));
	PROBE("zoo", "unknown", "0", "4@%%st(1)", "r"(0));
	PROBE("other", "open", "0", "8@%0 4@$66 2@%w1", "r"(path),
	      "r"(-2));
}

__asm__(".globl pairs\n");
extern char pairs[] __attribute__((alias("pair")));

int
main(void)
{
	probes(-1, 0x180, "a path", 2);
	for (int i = 1; i <= 2; i++) {
		void *module = dlopen("libmod.so", RTLD_NOW);
		void (*run)(int) = module ? dlsym(module, "run") : 0;

		if (!run)
			return 1;
		run(i);
		dlclose(module);
	}
	return guard != 0 && guard != 1;
}
#endif
