/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A peek reads words of memory that may be damaged: what cannot be read is 0
 * and leaves a mark, so that a chain of pointers is followed as it is drawn
 * and asked about once, at its end.
 */
#ifndef STACKS_PEEK_H
#define STACKS_PEEK_H

#include "base/reader.h"

#include <stdbool.h>
#include <string.h>

struct peek {
	struct reader *memory;
	bool fault; /* something could not be read */
};

static inline bool
peek_bytes(struct peek *peek, addr_t at, void *to, size_t length)
{
	if (reader_read(peek->memory, at, to, length) == 0)
		return true;
	memset(to, 0, length);
	peek->fault = true;
	return false;
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

/* Has it left a mark? The next chain begins without one. */
static inline bool
peek_failed(struct peek *peek)
{
	bool fault = peek->fault;

	peek->fault = false;
	return fault;
}

#endif
