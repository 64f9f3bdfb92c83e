/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See the header; struct r_debug and struct link_map of link.h. */
#include "process/linkmap.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <link.h>
#include <stdlib.h>

/* A dynamic section has some thirty entries. This limit ends a damaged one. */
#define MOST_ENTRIES 512

int
linkmap_r_debug(struct reader *reader, addr_t at, struct r_debug_view *ret_view)
{
	uint64_t words[6] = { 0 };
	int r = reader_read(reader, at, words, 5 * sizeof(words[0]));

	if (r < 0)
		return r;
	if ((int)words[0] >= 2)
		r = reader_u64(reader, at + 5 * sizeof(words[0]), &words[5]);
	if (r < 0)
		return r;
	*ret_view = (struct r_debug_view){
		.version = (int)words[0],
		.first = words[1],
		.brk = words[2],
		.state = (int)words[3],
		.base = words[4],
		.next = words[5],
	};
	return 0;
}

/* The first members of struct link_map. */
struct link_words {
	uint64_t addr, name, ld, next, prev;
};

static struct link_view
view_of(const struct link_words *words)
{
	return (struct link_view){
		.bias = words->addr,
		.name = words->name,
		.dynamic = words->ld,
		.next = words->next,
		.previous = words->prev,
	};
}

int
linkmap_link(struct reader *reader, addr_t at, struct link_view *ret_view)
{
	struct link_words words;
	int r = reader_read(reader, at, &words, sizeof(words));

	if (r == 0)
		*ret_view = view_of(&words);
	return r;
}

size_t
linkmap_links(struct reader *reader, const addr_t *at, size_t count,
	      struct link_view *ret_views)
{
	struct link_words *words = xcalloc(count, sizeof(*words));
	struct span *spans = xcalloc(count, sizeof(*spans));
	size_t done;

	for (size_t i = 0; i < count; i++)
		spans[i] = (struct span){ at[i], &words[i], sizeof(*words) };
	done = reader_spans(reader, spans, count);
	for (size_t i = 0; i < done; i++)
		ret_views[i] = view_of(&words[i]);
	free(spans);
	free(words);
	return done;
}

int
linkmap_find(struct reader *reader, addr_t dynamic, addr_t *ret_r_debug)
{
	for (unsigned i = 0; i < MOST_ENTRIES; i++) {
		Elf64_Dyn entry;
		int r = reader_read(reader, dynamic + i * sizeof(entry), &entry,
				    sizeof(entry));

		if (r < 0)
			return r;
		if (entry.d_tag == DT_NULL)
			break;
		if (entry.d_tag == DT_DEBUG) {
			*ret_r_debug = entry.d_un.d_ptr;
			return 0;
		}
	}
	return -ENOENT;
}
