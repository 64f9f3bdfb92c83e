/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Two classes may have the same name, so a row is found by the address of its
 * class. */
#include "heaps/census.h"

#include "heaps/census_strings.h"

#include <string.h>

void
census_init(struct census *census)
{
	*census = (struct census){ 0 };
	arena_init(&census->arena);
	map_init(&census->by_class);
}

void
census_release(struct census *census)
{
	census_strings_free(census->strings);
	vec_release(&census->mappings);
	vec_release(&census->free);
	vec_release(&census->rows);
	map_release(&census->by_class);
	arena_release(&census->arena);
}

struct census_row *
census_add(struct census *census, addr_t class, const char *name)
{
	struct census_row *row = arena_zalloc(&census->arena, sizeof(*row));

	row->name = arena_strdup(&census->arena, name);
	map_put(&census->by_class, class, row);
	vec_push(&census->rows, row);
	return row;
}

struct census_row *
census_row(const struct census *census, addr_t class)
{
	return map_get(&census->by_class, class);
}

void
census_count(struct census *census, struct census_row *row, uint64_t objects,
	     uint64_t bytes)
{
	row->count += objects;
	row->bytes += bytes;
	census->count += objects;
	census->bytes += bytes;
}

void
census_give(struct census *census, struct census_row *from,
	    struct census_row *to, uint64_t bytes)
{
	from->count--;
	from->bytes -= bytes;
	to->bytes += bytes;
	census->count--;
	census->parts++;
}

void
census_survivor(struct census *census, struct census_row *row)
{
	row->survived++;
	census->survived++;
}

void
census_add_free(struct census *census, const char *name, uint64_t pieces,
		uint64_t bytes)
{
	struct census_row *row;

	if (pieces == 0)
		return;
	row = arena_zalloc(&census->arena, sizeof(*row));
	row->name = arena_strdup(&census->arena, name);
	row->count = pieces;
	row->bytes = bytes;
	vec_push(&census->free, row);
}

void
census_add_mapping(struct census *census, const char *name, uint64_t mapped,
		   uint64_t resident)
{
	struct census_mapping mapping = {
		.name = arena_strdup(&census->arena, name),
		.mapped = mapped,
		.resident = resident,
	};

	vec_push(&census->mappings, mapping);
}

static int
compare_rows(const void *one, const void *other)
{
	const struct census_row *a = *(struct census_row *const *)one;
	const struct census_row *b = *(struct census_row *const *)other;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

void
census_sort(struct census *census)
{
	size_t kept = 0;

	for (size_t i = 0; i < census->rows.count; i++)
		if (census->rows.at[i]->count > 0)
			census->rows.at[kept++] = census->rows.at[i];
	census->rows.count = kept;
	vec_sort(&census->rows, compare_rows);
	vec_sort(&census->free, compare_rows);
}
