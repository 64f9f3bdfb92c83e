/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site whose hits are mostly useless is hot: threads stop there for nothing.
 * With --engine=agent it is given a jump (breakpoints/jumps.h), whose check
 * lets those threads pass that would be ignored here. The check decides by the
 * same condition, so it never lets a thread pass whose call is shown.
 */
#ifndef TRACER_REPORT_HEAT_H
#define TRACER_REPORT_HEAT_H

#include "tracer/report/report.h"

/* A thread has stopped at the site, and no function of the site is traced for
 * its caller. The thread's next pc may change. Returns 0 or -ESRCH. */
must_check int heat_useless(struct hit *hit);

/* The stopped thread has trapped at a boundary of the site's jump. */
void heat_boundary(struct program *program, struct site *site,
		   struct thread *thread);

#endif
