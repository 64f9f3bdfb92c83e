/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tee tells every event to several sinks, and gives each its place in
 * event_call.kept.
 */
#ifndef OUTPUT_TEE_H
#define OUTPUT_TEE_H

#include "base/attr.h"
#include "output/sink.h"

struct tee;

struct tee *tee_new(void);
/* Takes ownership of the sink. At most SINKS_MOST sinks. */
void tee_add(struct tee *tee, struct sink *sink);
/* From now on the sinks are told no literal of a query (output/redact.h). */
void tee_redact(struct tee *tee);
/* True if a sink reads arguments and results. */
bool tee_reads_values(const struct tee *tee);
/* True if a sink reads whole texts. */
bool tee_reads_whole_texts(const struct tee *tee);
/* Does a sink read which server and database a query is for? */
bool tee_wants_servers(const struct tee *tee);
/* True if a sink reads arguments with SQL. */
bool tee_reads_sql(const struct tee *tee);
/* True if all sinks take sums in place of calls. */
bool tee_takes_sums(const struct tee *tee);
/* True if a sink wants the times of sums. */
bool tee_wants_times(const struct tee *tee);
/* True if no sink needs calls of less than look->min_duration. */
bool tee_skips_brief(const struct tee *tee);
/* True if a sink writes what was not watched. */
bool tee_tells_gaps(const struct tee *tee);
void tee_event(struct tee *tee, const struct event *event);
/* Calls tick() of each sink, once per second. */
void tee_tick(struct tee *tee);
/* Makes room on the terminal before a message is written to stderr. */
void tee_make_room(struct tee *tee);
/* Does a sink draw pages? Then it wants EVENT_OPEN before tee_draw(). */
bool tee_draws(const struct tee *tee);
void tee_draw(struct tee *tee);
/* After tee_draw(): does a sink want the stacks of all threads now? */
bool tee_wants_stacks(struct tee *tee);
/* True if a sink has taken the message. */
bool tee_message(struct tee *tee, const char *line);
/* Closes the sinks in their order, and frees. */
void tee_close(struct tee *tee);

#endif
