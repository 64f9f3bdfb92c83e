/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many bytes a call asked for: --weight bytes. */
#ifndef OUTPUT_STACKS_ASKED_H
#define OUTPUT_STACKS_ASKED_H

#include "base/attr.h"
#include "output/event.h"

#include <stdint.h>

/*
 * Of a call that is over. Its argument called "size", "bytes", "length" or
 * "len", else the first whose type is called size_t; times the one called
 * "count" or "nmemb", where there is one beside it. 0 where nothing of this is
 * known of the function, or where it failed.
 */
uint64_t asked_bytes(const struct event_call *call);

#endif
