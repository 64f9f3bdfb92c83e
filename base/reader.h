/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A reader gives the bytes at an address, from anywhere: a live process, a
 * capture of one, a file, a test's array. It is one of the four waists of the
 * house: all that looks at a tracee's memory looks through it.
 */
#ifndef BASE_READER_H
#define BASE_READER_H

#include "base/addr.h"
#include "base/attr.h"

#include <stddef.h>
#include <stdint.h>

/* One of several pieces that are read at one go. */
struct span {
	addr_t from;
	void *to;
	size_t length;
};

/* Bytes of the memory that is read, as they lie in our own. */
struct view {
	addr_t from;
	size_t length;
	const uint8_t *bytes;
};

struct reader {
	/*
	 * Fills to with the len bytes at from: 0, or -EFAULT when any of them
	 * cannot be read, -ESRCH when the process is gone. All or nothing.
	 */
	int (*read)(struct reader *reader, addr_t from, void *to, size_t len);
	/*
	 * Where many pieces cost less than one by one, else NULL: fills spans
	 * from the first on, as many as it likes at a time, and answers how
	 * many; 0 where the first cannot be read so.
	 */
	size_t (*read_spans)(struct reader *reader, const struct span *spans,
			     size_t count);
	/*
	 * Where what was read stays with the reader, else NULL: sets *ret_view
	 * to what it has around what it read last, for those who look at many
	 * small things there. How long that holds, the reader's header says.
	 */
	void (*last_view)(struct reader *reader, struct view *ret_view);
};

static inline must_check int
reader_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	return reader->read(reader, from, to, len);
}

/* How many of the spans were filled, from the first on. What is wrong with
 * the next is learnt by reading it alone. */
size_t reader_spans(struct reader *reader, const struct span *spans,
		    size_t count);

/* One little-endian word at from; *ret_value is set on success only. */
must_check int reader_u64(struct reader *reader, addr_t from,
			  uint64_t *ret_value);
must_check int reader_u32(struct reader *reader, addr_t from,
			  uint32_t *ret_value);

/*
 * As many of the room bytes at from as can be read, up to the first page that
 * cannot: how many came, or a negative errno if not one did.
 */
must_check long reader_some(struct reader *reader, addr_t from, void *to,
			    size_t room);

/*
 * The NUL-terminated string at from, cut at room - 1 bytes and always
 * terminated: its length, or -EFAULT when its first byte cannot be read.
 * A string cut by an unreadable page ends there. *ret_whole (may be NULL)
 * tells whether the NUL was found.
 */
must_check long reader_cstr(struct reader *reader, addr_t from, char *to,
			    size_t room, int *ret_whole);

#endif
