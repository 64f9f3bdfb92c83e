/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finding the file that is mapped at an address of a process, whatever became
 * of its name: deleted, replaced, in another mount namespace, or none at all.
 */
#ifndef TRACER_LOADER_LOCATE_H
#define TRACER_LOADER_LOCATE_H

#include "symbols/image.h"
#include "tracer/model/session.h"

/* The image mapped at address; the reference is the caller's. -ENOENT for
 * what is no ELF file (the vdso). Where it is us who lack something (memory,
 * descriptors), that is said, once. */
must_check int locate_image(struct program *program, addr_t address,
			    struct image **ret_image);

#endif
