/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is mapped where in a process (/proc/PID/maps, proc(5)).
 */
#ifndef PROCESS_MAPS_H
#define PROCESS_MAPS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct mapping {
	addr_t start, end;
	uint64_t offset;
	dev_t device;
	ino_t inode;
	bool readable, writable, executable, shared;
	char *path; /* "" for anonymous memory; owned by the maps */
};

struct maps {
	vec_of(struct mapping) mappings; /* by address */
};

void maps_init(struct maps *maps);
void maps_release(struct maps *maps);
/* 0 or -errno; -ESRCH when the process has no memory any more. */
must_check int maps_read(struct maps *maps, pid_t pid);

/* Something was mapped since that was read, or is about to be; nothing was in
 * its place. */
void maps_add(struct maps *maps, addr_t start, addr_t end);

/* NULL where nothing is mapped. */
const struct mapping *maps_covering(const struct maps *maps, addr_t address);

/*
 * Room for `size` bytes (whole pages) that is free, such that all of it lies
 * within reach (in bytes) of [low, high): below low if there is any, else above
 * high. The heap (brk) grows behind the program and is not put in a corner. 0
 * where there is none.
 */
addr_t maps_gap(const struct maps *maps, addr_t low, addr_t high, uint64_t size,
		uint64_t reach);

/*
 * The one mapping at address, with path, through PROCMAP_QUERY (Linux 6.11)
 * or by reading all of them. The caller frees ret_mapping->path. -ENOENT.
 */
must_check int maps_query(pid_t pid, addr_t address,
			  struct mapping *ret_mapping);

#endif
