/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT probes (statically defined tracing, also called USDT): places in a file
 * that its authors have named for tracers. At each place the code has a nop,
 * and a note of type stapsdt says where that is, and where the arguments are.
 * The format: SystemTap's "UserSpaceProbeImplementation".
 */
#ifndef SYMBOLS_SDT_H
#define SYMBOLS_SDT_H

#include "base/vec.h"
#include "symbols/image.h"

/* One place of a probe. Its addresses are those in the file, before the file is
 * mapped. Its texts belong to the image. */
struct sdt {
	addr_t address; /* address of the nop */
	/* The address of a counter of 16 bits, or 0: the program computes the
	 * arguments only while it is not 0. A tracer counts it up and down. */
	addr_t semaphore;
	const char *provider;
	const char *name;
	const char *arguments; /* operands (arch/operand.h) with blanks between
				* them */
};

struct sdts {
	vec_of(struct sdt) list; /* in the order of the notes */
};

/* The probes of an image. Made at the first call, kept with the image. A note
 * that is damaged, or whose addresses are outside of the program's code and
 * data, is left out. */
const struct sdts *image_sdts(struct image *image);

#endif
