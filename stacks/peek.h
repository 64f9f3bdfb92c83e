/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A peek reads words of memory that may be damaged: a word that cannot be read
 * is 0 and sets a mark. So a chain of pointers is followed without checks, and
 * the mark is tested once at its end. A peek is used for one walk only.
 *
 * Most of a walk's time is spent on some hundred words of about a dozen pages
 * that the reader has already read: they are taken from the reader's views,
 * without another call of the reader.
 */
#ifndef STACKS_PEEK_H
#define STACKS_PEEK_H

#include "base/reader.h"

#include <stdbool.h>
#include <string.h>

#define PEEK_VIEWS 64u

struct peek {
	struct reader *memory;
	bool fault; /* something could not be read */
	/* copies of pages; the index depends on the page's number */
	struct view views[PEEK_VIEWS];
};

/* Reads with the reader instead of from the kept views, and keeps the reader's
 * view of the page, if the reader has one. */
bool peek_afresh(struct peek *peek, addr_t at, void *to, size_t length);

/* The address of this many bytes in a view, or NULL. */
static inline const uint8_t *
peek_viewed(const struct peek *peek, addr_t at, size_t length)
{
	const struct view *view = &peek->views[at / ADDR_PAGE % PEEK_VIEWS];
	size_t within = at - view->from;

	if (within >= view->length || view->length - within < length)
		return NULL;
	return view->bytes + within;
}

static inline bool
peek_bytes(struct peek *peek, addr_t at, void *to, size_t length)
{
	const uint8_t *viewed = peek_viewed(peek, at, length);

	if (!viewed)
		return peek_afresh(peek, at, to, length);
	memcpy(to, viewed, length);
	return true;
}

static inline uint64_t
peek_u64(struct peek *peek, addr_t at)
{
	uint64_t value;

	peek_bytes(peek, at, &value, sizeof(value));
	return value;
}

static inline uint32_t
peek_u32(struct peek *peek, addr_t at)
{
	uint32_t value;

	peek_bytes(peek, at, &value, sizeof(value));
	return value;
}

static inline uint16_t
peek_u16(struct peek *peek, addr_t at)
{
	uint16_t value;

	peek_bytes(peek, at, &value, sizeof(value));
	return value;
}

static inline uint8_t
peek_u8(struct peek *peek, addr_t at)
{
	uint8_t value;

	peek_bytes(peek, at, &value, sizeof(value));
	return value;
}

/* Is the mark set? Clears it for the next chain. */
static inline bool
peek_failed(struct peek *peek)
{
	bool fault = peek->fault;

	peek->fault = false;
	return fault;
}

#endif
