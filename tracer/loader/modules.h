/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Following the loader: finds the modules that a program has, now and at every
 * change, and tells the plan when each module is mapped and when it is
 * relocated. All functions return 0 or -ESRCH.
 */
#ifndef TRACER_LOADER_MODULES_H
#define TRACER_LOADER_MODULES_H

#include "process/linkmap.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* At an exec event: adds the program and its loader, before either has run. */
must_check int modules_begin(struct program *program, struct thread *thread);

/* xtrace has attached: finds what is loaded now. Needs no stopped thread, and
 * plants nothing. */
must_check int modules_attach(struct program *program);

/* Called after modules_attach(), when the program can survive a trap: plants
 * the site in the loader and finds what was loaded meanwhile. thread is
 * stopped, or NULL. */
must_check int modules_attached(struct program *program, struct thread *thread);

/* Finds the modules, but plans and plants nothing. */
must_check int modules_look(struct program *program);
/* Called after modules_look(): finds the modules that were loaded and unloaded
 * since. */
must_check int modules_look_again(struct program *program);

/* Has the loader relocated the module? This is not known of a module without
 * initializers: then false. */
bool modules_relocated_yet(struct program *program,
			   const struct module *module);

/* Called when a thread is at r_brk: the loader's list has changed or is about
 * to change. */
must_check int modules_changed(struct program *program, struct thread *thread);

/* Compares the loader's lists, as view has them, with the modules that are
 * known, and plans the new modules. relocated: all new modules are
 * relocated. */
must_check int modules_compare(struct program *program,
			       const struct r_debug_view *view,
			       struct thread *thread, bool relocated);

/* Completes the plans of the modules that are loaded at the start, because all
 * of them are known now. */
must_check int modules_complete(struct program *program, struct thread *thread);

/* At a new module's first initializer: all mapped modules are relocated. */
must_check int modules_relocated(struct program *program,
				 struct thread *thread);

/* Copies what is known of the loader for a forked child, and frees it. */
extern const struct life loader_life;

#endif
