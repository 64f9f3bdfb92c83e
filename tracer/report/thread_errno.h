/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and sets errno of a stopped thread, if we know how the program's C
 * library stores it. */
#ifndef TRACER_REPORT_THREAD_ERRNO_H
#define TRACER_REPORT_THREAD_ERRNO_H

#include "tracer/model/session.h"

/* Returns the thread's errno, or 0 if it is not known. */
int thread_errno(struct program *program, const struct regs *regs);

/* Sets the thread's errno. Returns 0, -ENOENT if it is not known where errno
 * is, or another negative errno. */
must_check int thread_set_errno(struct program *program,
				const struct regs *regs, int number);

#endif
