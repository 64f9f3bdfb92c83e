/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A queue of texts in memory that two processes share. One process puts texts
 * in, and never waits: if there is no room, the oldest texts are dropped. The
 * other process takes them out.
 */
#ifndef NETWORK_QUEUE_H
#define NETWORK_QUEUE_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct queue;

/* A queue for so many bytes, a power of 2, which a process forked later shares.
 * NULL if the system has no memory for it. */
struct queue *queue_new(size_t room);
void queue_free(struct queue *queue);

/* `items` is what the text counts for if it is dropped. A text that can never
 * fit is dropped at once. */
void queue_put(struct queue *queue, const char *text, size_t length,
	       uint32_t items);
/* Replaces what is in `to` by the oldest text. False if the queue is empty. */
must_check bool queue_take(struct queue *queue, struct str *to,
			   uint32_t *ret_items);
/* The items of all texts that were dropped. */
uint64_t queue_dropped(const struct queue *queue);

#endif
