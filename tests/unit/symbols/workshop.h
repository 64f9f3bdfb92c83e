/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workshop is a folder of its own under TMPDIR in which tests make odd
 * ELF files with the compilers and linkers of this machine. It is the working
 * folder of every test.
 */
#ifndef TESTS_UNIT_SYMBOLS_WORKSHOP_H
#define TESTS_UNIT_SYMBOLS_WORKSHOP_H

#include "base/attr.h"
#include "symbols/symtab.h"

#include <stdbool.h>
#include <stdio.h>

void workshop_build(void);
void workshop_clear(void);

/* Writes a file. */
void workshop_write(const char *name, const char *text);

/* A command of the shell: must succeed. */
void workshop_run(const char *format, ...) printf_like(1, 2);
/* May fail; it is quiet then. */
bool workshop_try(const char *format, ...) printf_like(1, 2);
/* Its output, to be closed with pclose(). */
FILE *workshop_read(const char *format, ...) printf_like(1, 2);

/* False, with a word on stderr, where the machine has no such linker. */
bool workshop_links(const char *linker);

/* Opens a file, which must be good. */
struct image *workshop_open(const char *name);

/* A copy of the file without section headers. */
void workshop_strip_sections(const char *from, const char *to);

/* The function of that name in SYMTAB_ALL; there must be one. */
const struct symbol *workshop_function(struct image *image, const char *name);

/* How many functions, resolvers and parts of functions there are. */
size_t workshop_functions(const struct symtab *symtab);

/* The number that follows the first `key` in a command's output, in base 16,
 * as readelf and objdump write them. */
unsigned long workshop_hex(const char *key, const char *format, ...)
	printf_like(2, 3);

#endif
