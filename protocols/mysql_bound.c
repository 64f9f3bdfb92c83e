/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A COM_STMT_EXECUTE is
 *
 *	0x17, number (4), flags (1), iterations (4),
 *	[number of parameters, if the client may add some]
 *	which are NULL (a bit each), whether types follow (1),
 *	[types (2 each) [names]], values
 *
 * The client sends the types with the first execution and whenever they change.
 * A value that was sent earlier in pieces (COM_STMT_SEND_LONG_DATA) is not
 * among the values.
 */
#include "protocols/mysql_bound.h"

#include "base/xmalloc.h"
#include "protocols/mysql_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Flags and types of parameters ("Column Definition Flags",
 * "enum_field_types").
 */
enum {
	TYPE_TINY = 1,
	TYPE_SHORT = 2,
	TYPE_LONG = 3,
	TYPE_FLOAT = 4,
	TYPE_DOUBLE = 5,
	TYPE_NULL = 6,
	TYPE_TIMESTAMP = 7,
	TYPE_LONGLONG = 8,
	TYPE_INT24 = 9,
	TYPE_DATE = 10,
	TYPE_TIME = 11,
	TYPE_DATETIME = 12,
	TYPE_YEAR = 13,
};

enum {
	TYPE_UNSIGNED = 0x80,
	/* our own flag for a value that was sent earlier */
	TYPE_SENT_LONG = 0x40
};

/* the flag PARAMETER_COUNT_AVAILABLE, which needs CLIENT_QUERY_ATTRIBUTES */
enum { FLAG_COUNT = 0x08 };

enum { EXECUTE_FIXED = 10 };

/* The part of the packet that has not been read yet. */
struct rest {
	const unsigned char *at;
	size_t left;
	bool short_of; /* a read went beyond the end of the packet */
};

static const unsigned char *
take_bytes(struct rest *rest, uint64_t count)
{
	const unsigned char *at = rest->at;

	if (rest->short_of || count > rest->left) {
		rest->short_of = true;
		return NULL;
	}
	rest->at += count;
	rest->left -= (size_t)count;
	return at;
}

/* Reads a length-encoded integer. */
static uint64_t
take_length(struct rest *rest)
{
	const unsigned char *first = take_bytes(rest, 1), *bytes;
	uint64_t value = 0;
	size_t size;

	if (!first)
		return 0;
	if (*first < 0xfb)
		return *first;
	size = *first == 0xfc ? 2 : *first == 0xfd ? 3 : 8;
	bytes = take_bytes(rest, size);
	for (size_t i = bytes ? size : 0; i > 0; i--)
		value = value << 8 | bytes[i - 1];
	return value;
}

static void
put_types(struct texts *types, uint32_t id, const void *bytes, size_t count)
{
	struct text *text = text_new(bytes, 2 * count, 2 * count);

	texts_put(types, id, text);
	text_unref(text);
}

void
mysql_bound_prepared(struct texts *types, uint32_t id, unsigned count)
{
	unsigned char *none = xcalloc(count + 1, 2);

	put_types(types, id, none, count);
	free(none);
}

void
mysql_bound_long(struct texts *types, uint32_t id, unsigned parameter)
{
	struct text *text = texts_get(types, id);

	if (text && parameter < text->length / 2)
		text->bytes[2 * parameter + 1] |= TYPE_SENT_LONG;
}

/* ---- values ------------------------------------------------------------- */

static void
add_integer(struct bound *bound, struct rest *rest, size_t size,
	    bool is_unsigned)
{
	const unsigned char *bytes = take_bytes(rest, size);
	uint64_t value = 0, sign = UINT64_C(1) << (8 * size - 1);

	if (!bytes)
		return;
	for (size_t i = size; i > 0; i--)
		value = value << 8 | bytes[i - 1];
	if (is_unsigned)
		bound_add_plain(bound, "%llu", (unsigned long long)value);
	else
		bound_add_plain(bound, "%lld",
				(long long)((value ^ sign) - sign));
}

/* Adds the shortest text that reads back as the number. */
static void
add_real(struct bound *bound, double real, bool is_single)
{
	char text[40];

	for (int digits = is_single ? 6 : 15; digits <= 17; digits++) {
		double back;

		snprintf(text, sizeof(text), "%.*g", digits, real);
		back = strtod(text, NULL);
		if (back == real || (is_single && (float)back == (float)real))
			break;
	}
	bound_add_plain(bound, "%s", text);
}

static void
add_floating(struct bound *bound, struct rest *rest, bool is_single)
{
	const unsigned char *bytes = take_bytes(rest, is_single ? 4 : 8);
	double real;
	float single;

	if (!bytes)
		return;
	if (is_single) {
		memcpy(&single, bytes, sizeof(single));
		real = (double)single;
	} else {
		memcpy(&real, bytes, sizeof(real));
	}
	add_real(bound, real, is_single);
}

static unsigned
microseconds(const unsigned char *bytes)
{
	return mysql_u32(bytes);
}

/* Adds a date of 0, 4, 7 or 11 bytes. */
static void
add_date(struct bound *bound, struct rest *rest)
{
	uint64_t length = take_length(rest);
	const unsigned char *b = take_bytes(rest, length);
	unsigned year = b && length >= 4 ? mysql_u16(b) : 0;

	if (!b)
		return;
	if (length >= 11)
		bound_add_plain(bound, "%04u-%02u-%02u %02u:%02u:%02u.%06u",
				year, b[2], b[3], b[4], b[5], b[6],
				microseconds(b + 7));
	else if (length >= 7)
		bound_add_plain(bound, "%04u-%02u-%02u %02u:%02u:%02u", year,
				b[2], b[3], b[4], b[5], b[6]);
	else if (length >= 4)
		bound_add_plain(bound, "%04u-%02u-%02u", year, b[2], b[3]);
	else
		bound_add_plain(bound, "0000-00-00");
}

