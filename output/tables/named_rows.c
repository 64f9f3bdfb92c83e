/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A row's address also is that of its first member (C11, 6.7.2.1), so that its
 * name is known without its type. */
#include "output/tables/named_rows.h"

#include "base/xmalloc.h"

#include <stdlib.h>

void
named_rows_init(struct named_rows *rows)
{
	*rows = (struct named_rows){ 0 };
	strmap_init(&rows->by_name);
}

void
named_rows_release(struct named_rows *rows)
{
	for (size_t i = 0; i < rows->list.count; i++) {
		free(*(char **)rows->list.at[i]);
		free(rows->list.at[i]);
	}
	vec_release(&rows->list);
	strmap_release(&rows->by_name);
}

void *
named_rows_find(struct named_rows *rows, const char *name, size_t size)
{
	void *row = strmap_get(&rows->by_name, name);

	if (row)
		return row;
	row = xcalloc(1, size);
	*(char **)row = xstrdup(name);
	strmap_put(&rows->by_name, name, row);
	vec_push(&rows->list, row);
	return row;
}
