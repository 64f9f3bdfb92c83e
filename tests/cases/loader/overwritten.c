/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program overwrites entries of the loader's list. A module without an entry
 * keeps its traps while it is mapped. If the entry of a module contradicts the
 * file that is mapped there, xtrace says so and plants no trap in it. A module
 * that the loader lists again is traced again.
 *
 * LIB: libmod.so -DMOD
 * LDFLAGS: -lmod
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * MESSAGES: any
 * EXPECT:
 *   f(1) = 1
 *   f(2) = 2
 *   f(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: HOW=address xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * SAYS:
 *   xtrace: process %num (t): a module at %hex is not traced: the loader's list says something else than the file that is mapped there
 *   xtrace: f: not loaded yet; waiting for a library that defines it
 * EXPECT:
 *   f(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: HOW=both xtrace --pid=never -F p.conf -x f -p %p
 * ATTACH:
 * MESSAGES: any
 * EXPECT:
 *   f(3) = 3
 *   +++ exited (status 0) +++
 */
#include "subject.h"

#ifdef MOD

EXPORT NOINLINE int
f(int x)
{
	OPAQUE(x);
	OPAQUE(x);
	return x * 3 / 3;
}

#else

#include <link.h>
#include <stdlib.h>

int f(int x);

/*
 * The address of the loader's own r_debug, because _r_debug may be a copy in
 * the program.
 */
static struct r_debug *
debug(void)
{
	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag; entry++) {
		if (entry->d_tag == DT_DEBUG)
			return (struct r_debug *)entry->d_un.d_ptr;
	}
	return 0;
}

static struct link_map *
of_library(void)
{
	struct link_map *map = debug()->r_map;

	while (map && !strstr(map->l_name, "libmod.so"))
		map = map->l_next;
	return map;
}

static void
changed(void)
{
	void (*brk)(void) = (void (*)(void))debug()->r_brk;

	debug()->r_state = RT_DELETE;
	brk();
	debug()->r_state = RT_CONSISTENT;
	brk();
}

int
main(void)
{
	const char *how = getenv("HOW");
	struct link_map *map = of_library();
	struct link_map right = *map;
	int ok = 1;

	if (!how) {
		ok = f(1) == 1;
		map->l_addr = 0x1234;
		map->l_ld = (void *)0x5678;
		changed();
	} else {
		f(0); /* binds f() while the list is right */
		map->l_addr += 1;
		if (!strcmp(how, "both"))
			map->l_ld = (void *)((char *)map->l_ld + 1);
		ready();
	}
	ok &= f(2) == 2;
	map->l_addr = right.l_addr;
	map->l_ld = right.l_ld;
	changed();
	ok &= f(3) == 3;
	return !ok;
}

#endif
