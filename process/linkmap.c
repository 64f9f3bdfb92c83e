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
/* How far the last entry of a span may be behind its first one: less than a
 * page. */
#define NEAR 4096u

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

/* Entries that are less than a page apart are in one span, because the kernel
 * looks for the pages of each span. No page is read that has no entry. Returns
 * the number of spans; number[i] is that of entry i's span. */
static size_t
spans_of_links(const addr_t *at, size_t count, size_t size, struct span *spans,
	       size_t *number)
{
	size_t made = 0;

	for (size_t i = 0; i < count; i++) {
		struct span *last = made ? &spans[made - 1] : NULL;

		if (!last || at[i] < last->from || at[i] - last->from >= NEAR)
			spans[made++] = (struct span){ at[i], NULL, size };
		else if (at[i] - last->from + size > last->length)
			last->length = at[i] - last->from + size;
		number[i] = made - 1;
	}
	return made;
}

size_t
linkmap_links(struct reader *reader, unsigned word, const addr_t *at,
	      size_t count, struct link_view *ret_views)
{
	const size_t size = (size_t)LINK_WORDS * word;
	struct span *spans = xcalloc(count + 1, sizeof(*spans));
	size_t *number = xcalloc(count + 1, sizeof(*number));
	size_t made = spans_of_links(at, count, size, spans, number);
	size_t length = 0, done, i;
	uint8_t *bytes;

	for (i = 0; i < made; i++)
		length += spans[i].length;
	bytes = xcalloc(length + 1, 1);
	length = 0;
	for (i = 0; i < made; i++) {
		spans[i].to = bytes + length;
		length += spans[i].length;
	}
	done = reader_spans(reader, spans, made);
	for (i = 0; i < count && number[i] < done; i++) {
		const struct span *span = &spans[number[i]];
		const uint8_t *to = span->to;

		ret_views[i] = view_of(to + (at[i] - span->from), word);
	}
	/* An entry of a span that cannot be read may be readable alone. */
	while (i < count &&
	       linkmap_link(reader, word, at[i], &ret_views[i]) == 0)
		i++;
	free(bytes);
	free(number);
	free(spans);
	return i;
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
