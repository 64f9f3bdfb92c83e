/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of addresses from the tables of lines alone. libdw also inflates what
 * it does not need for them: 5 of the 6 MiB of the C library's debug
 * information, in 45 ms, while the program waits.
 */
#ifndef STACKS_NATIVE_LINES_H
#define STACKS_NATIVE_LINES_H

#include "base/addr.h"
#include "base/attr.h"
#include "symbols/image.h"

#include <stdbool.h>

struct native_lines;

/* Of the file, or of its debug file. Never NULL. */
struct native_lines *native_lines_new(struct image *image);
void native_lines_free(struct native_lines *lines);

/*
 * Finds the line of an address of the file. *ret_file is NULL if there is none.
 * False if that cannot be told from these tables. The name lives as long as the
 * lines.
 */
must_check bool native_lines_find(struct native_lines *lines, addr_t address,
				  const char **ret_file, unsigned *ret_line);

#endif
