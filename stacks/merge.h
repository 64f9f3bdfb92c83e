/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Merges two stacks: the script's frames replace the interpreter's functions
 * that ran them among the native frames.
 */
#ifndef STACKS_MERGE_H
#define STACKS_MERGE_H

#include "stacks/stack.h"

/*
 * Adds to merged, which is empty, the frames of both stacks, the innermost
 * first, as many as it has room for. If the stacks do not match (the number of
 * runs differs from the number of evaluating functions), the script's frames
 * follow the native ones, beginning at merged->apart. The texts still belong to
 * the two stacks.
 */
void merge_stacks(const struct stack *native, const struct stack *script,
		  struct stack *merged);

#endif
