/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls that --inject changes: which they are, the result and errno of a
 * function that is not run, and delays.
 */
#ifndef TRACER_REPORT_TAMPERED_H
#define TRACER_REPORT_TAMPERED_H

#include "tracer/report/report.h"

/* A call that these tamperings (plan_tamperings()) choose begins; it is
 * counted. Returns the tampering that changes it, or NULL. */
struct tampering *tampered_call(const struct session *session,
				uint64_t tamperings);

/* Does what tampered_call() does, for the functions of the site that the thread
 * has entered. */
struct tampering *tampered_entry(const struct hit *hit);

/* The call is in the list of the thread's calls, and the thread would run its
 * function next. Gives the function its result if the tampering has one. */
void tampered_apply(struct hit *hit, const struct tampering *tampering);

/* Marks the thread's last call as changed. */
void tampered_mark(struct thread_record *record,
		   const struct tampering *tampering);

/* Delays the thread if the tampering says so. The stop is served when the delay
 * is over, and then the thread is resumed. False if there is no delay. */
bool tampered_delay(struct session *session, const struct stop *stop,
		    const struct tampering *tampering);

#endif
