/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many bytes a call requested: --weight bytes. */
#ifndef OUTPUT_STACKS_ASKED_H
#define OUTPUT_STACKS_ASKED_H

#include "base/attr.h"
#include "output/event.h"

#include <stdint.h>

/*
 * How many bytes a call that has ended requested. This is its argument called
 * "size", "bytes", "length" or "len", or else its first argument of type
 * size_t. If the call has an argument called "count" or "nmemb", the number is
 * multiplied by that. 0 if the function has no such argument, or if the call
 * failed.
 */
uint64_t asked_bytes(const struct event_call *call);

#endif
