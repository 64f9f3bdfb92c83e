/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jumps in place of traps on x86-64. The contracts are in arch/jump.h. */
#ifndef ARCH_X86_64_WINDOW_H
#define ARCH_X86_64_WINDOW_H

#include "arch/code.h"
#include "arch/jump.h"

/* jmp rel32 (Intel SDM 2, "JMP"). */
#define JUMP_OPCODE 0xe9
#define JUMP_LENGTH 5u

must_check int x86_64_window(const struct code *from,
			     const struct relocate_limits *limits,
			     struct window *ret_window, const char **ret_why);

#endif
