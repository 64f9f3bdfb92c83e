/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sections with the handlers, by the linker's symbols for their begins and
 * ends. */
#include "breakpoints/outlive/inside/inside.h"

#include "arch/inside.h"

#include <stddef.h>

extern const unsigned char __start_inside[], __stop_inside[];
extern const unsigned char inside_handler[], inside_restorer[];

static const struct inside_code own = {
	.start = __start_inside,
	.stop = __stop_inside,
	.handler = inside_handler,
	.restorer = inside_restorer,
};

#ifdef INSIDE_HAS_NARROW
extern const unsigned char __start_inside_narrow[], __stop_inside_narrow[];
extern const unsigned char inside_narrow_handler[];

static const struct inside_code narrow = {
	.start = __start_inside_narrow,
	.stop = __stop_inside_narrow,
	.handler = inside_narrow_handler,
};
#else
static const struct inside_code narrow;
#endif

const struct inside_code *
inside_code(unsigned word)
{
	if (word == sizeof(uint64_t))
		return &own;
	return narrow.start ? &narrow : NULL;
}