/* Adds a time of 0, 8 or 12 bytes: sign, days, hours, minutes, seconds,
 * microseconds. */
static void
add_time(struct bound *bound, struct rest *rest)
{
	uint64_t length = take_length(rest);
	const unsigned char *b = take_bytes(rest, length);
	const char *sign = b && length >= 8 && b[0] ? "-" : "";
	unsigned long hours;

	if (!b)
		return;
	if (length < 8) {
		bound_add_plain(bound, "00:00:00");
		return;
	}
	hours = (unsigned long)mysql_u32(b + 1) * 24 + b[5];
	if (length >= 12)
		bound_add_plain(bound, "%s%02lu:%02u:%02u.%06u", sign, hours,
				b[6], b[7], microseconds(b + 8));
	else
		bound_add_plain(bound, "%s%02lu:%02u:%02u", sign, hours, b[6],
				b[7]);
}

/* Adds text. If the packet ends within it, it is the last value. */
static void
add_bytes(struct bound *bound, struct rest *rest)
{
	uint64_t length = take_length(rest);
	size_t have = rest->left;
	const unsigned char *bytes;

	if (rest->short_of)
		return;
	if (length <= have)
		have = (size_t)length;
	else
		bound->cut = true;
	bytes = take_bytes(rest, have);
	bound_add(bound, QUERY_VALUE_TEXT, bytes, have);
	rest->short_of |= bound->cut;
}

static void
add_value(struct bound *bound, struct rest *rest, const unsigned char *type)
{
	bool is_unsigned = type[1] & TYPE_UNSIGNED;

	switch (type[0]) {
	case TYPE_NULL:
		bound_add(bound, QUERY_VALUE_NULL, NULL, 0);
		break;
	case TYPE_TINY:
		add_integer(bound, rest, 1, is_unsigned);
		break;
	case TYPE_SHORT:
	case TYPE_YEAR:
		add_integer(bound, rest, 2, is_unsigned);
		break;
	case TYPE_LONG:
	case TYPE_INT24:
		add_integer(bound, rest, 4, is_unsigned);
		break;
	case TYPE_LONGLONG:
		add_integer(bound, rest, 8, is_unsigned);
		break;
	case TYPE_FLOAT:
	case TYPE_DOUBLE:
		add_floating(bound, rest, type[0] == TYPE_FLOAT);
		break;
	case TYPE_DATE:
	case TYPE_DATETIME:
	case TYPE_TIMESTAMP:
		add_date(bound, rest);
		break;
	case TYPE_TIME:
		add_time(bound, rest);
		break;
	default:
		add_bytes(bound, rest);
		break;
	}
}

static void
add_values(struct bound *bound, struct rest *rest, const unsigned char *nulls,
	   unsigned char *types, size_t count)
{
	for (size_t i = 0; i < count && !rest->short_of; i++) {
		unsigned char *type = types + 2 * i;

		if (type[1] & TYPE_SENT_LONG)
			bound_add_plain(bound, "(sent before)");
		else if (nulls[i / 8] >> i % 8 & 1)
			bound_add(bound, QUERY_VALUE_NULL, NULL, 0);
		else
			add_value(bound, rest, type);
		type[1] &= (unsigned char)~TYPE_SENT_LONG;
	}
	bound->cut |= rest->short_of;
}

/* ---- types -------------------------------------------------------------- */

/* Reads the types of the parameters, from this packet or from an earlier one. A
 * parameter whose value was sent earlier keeps its mark. False if the types are
 * not known. */
static bool
read_types(struct rest *rest, const struct text *known, size_t count,
	   bool named, unsigned char *types)
{
	const unsigned char *new = take_bytes(rest, 1);

	memcpy(types, known->bytes,
	       known->length < 2 * count ? known->length : 2 * count);
	if (!new)
		return false;
	for (size_t i = 0; i < count && *new; i++) {
		const unsigned char *type = take_bytes(rest, 2);

		if (!type)
			return false;
		types[2 * i] = type[0];
		types[2 * i + 1] =
			(unsigned char)((type[1] & ~TYPE_SENT_LONG) |
					(types[2 * i + 1] & TYPE_SENT_LONG));
		if (named && !take_bytes(rest, take_length(rest)))
			return false;
	}
	return *new || types[0];
}

struct bound *
mysql_bound_values(struct texts *types, const struct packet *packet)
{
	struct rest rest = { packet->body, packet->kept, false };
	const unsigned char *fixed = take_bytes(&rest, EXECUTE_FIXED), *nulls;
	struct bound *bound;
	const struct text *known;
	unsigned char *now;
	uint64_t count;
	bool named;

	if (!fixed)
		return NULL;
	known = texts_get(types, mysql_u32(fixed + 1));
	if (!known)
		return NULL;
	named = fixed[5] & FLAG_COUNT;
	count = named ? take_length(&rest) : known->length / 2;
	if (count == 0 || count > UINT16_MAX)
		return NULL;
	nulls = take_bytes(&rest, (count + 7) / 8);
	now = xcalloc(count, 2);
	if (!nulls || !read_types(&rest, known, count, named, now)) {
		free(now);
		return NULL;
	}
	bound = bound_new();
	add_values(bound, &rest, nulls, now, count);
	put_types(types, mysql_u32(fixed + 1), now, count);
	free(now);
	return bound;
}

struct bound *
mysql_bound_bulk(void)
{
	struct bound *bound = bound_new();

	bound_add_plain(bound, "(in bulk)");
	return bound;
}
