/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Arguments that are not where the calling convention of the program has them,
 * as debug information tells (values/learn/learn_place).
 */
#ifndef VALUES_PLACED_H
#define VALUES_PLACED_H

#include "base/attr.h"

#include <stdbool.h>

struct arch;
struct param;
struct proto;
struct registers;

/* Is an argument of the function in a register in which the convention passes
 * none? arch may be NULL, as in struct registers. */
bool placed_apart(const struct proto *proto, const struct arch *arch);

/* Is an argument of such a function on the stack, next to the previous argument
 * there? False if the convention passes arguments in registers. */
bool placed_on_stack(const struct param *param, const struct arch *arch);

/* Copies an argument in registers to `to`, which has room for PARAM_REGISTERS
 * words. 0 or -EFAULT. */
must_check int placed_load(const struct param *param,
			   const struct registers *registers, void *to);

#endif
