/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory mappings of a process (/proc/PID/maps, proc(5)). */
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
	char *path; /* "" for anonymous memory; the maps own it */
};

struct maps {
	vec_of(struct mapping) mappings; /* sorted by address */
};

void maps_init(struct maps *maps);
void maps_release(struct maps *maps);
/* Reads the mappings of the process. Returns 0 or -errno; -ESRCH if the process
 * has no memory any more. */
must_check int maps_read(struct maps *maps, pid_t pid);

/* Adds a mapping that was created after the reading, or is about to be. Its
 * place was free. */
void maps_add(struct maps *maps, addr_t start, addr_t end);

/* The mapping at address, or NULL. */
const struct mapping *maps_covering(const struct maps *maps, addr_t address);

/*
 * Finds free space of `size` bytes (whole pages) within reach (in bytes) of all
 * of [low, high). Prefers space below low to space above high. Keeps a distance
 * from the heap (brk), which grows after the program. 0 if there is none.
 */
addr_t maps_gap(const struct maps *maps, addr_t low, addr_t high, uint64_t size,
		uint64_t reach);

/*
 * Finds the mapping at address, with its path, by PROCMAP_QUERY (Linux 6.11) or
 * by reading all mappings. The caller frees ret_mapping->path. Returns 0,
 * -ENOENT if no mapping contains the address, or another error.
 */
must_check int maps_query(pid_t pid, addr_t address,
			  struct mapping *ret_mapping);

/*
 * As maps_query(), for many questions about one process: *fd is -1 at the first
 * question, and then /proc/PID/maps, which the caller closes. If the process
 * calls exec meanwhile, the later answers are about its new memory.
 */
must_check int maps_query_open(int *fd, pid_t pid, addr_t address,
			       struct mapping *ret_mapping);

#endif
