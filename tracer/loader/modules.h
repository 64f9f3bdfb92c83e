/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the loader: which modules a program has, now and at every change,
 * and telling the plan of each one's two moments. All answer 0 or -ESRCH.
 */
#ifndef TRACER_LOADER_MODULES_H
#define TRACER_LOADER_MODULES_H

#include "process/linkmap.h"
#include "tracer/model/session.h"

/* At an exec event: the program and its loader, before either has run. */
must_check int modules_begin(struct program *program, struct thread *thread);

/* Attached: what is loaded now. Needs no stopped thread, and plants nothing. */
must_check int modules_attach(struct program *program);

/* Then, when a trap can be survived: that of the loader, and what was loaded
 * meanwhile. thread: a stopped one, or NULL. */
must_check int modules_attached(struct program *program, struct thread *thread);

/* The same, only to know them: nothing is planned or planted. */
must_check int modules_look(struct program *program);

/* At r_brk: the list has changed or is about to. */
must_check int modules_changed(struct program *program, struct thread *thread);

/* The lists are as view says: what is new is planned for. relocated: so are
 * all new modules. */
must_check int modules_compare(struct program *program,
			       const struct r_debug_view *view,
			       struct thread *thread, bool relocated);

/* What is known now is all there is at the start: the rest of its planning. */
must_check int modules_settle(struct program *program, struct thread *thread);

/* At a new module's first initializer: all that are mapped are relocated. */
must_check int modules_relocated(struct program *program,
				 struct thread *thread);

#endif
