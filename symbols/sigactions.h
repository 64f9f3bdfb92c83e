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
	/* The addresses directly after the system calls that set the action of
	 * a signal, each once, from low to high. */
	vec_of(addr_t) behind;
};

/* Finds the places in all code of an image where the action of a signal is set.
 * Made at the first call, kept with the image. */
const struct sigactions *image_sigactions(struct image *image);

#endif
