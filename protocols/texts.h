/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of what was prepared on one connection, by a number (MySQL) or a
 * name (PostgreSQL). Bounded: when there are too many, those that were not
 * used for longest are forgotten.
 */
#ifndef PROTOCOLS_TEXTS_H
#define PROTOCOLS_TEXTS_H

#include "base/attr.h"
#include "base/list.h"
#include "base/map.h"

#include <stddef.h>
#include <stdint.h>

enum { TEXTS_MOST = 4096, TEXTS_BYTES_MOST = 8 << 20 };

/* Shared, by counting, between what is prepared and what is being run. */
struct text {
	unsigned users;
	uint64_t whole; /* bytes that it had */
	size_t length;	/* bytes of it that are here */
	char bytes[];
};

struct text *text_new(const void *bytes, size_t length, uint64_t whole);
struct text *text_ref(struct text *text);
void text_unref(struct text *text);

struct texts {
	struct map by_key; /* -> a private struct kept */
	struct list order; /* the longest unused first */
	size_t count;
	size_t bytes;
};

void texts_init(struct texts *texts);
void texts_release(struct texts *texts);
void texts_clear(struct texts *texts);

/* The key of a name: 64 bits of it, so two names are as good as never one. */
uint64_t texts_key(char kind, const void *name, size_t length);
/* text may be NULL: the key is known to mean something unknown. */
void texts_put(struct texts *texts, uint64_t key, struct text *text);
/* Not counted for the caller; NULL when unknown. */
struct text *texts_get(struct texts *texts, uint64_t key);
void texts_forget(struct texts *texts, uint64_t key);

#endif
