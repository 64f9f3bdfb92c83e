/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the descriptors in a call are open for (-y), and which files a call is
 * about (-P). */
#ifndef TRACER_REPORT_DESCRIPTORS_H
#define TRACER_REPORT_DESCRIPTORS_H

#include "tracer/report/report.h"

/* At the entry: finds out what each argument that is a descriptor is open for.
 * Does nothing without -y. */
void descriptors_take(const struct session *session, pid_t tid,
		      struct call *call);

/* At the entry: which arguments are paths. xtrace shows a path in a system call
 * whole, as strace does. */
void descriptors_take_paths(const struct session *session, struct call *call);

/* Is the call about a file of -P? True without -P. */
bool descriptors_touch(const struct session *session, pid_t tid,
		       const struct call *call);

/* At the return: if the function has opened a descriptor, finds out what this
 * descriptor, its result, is open for. Does nothing without -y. */
void descriptors_take_result(const struct session *session, pid_t tid,
			     struct call *call);

#endif
