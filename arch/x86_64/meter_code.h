/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The code of the meters, and what its labels tell of a thread that is inside
 * of it. */
#ifndef ARCH_X86_64_METER_CODE_H
#define ARCH_X86_64_METER_CODE_H

#include "arch/check.h"
#include "arch/meter.h"

/* What a meter pushes, in order. */
enum {
	PUSHED_RAX = 1,
	PUSHED_FLAGS,
	PUSHED_RCX,
	PUSHED_RDX,
	PUSHED_RSI,
	PUSHED_RDI,
	PUSHED_ALL = PUSHED_RDI
};

struct meter_template {
	const uint8_t *start;
	/* From this address on, the stack pointer is below the red zone. NULL:
	 * it never is. */
	const uint8_t *zone;
	/* address behind the push of each register */
	const uint8_t *pushed[PUSHED_ALL];
	const uint8_t *restore, *stop, *trap, *words, *end;
};

const struct meter_template *x86_64_meter_template(enum check_kind kind);

/* What a meter has written when a thread is at `from` or behind it. In each
 * table the last instruction comes first, and the last row is for a thread
 * before any write. */
struct meter_part {
	const uint8_t *from;
	enum meter_written written;
};

/* The table for a meter of this kind at a return address. */
const struct meter_part *x86_64_meter_parts(enum check_kind kind);

#endif
