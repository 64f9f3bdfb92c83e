/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The layouts are those of struct r_debug and struct link_map in link.h. Each
 * member that is read here takes the space of a whole address. This is also
 * true of the two members that are an int, because the member behind each of
 * them is aligned.
 */
#include "process/linkmap.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>

/* A dynamic section has some thirty entries. This limit ends a damaged one. */
#define MOST_ENTRIES 512

static uint64_t
word_at(const uint8_t *bytes, unsigned word, size_t i)
{
	uint64_t value = 0;

	memcpy(&value, bytes + i * word, word);
	return value;
}

#define WORD_MOST sizeof(uint64_t)

int
linkmap_r_debug(struct reader *reader, unsigned word, addr_t at,
		struct r_debug_view *ret_view)
{
	uint8_t bytes[5 * WORD_MOST];
	uint64_t next = 0;
	int r = reader_read(reader, at, bytes, (size_t)5 * word), version;

	if (r < 0)
		return r;
	version = (int)word_at(bytes, word, 0);
	if (version >= 2)
		r = reader_word(reader, at + (addr_t)5 * word, word, &next);
	if (r < 0)
		return r;
	*ret_view = (struct r_debug_view){
		.version = version,
		.first = word_at(bytes, word, 1),
		.brk = word_at(bytes, word, 2),
		.state = (int)word_at(bytes, word, 3),
		.base = word_at(bytes, word, 4),
		.next = next,
	};
	return 0;
}

/* The first members of struct link_map: addr, name, ld, next, prev. */
#define LINK_WORDS 5u

static struct link_view
view_of(const uint8_t *bytes, unsigned word)
{
	return (struct link_view){
		.bias = word_at(bytes, word, 0),
		.name = word_at(bytes, word, 1),
		.dynamic = word_at(bytes, word, 2),
		.next = word_at(bytes, word, 3),
		.previous = word_at(bytes, word, 4),
	};
}

int
linkmap_link(struct reader *reader, unsigned word, addr_t at,
	     struct link_view *ret_view)
{
	uint8_t bytes[LINK_WORDS * WORD_MOST];
	int r = reader_read(reader, at, bytes, (size_t)LINK_WORDS * word);

	if (r == 0)
		*ret_view = view_of(bytes, word);
	return r;
}

size_t
linkmap_links(struct reader *reader, unsigned word, const addr_t *at,
	      size_t count, struct link_view *ret_views)
{
	const size_t size = (size_t)LINK_WORDS * word;
	uint8_t *bytes = xcalloc(count + 1, size);
	struct span *spans = xcalloc(count, sizeof(*spans));
	size_t done;

	for (size_t i = 0; i < count; i++)
		spans[i] = (struct span){ at[i], bytes + i * size, size };
	done = reader_spans(reader, spans, count);
	for (size_t i = 0; i < done; i++)
		ret_views[i] = view_of(bytes + i * size, word);
	free(spans);
	free(bytes);
	return done;
}

int
linkmap_find(struct reader *reader, unsigned word, addr_t dynamic,
	     addr_t *ret_r_debug)
{
	for (unsigned i = 0; i < MOST_ENTRIES; i++) {
		/* a tag and a value (Elf32_Dyn, Elf64_Dyn) */
		uint8_t entry[2 * WORD_MOST];
		int r = reader_read(reader, dynamic + (addr_t)i * 2 * word,
				    entry, (size_t)2 * word);

		if (r < 0)
			return r;
		if (word_at(entry, word, 0) == DT_NULL)
			break;
		if (word_at(entry, word, 0) == DT_DEBUG) {
			*ret_r_debug = word_at(entry, word, 1);
			return 0;
		}
	}
	return -ENOENT;
}
