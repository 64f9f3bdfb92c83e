/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The wire format of Protocol Buffers, as far as it is written here: fields
 * that are numbers, bytes, or messages, which are bytes too.
 */
#ifndef OUTPUT_FORMATS_PROTOBUF_H
#define OUTPUT_FORMATS_PROTOBUF_H

#include "base/str.h"

#include <stdint.h>

/* A field that is a number; 0 is what it is without, and takes no room. */
void protobuf_add_number(struct str *to, unsigned field, uint64_t number);
void protobuf_add_bytes(struct str *to, unsigned field, const char *bytes,
			size_t length);
/* A field that is a text or a message. */
void protobuf_add_str(struct str *to, unsigned field, const struct str *str);
/* One of the numbers of a packed field, whose bytes are these. */
void protobuf_add_packed(struct str *to, uint64_t number);

#endif
