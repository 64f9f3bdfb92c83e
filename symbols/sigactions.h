/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Places in a program's code that set the action of a signal by a direct system
 * call: rt_sigaction(2), whose number is a constant there. A static program has
 * such a place in the C library that is linked into it, and a Go program in its
 * runtime.
 */
#ifndef SYMBOLS_SIGACTIONS_H
#define SYMBOLS_SIGACTIONS_H

#include "base/vec.h"
#include "symbols/image.h"

struct sigactions {
	/* The addresses directly after these system calls, each once, from low
	 * to high. */
	vec_of(addr_t) behind;
};

/* Finds these places in all code of an image, at the first call. The result is
 * kept with the image. */
const struct sigactions *image_sigactions(struct image *image);

#endif
