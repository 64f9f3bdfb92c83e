/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arena is memory that is handed out piece by piece and freed all at once.
 * Each prototype library has one, and each call in flight has one.
 */
#ifndef BASE_ARENA_H
#define BASE_ARENA_H

#include "base/attr.h"

#include <stddef.h>

struct arena_block;

struct arena {
	struct arena_block *block;
	size_t used;
};

void arena_init(struct arena *arena);
void arena_release(struct arena *arena);
/* Frees all pieces, but keeps one block for the next ones. */
void arena_clear(struct arena *arena);

/* The memory is aligned for any type and not zeroed. Never returns NULL. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zalloc(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	printf_like(2, 3);

#endif
