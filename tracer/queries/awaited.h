/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program that hangs in a query is what one attaches to. If the query was
 * sent by a function that is not probed, or has returned, no call of it is in
 * flight; but the thread waits in the driver's code, and the driver has the
 * query.
 */
#ifndef TRACER_QUERIES_AWAITED_H
#define TRACER_QUERIES_AWAITED_H

#include "arch/regs.h"

struct observation;
struct program;
struct session;
struct thread_record;

/* The function `blocks` of struct rooms, which has its contract. */
int awaited_find(struct program *program, struct thread_record *record,
		 const struct regs *regs, long number,
		 const struct observation *seen);

/* A second has passed: looks again at threads that ran when xtrace attached,
 * and have asked nothing since. */
void awaited_tick(struct session *session);

#endif
