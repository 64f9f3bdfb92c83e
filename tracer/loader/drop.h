/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A module was unmapped: nothing of it is kept. */
#ifndef TRACER_LOADER_DROP_H
#define TRACER_LOADER_DROP_H

#include "tracer/model/session.h"

/* Forgets the module, its sites and its plan. */
void program_drop_module(struct program *program, struct module *module);

#endif
