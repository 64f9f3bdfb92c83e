/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An arena is a chain of blocks, the newest first. A piece is cut from the
 * newest block. If it does not fit there, a new block is allocated that is at
 * least twice as large. arena_clear() keeps the newest block, which is the
 * largest. A function that is called a million times therefore causes only a
 * few allocations.
 */
#include "base/arena.h"

#include "base/xmalloc.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 1024u
#define LARGEST_STEP (1u << 20)
#define ALIGNMENT 16u

struct arena_block {
	struct arena_block *older;
	size_t room;
	_Alignas(ALIGNMENT) char bytes[];
};

void
arena_init(struct arena *arena)
{
	arena->block = NULL;
	arena->used = 0;
}

static void
free_blocks(struct arena_block *block)
{
	while (block) {
		struct arena_block *older = block->older;

		free(block);
		block = older;
	}
}

void
arena_release(struct arena *arena)
{
	free_blocks(arena->block);
	arena_init(arena);
}

void
arena_clear(struct arena *arena)
{
	if (arena->block) {
		free_blocks(arena->block->older);
		arena->block->older = NULL;
	}
	arena->used = 0;
}

static void
add_block(struct arena *arena, size_t size)
{
	size_t room = FIRST_ROOM;
	struct arena_block *block;

	if (arena->block)
		room = arena->block->room * 2;
	if (room > LARGEST_STEP)
		room = LARGEST_STEP;
	if (room < size)
		room = size;
	block = xmalloc(sizeof(*block) + room);
	block->older = arena->block;
	block->room = room;
	arena->block = block;
	arena->used = 0;
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	void *piece;

	size = (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
	if (!arena->block || arena->block->room - arena->used < size)
		add_block(arena, size);
	piece = arena->block->bytes + arena->used;
	arena->used += size;
	return piece;
}

void *
arena_zalloc(struct arena *arena, size_t size)
{
	return memset(arena_alloc(arena, size), 0, size);
}

void *
arena_copy(struct arena *arena, const void *bytes, size_t size)
{
	void *copy = arena_alloc(arena, size);

	if (size > 0)
		memcpy(copy, bytes, size);
	return copy;
}

char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
	char *copy = arena_alloc(arena, length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *
arena_strdup(struct arena *arena, const char *text)
{
	return arena_strndup(arena, text, strlen(text));
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list arguments;
	char *text;
	int length;

	va_start(arguments, format);
	length = vsnprintf(NULL, 0, format, arguments);
	va_end(arguments);
	text = arena_alloc(arena, (size_t)length + 1);
	va_start(arguments, format);
	vsnprintf(text, (size_t)length + 1, format, arguments);
	va_end(arguments);
	return text;
}
