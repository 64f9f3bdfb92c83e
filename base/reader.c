/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What callers often need of a reader: words, strings, and as many bytes as are
 * readable. A reader itself reads all bytes of a request or none. Therefore
 * reader_some() and reader_cstr() read page by page, because only whole pages
 * are readable or not.
 */
#include "base/reader.h"

#include <errno.h>
#include <string.h>

/* The first step in reading a string. It is small, because most strings are
 * short. */
#define FIRST_STEP 64u

size_t
reader_spans(struct reader *reader, const struct span *spans, size_t count)
{
	size_t done = 0;

	while (done < count) {
		const struct span *span = &spans[done];
		size_t more = 0;

		if (reader->read_spans)
			more = reader->read_spans(reader, span, count - done);
		else if (reader_read(reader, span->from, span->to,
				     span->length) == 0)
			more = 1;
		if (more == 0)
			break;
		done += more;
	}
	return done;
}

int
reader_u64(struct reader *reader, addr_t from, uint64_t *ret_value)
{
	uint64_t value;
	int r = reader_read(reader, from, &value, sizeof(value));

	if (r < 0)
		return r;
	*ret_value = value;
	return 0;
}

int
reader_u32(struct reader *reader, addr_t from, uint32_t *ret_value)
{
	uint32_t value;
	int r = reader_read(reader, from, &value, sizeof(value));

	if (r < 0)
		return r;
	*ret_value = value;
	return 0;
}

int
reader_word(struct reader *reader, addr_t from, unsigned size,
	    uint64_t *ret_value)
{
	uint32_t half;
	int r;

	if (size != sizeof(half))
		return reader_u64(reader, from, ret_value);
	r = reader_u32(reader, from, &half);
	if (r == 0)
		*ret_value = half;
	return r;
}

static size_t
to_page_end(addr_t from)
{
	return ADDR_PAGE - from % ADDR_PAGE;
}

long
reader_some(struct reader *reader, addr_t from, void *to, size_t room)
{
	size_t have = 0;
	int r;

	if (room == 0)
		return 0;
	r = reader_read(reader, from, to, room);
	if (r == 0)
		return (long)room;
	while (have < room) {
		size_t step = to_page_end(from + have);

		if (step > room - have)
			step = room - have;
		r = reader_read(reader, from + have, (char *)to + have, step);
		if (r < 0)
			break;
		have += step;
	}
	return have ? (long)have : r;
}

long
reader_cstr(struct reader *reader, addr_t from, char *to, size_t room,
	    int *ret_whole)
{
	size_t have = 0, step = FIRST_STEP;
	int whole = 0;

	if (room == 0)
		return -EINVAL;
	while (have < room - 1 && !whole) {
		size_t want = room - 1 - have;
		char *nul;
		int r;

		if (want > step)
			want = step;
		if (want > to_page_end(from + have))
			want = to_page_end(from + have);
		r = reader_read(reader, from + have, to + have, want);
		if (r < 0 && have == 0)
			return r;
		if (r < 0)
			break;
		nul = memchr(to + have, '\0', want);
		whole = nul != NULL;
		have = whole ? (size_t)(nul - to) : have + want;
		step = ADDR_PAGE;
	}
	to[have] = '\0';
	if (ret_whole)
		*ret_whole = whole;
	return (long)have;
}
