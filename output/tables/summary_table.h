/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of a summary's rows, as text or as JSON. */
#ifndef OUTPUT_TABLES_SUMMARY_TABLE_H
#define OUTPUT_TABLES_SUMMARY_TABLE_H

#include "base/str.h"
#include "output/tables/summary_rows.h"

#include <stdint.h>

/*
 * recent: only what was counted since the last table. width: of the terminal;
 * the text has only columns that leave room for the names; 0: all columns.
 * when: clock_now(), for JSON.
 */
void summary_table_add(struct str *to, const struct summary_rows *rows,
		       bool recent, unsigned width, uint64_t when);

#endif
