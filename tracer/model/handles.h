/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Handles are what probes remember: a text that was kept under a key, a
 * statement's SQL by the statement, so that a later call which has only the
 * key can show it. Pure; a key is any text, made by whoever asks, and all
 * keys of one thing (a process, a connection) begin alike. There are never
 * more than a given number; beyond it, the one asked for longest ago goes.
 */
#ifndef TRACER_MODEL_HANDLES_H
#define TRACER_MODEL_HANDLES_H

#include "base/list.h"
#include "base/map.h"
#include "base/str.h"
#include "conf/model/lens.h"

#include <stddef.h>
#include <stdint.h>

struct type;

struct handles {
	struct map by_hash; /* struct handle, those of one hash in a chain */
	struct list by_use; /* the one used longest ago first */
	size_t count, bytes;
	size_t count_most, bytes_most;
	uint64_t dropped; /* for want of room */
};

struct handle_text {
	const char *bytes; /* until the next change of the handles */
	size_t length;
	enum lens_kind lens;
	/* It is no text, but so many bytes of values of this type; or NULL. */
	const struct type *of;
};

void handles_init(struct handles *handles, size_t count_most,
		  size_t bytes_most);
void handles_release(struct handles *handles);

/* In place of what was there. A text that alone is too much is not kept. */
void handles_keep(struct handles *handles, const char *key,
		  const struct handle_text *text);
must_check bool handles_recall(struct handles *handles, const char *key,
			       struct handle_text *ret_text);
/* Adds the texts of all keys that are this beginning, a number in hexadecimal
 * and a slash, in the order of the numbers: "[42, "x"]", or nothing. */
void handles_gather(const struct handles *handles, const char *beginning,
		    struct str *to);
/* All keys that begin so, or are so. */
void handles_forget(struct handles *handles, const char *beginning);
void handles_forget_one(struct handles *handles, const char *key);

#endif
