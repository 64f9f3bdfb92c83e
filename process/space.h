/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A space is an address space of tracees. The threads of a process share one; a
 * vfork child shares its parent's until exec; fork copies it, and exec replaces
 * it. Its memory is read through /proc/PID/mem, which works on running threads
 * (proc(5)), or through process_vm_readv(2) if that file is refused.
 */
#ifndef PROCESS_SPACE_H
#define PROCESS_SPACE_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct tally;

/*
 * A hook that changes what was read (breakpoints/veil uses it): called after
 * bytes were read from the tracee, to hide our traps in them.
 */
struct veil {
	void (*cover)(struct veil *veil, addr_t from, void *bytes,
		      size_t length);
};

struct space {
	struct reader reader; /* the tracee's memory without our traps */
	pid_t pid;	      /* a process that uses the space */
	int memory;	      /* /proc/PID/mem, or -1 */
	unsigned users;	      /* how many processes use the space */
	unsigned serial;      /* a number that no other space of the run has */
	const struct arch *arch; /* the architecture of its program */
	struct veil *veil;	 /* NULL: nothing to hide */
	struct tally *tally;
};

/* A space for the process pid, with one user. */
struct space *space_new(pid_t pid, struct tally *tally);
struct space *space_ref(struct space *space);
/* Frees the space if this was its last user. */
void space_unref(struct space *space);

/* Opens /proc/PID/mem, after space_new() and after each exec. -ESRCH if the
 * process has ended. */
must_check int space_open(struct space *space, struct err *err);

/* Reads the memory with our traps in it; see struct reader for the result. */
must_check int space_read_raw(struct space *space, addr_t from, void *to,
			      size_t length);
/*
 * Writes memory in spite of page protections (FOLL_FORCE), which only the
 * tracing thread may do. -ESRCH if the process has ended, -EFAULT, -EPERM.
 */
must_check int space_write(struct space *space, addr_t to, const void *from,
			   size_t length);

#endif
