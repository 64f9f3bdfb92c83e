/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of the statements that were prepared on one connection, by a number
 * (MySQL) or a name (PostgreSQL). Their number is limited: the least recently
 * used texts are dropped.
 */
#ifndef PROTOCOLS_TEXTS_H
#define PROTOCOLS_TEXTS_H

#include "base/attr.h"
#include "base/list.h"
#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

enum { TEXTS_MOST = 4096, TEXTS_BYTES_MOST = 8 << 20 };

/* Reference-counted, because prepared statements and running queries share
 * it. */
struct text {
	unsigned users;
	uint64_t whole; /* bytes that the whole text has */
	size_t length;	/* bytes that are kept */
	char bytes[];
};

struct text *text_new(const void *bytes, size_t length, uint64_t whole);
struct text *text_ref(struct text *text);
void text_unref(struct text *text);

struct texts {
	struct map by_key; /* values: a private struct kept_text */
	/* all texts; the text that was used least recently is first */
	struct list order;
	size_t count;
	size_t bytes;
};

void texts_init(struct texts *texts);
void texts_release(struct texts *texts);
void texts_clear(struct texts *texts);

/* The key of a name: a 64-bit hash, for which collisions are practically
 * impossible. */
uint64_t texts_key(char kind, const void *name, size_t length);
/* text may be NULL: the key is in use, but its text is unknown. */
void texts_put(struct texts *texts, uint64_t key, struct text *text);
/* Returns the text under the key, or NULL if the key is unknown. Adds no
 * reference for the caller. */
struct text *texts_get(struct texts *texts, uint64_t key);
void texts_forget(struct texts *texts, uint64_t key);

#endif
