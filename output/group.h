/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of --group-by: words with commas between them. */
#ifndef OUTPUT_GROUP_H
#define OUTPUT_GROUP_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

/* The longest field, with its terminating zero. */
#define GROUP_FIELD_MOST 64

/*
 * Copies the field at *fields and moves *fields behind it and its comma; at the
 * end *fields is NULL. A field that is longer than GROUP_FIELD_MOST is cut.
 * False if *fields is NULL.
 */
must_check bool group_next(const char **fields, char field[GROUP_FIELD_MOST]);

/* Is `field` one of the fields? fields may be NULL. */
bool group_has(const char *fields, const char *field);

/* May one of the fields be the name of an argument, which must then be read? */
bool group_reads_arguments(const char *fields);

#endif
