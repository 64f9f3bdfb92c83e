/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * See swapped.py: loads and unloads one library after the other, until a line
 * of input comes.
 *
 * LIB: libmod0.so -DMOD=0
 * LIB: libmod1.so -DMOD=1
 * LIB: libmod2.so -DMOD=2
 * LIB: libmod3.so -DMOD=3
 * LDFLAGS: -ldl
 */
#include "subject.h"
#include <dlfcn.h>
#include <poll.h>

#ifdef MOD
int f(int x);

int
f(int x)
{
	return x + MOD;
}
#else
int
main(void)
{
	struct pollfd input = { .events = POLLIN };
	int wrong = 0;

	say("ready");
	for (int i = 0; poll(&input, 1, 0) == 0; i++) {
		char name[] = "libmod0.so";
		void *module;
		int (*f)(int);

		name[6] = (char)('0' + i % 4);
		module = dlopen(name, RTLD_NOW);
		f = module ? (int (*)(int))dlsym(module, "f") : 0;
		wrong += !f || f(i) != i + i % 4 || dlclose(module) != 0;
	}
	say(wrong ? "some were wrong" : "all were right");
	return wrong != 0;
}
#endif
