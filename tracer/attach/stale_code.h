/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a borrowed call (arch/stub) that an xtrace before us has
 * left, killed over it. On a busy machine its thread may be in it still: we
 * would write our own there under its feet, and its signal mask would be taken
 * for the program's.
 */
#ifndef TRACER_ATTACH_STALE_CODE_H
#define TRACER_ATTACH_STALE_CODE_H

#include "tracer/model/session.h"

/* When the modules are known, and before a thread is borrowed: leads the thread
 * out and tidies. 1 where there was one, else 0; -ESRCH where its exec was met,
 * or its end, and the program is no more. */
must_check int stale_code_end(struct program *program);

/* The program's file's own bytes at program->scratch, where no thread is in
 * such code. */
void stale_code_tidy(struct program *program);

#endif
