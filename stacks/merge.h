/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One stack of two: the frames of scripts stand among the native ones, in the
 * place of the interpreter's functions that ran them.
 */
#ifndef STACKS_MERGE_H
#define STACKS_MERGE_H

#include "stacks/stack.h"

/*
 * Adds to merged, which is empty, the frames of both, the innermost first, as
 * many as it has room for. Where they do not belong together (another number
 * of runs in the one than of evaluating functions in the other) the scripts'
 * frames follow the native ones, from merged->apart on. The texts stay those
 * of the two.
 */
void merge_stacks(const struct stack *native, const struct stack *script,
		  struct stack *merged);

#endif
