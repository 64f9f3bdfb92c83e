/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory allocation that never returns NULL, because it calls die() if there is
 * no memory. die() removes the traps first, so that the tracee is not hurt. The
 * memory is freed with free().
 */
#ifndef BASE_XMALLOC_H
#define BASE_XMALLOC_H

#include "base/attr.h"

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
/* The memory is zeroed. Also dies if count * size overflows. */
void *xcalloc(size_t count, size_t size)
	__attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t size);
void *xreallocarray(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) printf_like(1, 2);

/* Frees memory at the end of a block: cleanup(freep) char *text = ...; */
void freep(void *pointer_to_pointer);

#endif
