/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of each file that a process has mapped is in memory
 * (/proc/PID/smaps, proc(5)). */
#ifndef PROCESS_SMAPS_H
#define PROCESS_SMAPS_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdint.h>
#include <sys/types.h>

/* All mappings of one file, or of one kind of memory: "[heap]", "[stack]". */
struct smaps_file {
	const char *name;	   /* "" for memory without a name */
	uint64_t mapped, resident; /* bytes */
};

struct smaps {
	struct arena arena;
	vec_of(struct smaps_file) files; /* the largest in memory first */
};

/* Reads the mappings of the process. Returns 0 or -errno; -ESRCH if the process
 * has no memory any more. Release in any case. */
must_check int smaps_read(struct smaps *smaps, pid_t pid);
/* As smaps_read(), from the text of such a file. Changes the text. */
void smaps_parse(struct smaps *smaps, char *text);
void smaps_release(struct smaps *smaps);

#endif
