/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls that a thread was inside of when it forked. The child's first
 * thread is inside of them, too, and returns from them.
 */
#ifndef TRACER_REPORT_INHERITED_H
#define TRACER_REPORT_INHERITED_H

#include "tracer/report/report.h"

/* Gives the child copies of the parent's calls, if the child was born on a copy
 * of its parent's stack, or on that stack itself. Both threads are stopped. */
void inherited_take(struct session *session, struct thread_record *child,
		    const struct thread_record *parent);

#endif
