/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recall is a reader for those who look at the same places again and again,
 * as the walks of a program's stacks do: it reads by pages, remembers which
 * pages the last walks looked at, and begins a walk by reading what they wanted
 * of them afresh at one go. Nothing that it answers is older than its walk, so
 * nothing need be checked against memory that was freed and used again.
 */
#ifndef STACKS_RECALL_H
#define STACKS_RECALL_H

#include "base/reader.h"

#include <stdbool.h>

/* Deep stacks of several threads; more are read without being remembered. */
#define RECALL_PAGES 128u
#define RECALL_CELLS 256u

struct recall_page {
	addr_t at;
	unsigned wanted; /* by which walk last */
	/* What walks wanted of it, and what this one has: from, to. */
	uint16_t low, high;
	uint16_t first, end;
};

struct recall {
	/* What a walk looks through; its views hold until the walk's end. */
	struct reader reader;
	struct reader *memory;
	int error; /* -ESRCH once the process is gone */
	unsigned walk;
	size_t count;
	size_t last; /* the place of the page that was read last */
	struct recall_page pages[RECALL_PAGES];
	uint8_t cells[RECALL_CELLS]; /* page number -> place in pages, from 1 */
	uint8_t *bytes;		     /* of the pages, in their order */
};

void recall_init(struct recall *recall);
void recall_release(struct recall *recall);

/* A walk begins, of memory as it is now. */
void recall_begin(struct recall *recall, struct reader *memory);

#endif
