/* SPDX-License-Identifier: GPL-2.0-or-later */
/* https://protobuf.dev/programming-guides/encoding */
#include "output/formats/protobuf.h"

enum { WIRE_VARINT = 0, WIRE_LENGTH = 2 };

/* Seven bits per byte, the lowest bits first. The eighth bit says that more
 * bytes follow. */
void
protobuf_add_packed(struct str *to, uint64_t number)
{
	while (number > 0x7f) {
		str_add_char(to, (char)(number | 0x80));
		number >>= 7;
	}
	str_add_char(to, (char)number);
}

void
protobuf_add_number(struct str *to, unsigned field, uint64_t number)
{
	if (number == 0)
		return;
	protobuf_add_packed(to, field << 3 | WIRE_VARINT);
	protobuf_add_packed(to, number);
}

void
protobuf_add_bytes(struct str *to, unsigned field, const char *bytes,
		   size_t length)
{
	protobuf_add_packed(to, field << 3 | WIRE_LENGTH);
	protobuf_add_packed(to, length);
	str_add_bytes(to, bytes, length);
}

void
protobuf_add_str(struct str *to, unsigned field, const struct str *str)
{
	protobuf_add_bytes(to, field, str_text(str), str->length);
}
