/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Meters on x86-64. The contracts are in arch/jump.h and arch/check.h. */
#ifndef ARCH_X86_64_METER_H
#define ARCH_X86_64_METER_H

#include "arch/check.h"
#include "arch/code.h"
#include "arch/regs.h"
#include "arch/meter.h"

must_check int x86_64_meter(const struct code *from,
			    const struct check_condition *meter, addr_t at,
			    struct check *ret_check);

must_check bool x86_64_meter_undo(const struct check *check, size_t offset,
				  struct reader *memory, struct regs *regs);

enum meter_written x86_64_meter_written(const struct check *check,
					size_t offset);

/* rdtsc */
uint64_t x86_64_ticks(void);

#endif
