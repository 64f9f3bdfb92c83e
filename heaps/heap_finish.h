/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an interpreter begins to end: its heap is still whole there, and only
 * the thread that gets there may change the heap. */
#ifndef HEAPS_HEAP_FINISH_H
#define HEAPS_HEAP_FINISH_H

#include "base/reader.h"
#include "stacks/binary.h"

/* The function in the binary that the interpreter calls when it begins to end;
 * 0 if the binary has no interpreter whose end is known. The function may also
 * be called earlier. */
addr_t heap_finish_function(struct binary *binary, struct reader *memory);

/* A thread has entered the function that heap_finish_function() has found. Does
 * the interpreter end now? */
bool heap_finishes(struct binary *binary, struct reader *memory);

#endif
