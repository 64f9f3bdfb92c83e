/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many bytes a call requested: --weight bytes. */
#ifndef OUTPUT_STACKS_ASKED_H
#define OUTPUT_STACKS_ASKED_H

#include "base/attr.h"
#include "output/event.h"

#include <stdint.h>

/*
 * For a call that has ended: its argument called "size", "bytes", "length" or
 * "len", else the first whose type is size_t; multiplied by its argument called
 * "count" or "nmemb", if there is one. 0 if the function has no such argument,
 * or if it failed.
 */
uint64_t asked_bytes(const struct event_call *call);

#endif
