/* SPDX-License-Identifier: GPL-2.0-or-later */
/* If the numbers of several pages share an index, the last page's view is
 * kept. */
#include "stacks/peek.h"

bool
peek_afresh(struct peek *peek, addr_t at, void *to, size_t length)
{
	struct view *view = &peek->views[at / ADDR_PAGE % PEEK_VIEWS];

	if (reader_read(peek->memory, at, to, length) < 0) {
		memset(to, 0, length);
		peek->fault = true;
		return false;
	}
	if (peek->memory->last_view)
		peek->memory->last_view(peek->memory, view);
	return true;
}
