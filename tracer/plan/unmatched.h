/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What -x, -e and -l name, but no module has. The user is told at the start,
 * because the name may be misspelled, and at the end, because a library that
 * has it may be loaded later.
 */
#ifndef TRACER_PLAN_UNMATCHED_H
#define TRACER_PLAN_UNMATCHED_H

struct filter_module;
struct program;
struct session;
struct unmatched;

/* Called when a module was mapped. */
void unmatched_saw(struct session *session, const struct filter_module *module);

/* Looks in the program's modules for similar names, which the user may have
 * meant. */
void unmatched_look(struct program *program);

/* All modules are known that are loaded at the start: tells, once, what matches
 * nothing yet. */
void unmatched_say(struct session *session);
/* The trace is over: tells what has never matched. */
void unmatched_say_never(struct session *session);

struct unmatched *unmatched_new(void);
/* unmatched may be NULL. */
void unmatched_free(struct unmatched *unmatched);

#endif
