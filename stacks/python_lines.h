/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the line of an offset in the bytes of a Python code object, in the code
 * object's table of lines. */
#ifndef STACKS_PYTHON_LINES_H
#define STACKS_PYTHON_LINES_H

#include "stacks/peek.h"
#include "stacks/python_layout.h"

/*
 * The line of the instruction at byte `at` (before 0: the function's first
 * line) by the size bytes of table. Returns 0 if the table has none.
 */
unsigned python_line(struct peek *peek, enum python_lines kind, addr_t table,
		     uint64_t size, unsigned first, int64_t at);

#endif
