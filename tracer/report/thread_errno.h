/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and sets errno of a stopped thread, if we know how the program's C
 * library stores it. */
#ifndef TRACER_REPORT_THREAD_ERRNO_H
#define TRACER_REPORT_THREAD_ERRNO_H

#include "tracer/model/session.h"

/* Returns 0 if errno cannot be known. */
int thread_errno(struct program *program, const struct regs *regs);

/* Returns -ENOENT if its place is not known, or another negative errno. */
must_check int thread_set_errno(struct program *program,
				const struct regs *regs, int number);

#endif
