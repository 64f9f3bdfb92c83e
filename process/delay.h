/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A delay keeps a thread stopped until a time, as if it had been slow. Its stop
 * is served later, and until then it does not count as a stop: the thread's own
 * time passes. Whatever waits for this very thread gets the stop at once.
 */
#ifndef PROCESS_DELAY_H
#define PROCESS_DELAY_H

#include "process/thread.h"

/* The thread of the stop is delayed for ns nanoseconds. The stop was reaped,
 * see wait_delay(). */
void delay_add(struct table *table, const struct stop *stop, uint64_t ns);
bool delay_waits(const struct table *table, pid_t tid);
/* Ends a delay: of this thread, or (0) of a thread whose time has come. False
 * if there is none. */
bool delay_take(struct table *table, pid_t tid, struct stop *ret_stop);
/* Forgets the thread's delay. Called if a later stop of the delayed thread was
 * reported: the thread was killed. */
void delay_drop(struct table *table, pid_t tid);
/* When the next delay ends; 0: there is none. */
uint64_t delay_next(const struct table *table);

#endif
