/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Poll traps are the traps at the gates through which libpq calls poll(2). They
 * are needed only while the program has a query whose answer has begun and is
 * not over: only then is the time of a read apart from that of a call. At other
 * times they are lifted, except a trap that has a meter or may get one.
 */
#ifndef TRACER_QUERIES_POLL_TRAPS_H
#define TRACER_QUERIES_POLL_TRAPS_H

#include "tracer/report/report.h"

/* The program has, or will have, a poll trap at this address. */
void poll_traps_add(struct program *program, addr_t address);
/* An answer has begun in the program: plants the traps. */
void poll_traps_plant(struct program *program);
/* A thread has run into a poll trap: lifts the traps if no answer has begun. */
void poll_traps_hit(const struct hit *hit);

extern const struct life poll_traps_life;

#endif
