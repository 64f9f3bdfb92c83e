/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A stopped thread's errno, where its C library is one we can read it of. */
#ifndef TRACER_REPORT_THREAD_ERRNO_H
#define TRACER_REPORT_THREAD_ERRNO_H

#include "tracer/model/session.h"

/* 0 where it cannot be known. */
int thread_errno(struct program *program, const struct regs *regs);

#endif
