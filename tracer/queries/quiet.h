/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * With a set, a running process that makes no call of it shows nothing, and the
 * user cannot tell why. So xtrace says what it has found.
 */
#ifndef TRACER_QUERIES_QUIET_H
#define TRACER_QUERIES_QUIET_H

struct quiet;
struct session;

/* The caller frees the result with free(3). */
struct quiet *quiet_new(void);

/* A second has passed. If none of the processes of -p has made a call of the
 * sets for some seconds since the attach, says so, once. */
void quiet_tick(struct session *session);

#endif
