/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an interpreter begins to end: its heap is still whole there, and only
 * the thread that gets there may change the heap. */
#ifndef HEAPS_HEAP_FINISH_H
#define HEAPS_HEAP_FINISH_H

#include "base/reader.h"
#include "stacks/host.h"

/* The function in the host that the interpreter calls there; 0 if the host has
 * no interpreter whose end is known. The function may be called earlier,
 * too. */
addr_t heap_finish_function(struct host *host, struct reader *memory);

/* A thread has entered that function: is it the interpreter's end? */
bool heap_finishes(struct host *host, struct reader *memory);

#endif
