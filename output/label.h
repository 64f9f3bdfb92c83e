/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The label of a call is what a table or a picture calls its function: as
 * displayed, but without the caller, so that calls from everywhere add up.
 */
#ifndef OUTPUT_LABEL_H
#define OUTPUT_LABEL_H

#include "base/attr.h"
#include "output/event.h"

#include <stddef.h>

/* With its "@library" where the display has one. Points into the event. */
const char *label_of(const struct event_call *call);

/* How much of label is before an "@library" that the display added. */
size_t label_plain_length(const struct event_call *call, const char *label);

#endif
