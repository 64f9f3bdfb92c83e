/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tee tells every event to several sinks and gives each its place in
 * event_call.kept.
 */
#ifndef OUTPUT_TEE_H
#define OUTPUT_TEE_H

#include "base/attr.h"
#include "output/sink.h"

struct tee;

struct tee *tee_new(void);
/* Takes the sink over; at most SINKS_MOST of them. */
void tee_add(struct tee *tee, struct sink *sink);
/* Does any of them look at arguments and results? */
bool tee_looks_at_values(const struct tee *tee);
/* Does any of them want whole texts? */
bool tee_looks_at_whole_texts(const struct tee *tee);
/* ... or at arguments of SQL? */
bool tee_looks_at_sql(const struct tee *tee);
void tee_event(struct tee *tee, const struct event *event);
/* Once a second. */
void tee_tick(struct tee *tee);
/* Closes the sinks, in the order they came in, and frees. */
void tee_close(struct tee *tee);

#endif
