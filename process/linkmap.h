/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The dynamic linker's own list of what is loaded: struct r_debug and its
 * chain of struct link_map, read only (link.h; glibc's elf/link.h and musl's
 * ldso agree on these fields). Finding r_debug through DT_DEBUG of the
 * program is right with every libc; the symbol _r_debug in the program is
 * not (a COPY relocation makes it a stale twin).
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
	addr_t next;  /* r_next: another namespace, version 2 and later */
};

struct link_view {
	addr_t bias;	 /* l_addr */
	addr_t name;	 /* l_name */
	addr_t dynamic;	 /* l_ld */
	addr_t next;	 /* l_next */
	addr_t previous; /* l_prev */
};

/* All answer 0 or the reader's error. */
must_check int linkmap_r_debug(struct reader *reader, addr_t at,
			       struct r_debug_view *ret_view);
must_check int linkmap_link(struct reader *reader, addr_t at,
			    struct link_view *ret_view);
/*
 * The value of DT_DEBUG (d_ptr) in the dynamic section at `dynamic`; 0 in
 * *ret_r_debug while the loader has not filled it. -ENOENT without one.
 */
must_check int linkmap_find(struct reader *reader, addr_t dynamic,
			    addr_t *ret_r_debug);

#endif
