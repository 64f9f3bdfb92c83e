/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Pieces of a heap, copied while nothing changes it. The reader of a copy gives
 * the copied bytes, and those of the process where nothing was copied: names
 * and types, which do not change.
 */
#ifndef HEAPS_HEAP_COPY_H
#define HEAPS_HEAP_COPY_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/err.h"
#include "base/reader.h"
#include "base/vec.h"
#include "stacks/binary.h"

struct heap_slab;
struct heap_piece;

struct heap_copy {
	struct reader reader;
	struct reader *memory;
	/* The beginnings of strings are to be copied, too. */
	bool strings;
	vec_of(struct heap_piece) pieces;
	vec_of(struct heap_piece) wanted;
	vec_of(struct heap_slab) slabs;
	size_t slab, used; /* where the next piece is copied to */
	uint64_t bytes;
	bool sorted;
};

void heap_copy_init(struct heap_copy *copy, struct reader *memory);
void heap_copy_release(struct heap_copy *copy);

/* Forgets the pieces, and keeps their room: the next copy does not wait for
 * memory. */
void heap_copy_clear(struct heap_copy *copy);

/* Copies these bytes of the process. 0; -EFAULT or -ESRCH; -EFBIG if the copy
 * would have more than 4 GiB. */
must_check int heap_copy_add(struct heap_copy *copy, addr_t from,
			     size_t length);

/* Copies these bytes like heap_copy_add(), unless a piece of the copy contains
 * them already. */
must_check int heap_copy_need(struct heap_copy *copy, addr_t from,
			      size_t length);

/* The bytes of the piece that heap_copy_add() has just added. Call this before
 * the copy is read, because a read sorts the pieces. The bytes are valid until
 * the copy is cleared. */
const uint8_t *heap_copy_last(const struct heap_copy *copy);

/* Many small pieces, such as the beginnings of strings: heap_copy_want() only
 * notes them, and heap_copy_wanted() copies them. Bytes are left out if they
 * cannot be read, or are copied already; with bytes that cannot be read, those
 * near them may be left out, too. Returns 0, or -EFBIG if the copy would have
 * more than 4 GiB. */
void heap_copy_want(struct heap_copy *copy, addr_t from, size_t length);
must_check int heap_copy_wanted(struct heap_copy *copy);

/*
 * The result of a copy: 0; -EFBIG and a message; or -EAGAIN and a message for
 * any other failure, because the heap may have changed under the copy.
 */
must_check int heap_copied(int result, const struct binary *binary,
			   const char *language, struct err *err);

#endif
