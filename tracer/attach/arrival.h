/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that was attached to, and has not stopped since, does not stop at
 * its system calls (ptrace(2), PTRACE_SYSCALL). So each thread is made to stop
 * once, and no thread's blocking call is disturbed.
 */
#ifndef TRACER_ATTACH_ARRIVAL_H
#define TRACER_ATTACH_ARRIVAL_H

#include "tracer/model/session.h"

/* With -S, makes each thread of the process stop once: at once, or when it
 * returns from its system call. */
void arrival_begin(struct program *program, const struct process *process);

/* A thread has hit a site of SITE_OWNER_ARRIVAL. Lifts the traps at these sites
 * if all threads have stopped once. */
void arrival_hit(struct program *program, struct site *site);

#endif
