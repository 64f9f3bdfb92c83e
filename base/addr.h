/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An address in a tracee. It is an integer type of its own, so that the
 * compiler rejects its use as one of xtrace's own pointers.
 */
#ifndef BASE_ADDR_H
#define BASE_ADDR_H

#include <inttypes.h>
#include <stdint.h>

typedef uint64_t addr_t;

#define PRIxADDR PRIx64

#endif
