/* SPDX-License-Identifier: GPL-2.0-or-later */
/* See the header; struct r_debug and struct link_map of link.h. */
#include "process/linkmap.h"

#include <errno.h>
#include <link.h>

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

int
linkmap_link(struct reader *reader, addr_t at, struct link_view *ret_view)
{
	uint64_t words[5];
	int r = reader_read(reader, at, words, sizeof(words));

	if (r < 0)
		return r;
	*ret_view = (struct link_view){
		.bias = words[0],
		.name = words[1],
		.dynamic = words[2],
		.next = words[3],
		.previous = words[4],
	};
	return 0;
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
