/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries that have begun and not ended. A query that takes longer than
 * --in-flight is announced to the sinks once (EVENT_IN_FLIGHT), because its
 * line is printed when it ends, and it may never end.
 */
#ifndef TRACER_QUERIES_OPEN_QUERIES_H
#define TRACER_QUERIES_OPEN_QUERIES_H

struct session;

/* A second has passed: announces the queries that have been open for a long
 * time. No thread is stopped. */
void open_queries_tick(struct session *session);

/* Tells the sinks of each call that is open now (EVENT_OPEN). No thread is
 * stopped. */
void open_queries_tell(struct session *session);

#endif
