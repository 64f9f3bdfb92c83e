/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture keeps what was read of a tracee's memory at one moment of a call.
 * It is in the call's arena, so that it can be read again when the thread has
 * been running for a long time. An open capture reads missing bytes from the
 * live reader; a sealed capture gives only the bytes that it has. It is itself
 * a reader.
 */
#ifndef VALUES_CAPTURE_H
#define VALUES_CAPTURE_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stddef.h>

struct capture_piece;

/* The number of lists for the pieces, as long as there are few pieces. */
#define CAPTURE_LISTS 16u

struct capture {
	struct reader reader;
	struct reader *live; /* NULL: sealed */
	struct arena *arena;
	/* A hash table of lists of pieces; the key is a piece's page. This is
	 * the member `few` until there are many pieces. */
	struct capture_piece **lists;
	size_t list_count; /* a power of two */
	size_t piece_count;
	struct capture_piece *few[CAPTURE_LISTS];
};

/* The capture is open and must not be moved. live is needed until the capture
 * is sealed, and arena as long as the capture. */
void capture_init(struct capture *capture, struct reader *live,
		  struct arena *arena);
void capture_seal(struct capture *capture);

/* Adds bytes that were read at this address by other means. */
void capture_add(struct capture *capture, addr_t address,
		 const unsigned char *bytes, size_t length);

/*
 * The contiguous bytes at address, at least one and at most want, in the
 * arena's memory. NULL if the first byte cannot be read, or was not read while
 * the capture was open. The result may be shorter than want although more bytes
 * can be read: call again for the next bytes.
 */
const unsigned char *capture_peek(struct capture *capture, addr_t address,
				  size_t want, size_t *ret_have);

/* Like reader_read() on the capture: reads all bytes, or returns -EFAULT. */
must_check int capture_read(struct capture *capture, addr_t address, void *to,
			    size_t length);

#endif
