/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --show-prototype: the prototype that applies to a function, and its place. */
#ifndef TRACER_PLAN_SHOW_PROTOTYPE_H
#define TRACER_PLAN_SHOW_PROTOTYPE_H

struct options;

/* Carries out --show-prototype. Returns the exit status of xtrace. */
int show_prototype(const struct options *options);

#endif
