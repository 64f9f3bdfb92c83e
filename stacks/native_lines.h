/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the lines of addresses by reading only the tables of lines. libdw would
 * also inflate the other debug sections: 5 of the 6 MiB of the C library's
 * debug information, which takes 45 ms while the program waits.
 */
#ifndef STACKS_NATIVE_LINES_H
#define STACKS_NATIVE_LINES_H

#include "base/addr.h"
#include "base/attr.h"
#include "symbols/image.h"

#include <stdbool.h>

struct native_lines;

/* Reads which tables of lines the image's file has, or its debug file. Never
 * returns NULL. */
struct native_lines *native_lines_new(struct image *image);
void native_lines_free(struct native_lines *lines);

/*
 * Finds the line of an address of the file. *ret_file is NULL if the address
 * has no line. False if these tables cannot tell; libdwfl must be asked then.
 * The name is valid as long as lines.
 */
must_check bool native_lines_find(struct native_lines *lines, addr_t address,
				  const char **ret_file, unsigned *ret_line);

#endif
