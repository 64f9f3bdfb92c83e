/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A space is an address space of tracees: one for a process and all its
 * threads, shared by a vfork child until it execs, copied by fork, replaced
 * by exec. Its memory is reached through /proc/PID/mem, which needs no stopped
 * thread (proc(5)); process_vm_readv(2) is the way round where that file is
 * refused.
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
 * Offered to whoever colours reads (breakpoints/veil): called after bytes
 * were read from the tracee, to put back what we have changed in them.
 */
struct veil {
	void (*cover)(struct veil *veil, addr_t from, void *bytes,
		      size_t length);
};

struct space {
	struct reader reader;	 /* the tracee's memory, our traps veiled */
	pid_t pid;		 /* a process that lives in it */
	int memory;		 /* /proc/PID/mem, or -1 */
	unsigned users;		 /* processes */
	unsigned serial;	 /* never used again in a run */
	const struct arch *arch; /* what its program is made for */
	struct veil *veil;	 /* NULL: nothing to hide */
	struct tally *tally;
};

/* For the process pid, with one user. */
struct space *space_new(pid_t pid, struct tally *tally);
struct space *space_ref(struct space *space);
/* The last user frees it. */
void space_unref(struct space *space);

/* Opens /proc/PID/mem; space_new() tries it, an exec needs it again. */
must_check int space_open(struct space *space, struct err *err);

/* As the tracee has it, traps and all; see struct reader for the result. */
must_check int space_read_raw(struct space *space, addr_t from, void *to,
			      size_t length);
/*
 * Writes through protections (FOLL_FORCE): only we are the ptracer, only from
 * the tracing thread. -ESRCH when the process is gone, -EFAULT, -EPERM.
 */
must_check int space_write(struct space *space, addr_t to, const void *from,
			   size_t length);

#endif
