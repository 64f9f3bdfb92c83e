/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A source is an interpreter in a space, of which the script frames of a
 * stopped thread can be had. The sources of a space are found among its
 * modules, as they come and go.
 */
#ifndef STACKS_SOURCE_H
#define STACKS_SOURCE_H

#include "arch/regs.h"
#include "base/attr.h"
#include "base/reader.h"
#include "stacks/stack.h"
#include "symbols/modmap.h"

struct sources;

struct sources *sources_new(void);
/* NULL is allowed. */
void sources_free(struct sources *sources);

/*
 * Adds to stack what the scripts of the stopped thread are at. How many
 * interpreters there are in the space that we can read, as far as is known yet:
 * with 0 the stack stays empty.
 */
size_t sources_walk(struct sources *sources, const struct modmap *modules,
		    struct reader *memory, const struct regs *regs,
		    struct stack *stack);

/* A sentence about an interpreter that we cannot read, once; else NULL. */
const char *sources_complaint(struct sources *sources);

#endif
