/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workshop is a folder under TMPDIR in which tests make unusual ELF files
 * with the compilers and linkers of this machine. It is the working folder of
 * every test.
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

/* Runs a shell command, which must succeed. */
void workshop_run(const char *format, ...) printf_like(1, 2);
/* Runs a shell command that makes `file` of files that do not change. A command
 * is run once. If it is given again, `file` becomes a copy of what the command
 * has made. */
void workshop_make(const char *file, const char *format, ...) printf_like(2, 3);
/* Runs a command that may fail, without its output. */
bool workshop_try(const char *format, ...) printf_like(1, 2);
/* Reads the output of a command; close it with pclose(). */
FILE *workshop_read(const char *format, ...) printf_like(1, 2);

/* False, with a message on stderr, if the machine has no such linker. */
bool workshop_links(const char *linker);

/* Opens a file, which must be valid. */
struct image *workshop_open(const char *name);

/* Copies the file without its section headers. */
void workshop_strip_sections(const char *from, const char *to);

/* The function of that name in the table of SYMTAB_ALL; there must be one. */
const struct symbol *workshop_function(struct image *image, const char *name);
/* Are all members of the two symbols equal? */
bool workshop_same(const struct symbol *a, const struct symbol *b);

/* The number of functions, resolvers and parts of functions. */
size_t workshop_functions(const struct symtab *symtab);

/* The number in base 16 after the first `key` in the output of a command, such
 * as readelf or objdump. */
unsigned long workshop_hex(const char *key, const char *format, ...)
	printf_like(2, 3);

#endif
