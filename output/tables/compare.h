/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares two tables that --summary --json wrote: what became slower, what is
 * asked more often, what appeared and what disappeared.
 */
#ifndef OUTPUT_TABLES_COMPARE_H
#define OUTPUT_TABLES_COMPARE_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"

#include <stddef.h>

enum compare_side { COMPARE_BEFORE, COMPARE_AFTER, COMPARE_SIDES };

struct compare;

struct compare *compare_new(void);
void compare_free(struct compare *compare);

/*
 * Takes one line of a file. Returns -EINVAL if it is not a row or the end of
 * such a table. If a file has several tables (--interval), the last one counts,
 * which is that of the whole run.
 */
must_check int compare_line(struct compare *compare, enum compare_side side,
			    const char *line, struct err *err);
/* How many rows the table of this side has. */
size_t compare_rows(const struct compare *compare, enum compare_side side);

/* Adds the table of the differences. */
void compare_add(struct str *to, struct compare *compare);

#endif
