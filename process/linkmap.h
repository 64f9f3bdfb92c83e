/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic linker's own list of loaded modules: struct r_debug and its chain
 * of struct link_map, only read here (link.h; glibc's elf/link.h and musl's
 * ldso agree on these fields). r_debug is found through DT_DEBUG of the
 * program, which works with every libc. The symbol _r_debug of the program does
 * not: a COPY relocation makes it an outdated copy.
 */
#ifndef PROCESS_LINKMAP_H
#define PROCESS_LINKMAP_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stddef.h>
#include <stdint.h>

enum r_state { R_CONSISTENT = 0, R_ADD = 1, R_DELETE = 2 };

struct r_debug_view {
	int version;
	int state;    /* enum r_state */
	addr_t first; /* r_map */
	addr_t brk;   /* r_brk */
	addr_t base;  /* r_ldbase */
	addr_t next;  /* r_next: another namespace, from version 2 on */
};

struct link_view {
	addr_t bias;	 /* l_addr */
	addr_t name;	 /* l_name */
	addr_t dynamic;	 /* l_ld */
	addr_t next;	 /* l_next */
	addr_t previous; /* l_prev */
};

/* A result that is an int is 0 or the error of the reader. word is the size of
 * an address in the program, in bytes (struct arch). */
must_check int linkmap_r_debug(struct reader *reader, unsigned word, addr_t at,
			       struct r_debug_view *ret_view);
must_check int linkmap_link(struct reader *reader, unsigned word, addr_t at,
			    struct link_view *ret_view);
/* Reads many entries together. Returns how many it has read, from the first on:
 * fewer than count if an entry cannot be read, or if the reader cannot read so
 * many entries together. */
size_t linkmap_links(struct reader *reader, unsigned word, const addr_t *at,
		     size_t count, struct link_view *ret_views);
/*
 * Reads DT_DEBUG (d_ptr) in the dynamic section at `dynamic`. *ret_r_debug is 0
 * as long as the loader has not set it. -ENOENT if there is no DT_DEBUG.
 */
must_check int linkmap_find(struct reader *reader, unsigned word,
			    addr_t dynamic, addr_t *ret_r_debug);

#endif
