/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An address in a tracee. It is a type of its own, and an integer, so that
 * it cannot be taken for one of our own pointers.
 */
#ifndef BASE_ADDR_H
#define BASE_ADDR_H

#include <inttypes.h>
#include <stdint.h>

typedef uint64_t addr_t;

#define PRIxADDR PRIx64

#endif
