/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the values of events that come from no function: of queries and logins
 * that were seen on a connection. */
#ifndef TRACER_QUERIES_WIRE_VALUES_H
#define TRACER_QUERIES_WIRE_VALUES_H

#include "base/arena.h"
#include "conf/model/lens.h"

#include <stddef.h>
#include <stdint.h>

struct arguments;
struct value;

/* Makes the value of a number in the arena. */
const struct value *wire_number_value(struct arena *arena, int64_t number);
/* Makes the value an array of characters. If the bytes are NULL, it cannot be
 * read. */
void wire_text_value(struct arguments *arguments, struct value *value,
		     enum lens_kind kind, const char *bytes, size_t length);

#endif
