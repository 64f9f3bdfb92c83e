/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a jump may lead. The contracts are in arch/jump.h. */
#ifndef ARCH_X86_64_PUN_H
#define ARCH_X86_64_PUN_H

#include "arch/jump.h"

must_check bool x86_64_pun(const struct window *window, addr_t at,
			   const struct jump_room *rooms, size_t count,
			   struct jump *ret_jump);

must_check bool x86_64_board(addr_t board, addr_t target, uint8_t *to);

#endif
