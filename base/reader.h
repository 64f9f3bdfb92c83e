/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader gives the bytes at an address. They may come from a live process, a
 * capture, a file or a test's array. A reader is one of the four waists of the
 * house: all code that reads a tracee's memory uses one.
 */
#ifndef BASE_READER_H
#define BASE_READER_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One of several pieces of memory that are read together. */
struct span {
	addr_t from;
	void *to;
	size_t length;
};

/* A range of the memory that is read, and where xtrace has a copy of its
 * bytes. */
struct view {
	addr_t from;
	size_t length;
	const uint8_t *bytes;
};

struct reader {
	/*
	 * Copies the len bytes at from into to. Returns 0, -EFAULT if any of
	 * the bytes cannot be read, or -ESRCH if the process has ended. Never
	 * copies a part.
	 */
	int (*read)(struct reader *reader, addr_t from, void *to, size_t len);
	/*
	 * Reads several spans together, if that is cheaper than one by one;
	 * else NULL. Fills spans in order, as many as it likes at a time, and
	 * returns how many it filled. Returns 0 if it cannot read the first one
	 * this way.
	 */
	size_t (*read_spans)(struct reader *reader, const struct span *spans,
			     size_t count);
	/*
	 * NULL unless the reader keeps what it has read. Sets *ret_view to the
	 * kept bytes around the last read, for callers that read many small
	 * things in that area. The reader's header says how long the view is
	 * valid.
	 */
	void (*last_view)(struct reader *reader, struct view *ret_view);
	/* The bytes are copies in xtrace, so a cache in front of this reader
	 * would gain nothing. */
	bool copied;
};

static inline must_check int
reader_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	return reader->read(reader, from, to, len);
}

/* Returns how many of the spans were filled, from the first on. To get the
 * error of the next span, read it alone. */
size_t reader_spans(struct reader *reader, const struct span *spans,
		    size_t count);

/* Reads one little-endian word at from. *ret_value is set only on success. */
must_check int reader_u64(struct reader *reader, addr_t from,
			  uint64_t *ret_value);
must_check int reader_u32(struct reader *reader, addr_t from,
			  uint32_t *ret_value);
/* Reads an address of a program in which addresses have `size` bytes, 4 or
 * 8. */
must_check int reader_word(struct reader *reader, addr_t from, unsigned size,
			   uint64_t *ret_value);

/*
 * Reads as many of the room bytes at from as can be read, up to the first
 * unreadable page. Returns their number, or a negative errno if not even the
 * first byte can be read.
 */
must_check long reader_some(struct reader *reader, addr_t from, void *to,
			    size_t room);

/*
 * Reads the NUL-terminated string at from, cuts it at room - 1 bytes, and
 * always terminates it. Returns its length, or -EFAULT if its first byte cannot
 * be read. A string that continues into an unreadable page ends before that
 * page. *ret_whole (may be NULL) tells whether the NUL was found.
 */
must_check long reader_cstr(struct reader *reader, addr_t from, char *to,
			    size_t room, int *ret_whole);

#endif
