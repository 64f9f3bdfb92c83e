/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles are what probes remember: a text under a key. For example, a
 * statement's SQL is kept under the statement, so that a later call which has
 * only the statement can show the SQL. A key is any text that the caller makes;
 * all keys of one thing (a process, a connection) have the same beginning. The
 * number of handles is bounded: beyond it, the handle that was used longest ago
 * is dropped. This code needs no process.
 */
#ifndef TRACER_MODEL_HANDLES_H
#define TRACER_MODEL_HANDLES_H

#include "base/list.h"
#include "base/map.h"
#include "base/vec.h"
#include "conf/model/lens.h"

#include <stddef.h>
#include <stdint.h>

struct type;

struct handles {
	struct map by_hash; /* struct handle; handles of one hash are chained */
	/* all handles; the handle that was used longest ago is first */
	struct list by_use;
	size_t count, bytes;
	size_t count_most, bytes_most;
	/* how many handles were dropped because there were too many */
	uint64_t dropped;
};

struct handle_text {
	const char *bytes; /* valid until the handles change */
	size_t length;
	enum lens_kind lens;
	bool cut; /* the text was longer than what is kept */
	/* The type, if the bytes are values of a type and not a text; or
	 * NULL. */
	const struct type *of;
};

struct handle_texts {
	vec_of(struct handle_text) all;
};

void handles_init(struct handles *handles, size_t count_most,
		  size_t bytes_most);
void handles_release(struct handles *handles);

/* Replaces what was kept under the key. A text that is too long for the whole
 * table is not kept. */
void handles_keep(struct handles *handles, const char *key,
		  const struct handle_text *text);
must_check bool handles_recall(struct handles *handles, const char *key,
			       struct handle_text *ret_text);
/* Adds the texts of all keys that consist of the given beginning, a hexadecimal
 * number and a slash, ordered by the number. */
void handles_gather(const struct handles *handles, const char *beginning,
		    struct handle_texts *to);
/* Forgets all keys that have the given beginning, or are equal to it. */
void handles_forget(struct handles *handles, const char *beginning);
void handles_forget_one(struct handles *handles, const char *key);

#endif
