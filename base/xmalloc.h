/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory, or die(): nobody checks these for NULL. die() lifts the traps
 * first, so running out of memory does not hurt a tracee. What they return is
 * freed with free().
 */
#ifndef BASE_XMALLOC_H
#define BASE_XMALLOC_H

#include "base/attr.h"

#include <stddef.h>

void *xmalloc(size_t size) __attribute__((malloc, returns_nonnull));
/* Zeroed, and dies on overflow of count * size. */
void *xcalloc(size_t count, size_t size)
	__attribute__((malloc, returns_nonnull));
void *xrealloc(void *old, size_t size);
void *xreallocarray(void *old, size_t count, size_t size);
char *xstrdup(const char *text);
char *xstrndup(const char *text, size_t length);
char *xasprintf(const char *format, ...) printf_like(1, 2);

/* cleanup(freep) char *text = ...; */
void freep(void *pointer_to_pointer);

#endif
