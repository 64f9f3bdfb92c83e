/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From an offset in the bytes of a Python code object to a line, by the table
 * that the code object has for it. */
#ifndef STACKS_PYTHON_LINES_H
#define STACKS_PYTHON_LINES_H

#include "stacks/peek.h"
#include "stacks/python_layout.h"

/*
 * The line of the instruction at byte `at` (before 0: of the function's first
 * line) by the size bytes of table. 0 where the table gives none.
 */
unsigned python_line(struct peek *peek, enum python_lines kind, addr_t table,
		     uint64_t size, unsigned first, int64_t at);

#endif
