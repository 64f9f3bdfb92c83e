/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A loader's list with 200 000 more entries. They lead nowhere, and their names
 * do not end. After each line of input the loader's function is called, as if
 * the list had changed.
 */
#include "subject.h"
#include <link.h>
#include <stdlib.h>
#include <sys/mman.h>

#define ENTRIES 200000
#define NAME ((size_t)256 << 20)

NOINLINE int f(int x);
int
f(int x)
{
	OPAQUE(x);
	return x;
}

static struct r_debug *
debug(void)
{
	for (const ElfW(Dyn) *entry = _DYNAMIC; entry->d_tag; entry++) {
		if (entry->d_tag == DT_DEBUG)
			return (struct r_debug *)entry->d_un.d_ptr;
	}
	return 0;
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

static void
add_entries(void)
{
	struct link_map *entries = calloc(ENTRIES, sizeof(*entries));
	struct link_map *last = debug()->r_map;
	char *name = mmap(0, NAME, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	memset(name, 'A', 1 << 20);
	while (last->l_next)
		last = last->l_next;
	for (int i = 0; i < ENTRIES; i++) {
		entries[i].l_ld = (void *)(entries + i);
		entries[i].l_name = name;
		entries[i].l_prev = last;
		last->l_next = entries + i;
		last = entries + i;
	}
}

int
main(void)
{
	struct link_map *last = debug()->r_map;
	char line[16];

	while (last->l_next)
		last = last->l_next;
	add_entries();
	say("ready");
	for (int turn = 1; fgets(line, sizeof(line), stdin); turn++) {
		do {
			changed();
		} while (!strcmp(line, "often\n") && turn++ < 100000);
		snprintf(line, sizeof(line), "turn %d", f(turn));
		say(line);
	}
	last->l_next = 0;
	return 0;
}
