/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A capture is what was read of a tracee's memory at one moment of a call,
 * kept in the call's arena so that it can be asked again when the thread has
 * long run on. While it is open it reads through to the live reader; sealed,
 * it answers only from what it remembers. It is itself a reader.
 */
#ifndef VALUES_CAPTURE_H
#define VALUES_CAPTURE_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stddef.h>

struct capture_piece;

/* Lists that the pieces are spread over, as long as they are few. */
#define CAPTURE_LISTS 16u

struct capture {
	struct reader reader;
	struct reader *live; /* NULL: sealed */
	struct arena *arena;
	/* By their page; lists is few at first. */
	struct capture_piece **lists;
	size_t list_count; /* a power of two */
	size_t piece_count;
	struct capture_piece *few[CAPTURE_LISTS];
};

/* Open; it stays where it is. live is needed until the capture is sealed,
 * arena as long as it. */
void capture_init(struct capture *capture, struct reader *live,
		  struct arena *arena);
void capture_seal(struct capture *capture);

/*
 * The bytes from address on that can be seen without a break, at least one
 * and at most want, in the arena's memory. NULL where the first cannot be
 * read, or was not while the capture was open. That fewer came than were
 * wanted says nothing: ask again behind them.
 */
const unsigned char *capture_peek(struct capture *capture, addr_t address,
				  size_t want, size_t *ret_have);

/* As reader_read() on the capture: all of it, or -EFAULT. */
must_check int capture_read(struct capture *capture, addr_t address, void *to,
			    size_t length);

#endif
