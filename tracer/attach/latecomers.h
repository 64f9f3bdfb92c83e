/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Latecomers are threads and processes whose creation had begun when xtrace
 * seized their parent, so that the kernel does not trace them.
 */
#ifndef TRACER_ATTACH_LATECOMERS_H
#define TRACER_ATTACH_LATECOMERS_H

#include "tracer/model/session.h"

/*
 * Attaches to processes that share the memory and have no tracer, and makes
 * the records of their threads, as new_process() in tracer/lives/birth makes
 * them for newborns.
 */
void latecomers_sharers(struct session *session, struct process *process);

/*
 * Seizes all latecomers. Called when the process is seized, before any trap is
 * planted. A thread that runs is stopped once. Returns 1 if a latecomer was
 * found, 0, or -ESRCH if the process has ended or runs another program.
 */
must_check int latecomers_seize(struct session *session,
				struct process *process);

#endif
