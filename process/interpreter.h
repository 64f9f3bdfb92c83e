/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interpreter of an executable file: the program that a script's first line
 * names, or the dynamic loader of an ELF file. */
#ifndef PROCESS_INTERPRETER_H
#define PROCESS_INTERPRETER_H

#include <stddef.h>

/* Stores the interpreter's path. Returns 0, or a negative errno if the file has
 * none or cannot be read. */
int interpreter_of(const char *file, char *ret_path, size_t size);

#endif
