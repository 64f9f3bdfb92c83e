/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of Protocol Buffers' wire format that is used here: fields with a
 * number, with bytes, or with a message, which is bytes, too.
 */
#ifndef OUTPUT_FORMATS_PROTOBUF_H
#define OUTPUT_FORMATS_PROTOBUF_H

#include "base/str.h"

#include <stdint.h>

/* Adds a field with a number. 0 is the default and is not written. */
void protobuf_add_number(struct str *to, unsigned field, uint64_t number);
void protobuf_add_bytes(struct str *to, unsigned field, const char *bytes,
			size_t length);
/* Adds a field with a text or a message. */
void protobuf_add_str(struct str *to, unsigned field, const struct str *str);
/* Adds a number to the bytes of a packed field. */
void protobuf_add_packed(struct str *to, uint64_t number);

#endif
