/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a thread's errno lies, as the C library's own __errno_location() says
 * in its few instructions: some distance from the thread pointer.
 */
#ifndef ARCH_X86_64_ERRNO_H
#define ARCH_X86_64_ERRNO_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many of its bytes are enough. */
#define ERRNO_CODE 32

struct errno_place {
	addr_t slot;	  /* the word that holds the distance, or 0: */
	int64_t distance; /* the distance itself */
};

/* False for code that is none of those we know (glibc, musl, static). */
bool errno_place(const uint8_t *code, size_t have, addr_t at,
		 struct errno_place *ret_place);

#endif
