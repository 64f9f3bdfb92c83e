/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The label of a call is the name of its function in a table or a picture: the
 * displayed name without the caller, so that the calls of all callers are added
 * up.
 */
#ifndef OUTPUT_LABEL_H
#define OUTPUT_LABEL_H

#include "base/attr.h"
#include "output/event.h"

#include <stddef.h>

/* The label of the call, with "@library" if the display has it. The result
 * points into the event. */
const char *label_of(const struct event_call *call);

/* The length of label before an "@library" that the display added. */
size_t label_plain_length(const struct event_call *call, const char *label);

#endif
