/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Python's strings, as UTF-8. */
#ifndef STACKS_PYTHON_TEXT_H
#define STACKS_PYTHON_TEXT_H

#include "base/arena.h"
#include "stacks/peek.h"
#include "stacks/python_layout.h"
#include "stacks/statement.h"

/* The str object at `object`, cut if it is very long; NULL if it is not a
 * str. */
const char *python_text(struct peek *peek, const struct python_layout *layout,
			addr_t object, struct arena *arena);

/* The first `most` characters of a str object that may be long. Returns false
 * if it is not a str. */
bool python_long_text(struct peek *peek, const struct python_layout *layout,
		      addr_t object, size_t most, struct arena *arena,
		      struct statement_text *ret_text);

#endif
