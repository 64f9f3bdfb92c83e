/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Users often attach to a program because it hangs in a query. The function
 * that has sent the query may have no probe, or may have returned. Then no call
 * in flight shows the query. But the thread waits in the driver's code, and the
 * driver has the query.
 */
#ifndef TRACER_QUERIES_AWAITED_H
#define TRACER_QUERIES_AWAITED_H

#include "arch/regs.h"

struct observation;
struct program;
struct session;
struct thread_record;

/* This is the function `blocks` of struct rooms, where its contract is
 * written. */
int awaited_find(struct program *program, struct thread_record *record,
		 const struct regs *regs, long number,
		 const struct observation *seen);

/* Called once per second: looks again at threads that ran when xtrace attached
 * and have sent no query since. */
void awaited_tick(struct session *session);

#endif
