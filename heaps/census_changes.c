/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A class is found again by its address. If another class has that address now,
 * the class that had it before has lost all its objects. */
#include "heaps/census_changes.h"

#include <string.h>

static void
add(struct census_changes *changes, const char *name,
    const struct census_row *before, const struct census_row *after)
{
	struct census_change change = { .name = name };

	if (after) {
		change.count += (int64_t)after->count;
		change.bytes += (int64_t)after->bytes;
	}
	if (before) {
		change.count -= (int64_t)before->count;
		change.bytes -= (int64_t)before->bytes;
	}
	if (change.count == 0 && change.bytes == 0)
		return;
	changes->count += change.count;
	changes->bytes += change.bytes;
	vec_push(&changes->rows, change);
}

/* The row of the class in the census, or NULL. If another class has its
 * address, the name of the row differs. */
static const struct census_row *
same_class(const struct census *census, uint64_t class,
	   const struct census_row *row)
{
	const struct census_row *found = census_row(census, class);

	return found && strcmp(found->name, row->name) == 0 ? found : NULL;
}

static int
compare_changes(const void *one, const void *other)
{
	const struct census_change *a = one, *b = other;

	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->name, b->name);
}

void
census_changes_init(struct census_changes *changes, const struct census *before,
		    const struct census *after)
{
	size_t cursor = 0;
	uint64_t class;
	void *value;

	*changes = (struct census_changes){ 0 };
	while (map_next(&after->by_class, &cursor, &class, &value)) {
		const struct census_row *row = value;

		add(changes, row->name, same_class(before, class, row), row);
	}
	cursor = 0;
	while (map_next(&before->by_class, &cursor, &class, &value)) {
		const struct census_row *row = value;

		if (!same_class(after, class, row))
			add(changes, row->name, row, NULL);
	}
	vec_sort(&changes->rows, compare_changes);
}

void
census_changes_release(struct census_changes *changes)
{
	vec_release(&changes->rows);
}
