/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a small function of the interpreter finds what it returns: its code is
 * followed (struct arch_code, accessor), and the addresses of the data that it
 * reads are noted. This gives offsets that differ between builds.
 */
#ifndef STACKS_NOTED_READS_H
#define STACKS_NOTED_READS_H

#include "arch/arch.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdint.h>

#define NOTED_MOST 8u

struct noted_reads {
	struct reader reader;
	struct reader *memory;
	unsigned count; /* may be more than NOTED_MOST */
	addr_t at[NOTED_MOST];
	uint8_t lengths[NOTED_MOST]; /* in bytes, 8 at most */
};

/* Follows the function at entry, which has no arguments. False if that is not
 * possible, or if it reads more than NOTED_MOST times. */
must_check bool noted_reads_of(struct noted_reads *noted,
			       const struct arch *arch, struct reader *memory,
			       addr_t entry);

#endif
