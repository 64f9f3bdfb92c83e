/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments of an SDT probe: the note of the probe says where each of them
 * is (arch/operand.h).
 */
#ifndef VALUES_OPERANDS_H
#define VALUES_OPERANDS_H

#include "base/arena.h"
#include "values/fetch.h"

struct arch;
struct operand;

/*
 * Fetches an argument for each parameter of proto. operands has one operand for
 * each, without a symbol: its address was added to the number. An operand with
 * bytes 0 is unknown, and gives an unreadable value. registers are those at the
 * probe's nop. Everything is allocated in arena, which may be capture's.
 */
struct arguments *arguments_at_operands(const struct proto *proto,
					const struct operand *operands,
					const struct arch *arch,
					struct registers *registers,
					struct capture *capture,
					struct arena *arena);

#endif
