/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stale code: the code of an injected call (arch/stub) that a killed xtrace has
 * left. On a busy machine the thread of that call may still execute the code.
 * Our own code would overwrite the stale code while the thread executes it, and
 * the thread's temporary signal mask would be taken for the program's.
 */
#ifndef TRACER_ATTACH_STALE_CODE_H
#define TRACER_ATTACH_STALE_CODE_H

#include "tracer/model/session.h"

/* Moves the thread out of stale code and restores the file's bytes. Called when
 * the modules are known and before any thread is a host. 1 if there was such a
 * thread, else 0; -ESRCH if the process has execed or ended, and the program no
 * longer exists. */
must_check int stale_code_end(struct program *program);

/* Restores the file's bytes at program->scratch if no thread is in stale
 * code. */
void stale_code_tidy(struct program *program);

#endif
