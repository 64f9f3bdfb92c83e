/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arena is memory that is given out piece by piece and taken back all at
 * once: one per prototype library, one per call in flight.
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
/* Forgets all pieces and keeps one block for the next ones. */
void arena_clear(struct arena *arena);

/* Aligned for anything, not zeroed; never NULL. */
void *arena_alloc(struct arena *arena, size_t size);
void *arena_zalloc(struct arena *arena, size_t size);
void *arena_copy(struct arena *arena, const void *bytes, size_t size);
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);
char *arena_printf(struct arena *arena, const char *format, ...)
	printf_like(2, 3);

#endif
