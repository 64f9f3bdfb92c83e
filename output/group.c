/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields are read in place: a list of them is never stored. */
#include "output/group.h"

#include <string.h>

bool
group_next(const char **fields, char field[GROUP_FIELD_MOST])
{
	const char *at = *fields;
	size_t length;

	if (!at)
		return false;
	length = strcspn(at, ",");
	*fields = at[length] ? at + length + 1 : NULL;
	if (length >= GROUP_FIELD_MOST)
		length = GROUP_FIELD_MOST - 1;
	memcpy(field, at, length);
	field[length] = '\0';
	return true;
}

bool
group_has(const char *fields, const char *field)
{
	char one[GROUP_FIELD_MOST];

	while (group_next(&fields, one)) {
		if (!strcmp(one, field))
			return true;
	}
	return false;
}

bool
group_reads_arguments(const char *fields)
{
	char field[GROUP_FIELD_MOST];

	while (group_next(&fields, field)) {
		if (strcmp(field, "function") != 0 &&
		    strcmp(field, "thread") != 0 &&
		    strcmp(field, "process") != 0)
			return true;
	}
	return false;
}
