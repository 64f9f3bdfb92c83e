/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Formats, each number with its highest byte first (PostgreSQL 15, src/backend/
 * utils/adt, the *_send functions):
 *
 *	date		days since 2000-01-01
 *	time		microseconds; timetz: and seconds west of Greenwich
 *	timestamp	microseconds since 2000-01-01
 *	interval	microseconds (64 bits), days, months
 *	numeric		count, weight, sign, scale (16 bits each), then digits
 *			of base 10000; weight is the power of the first digit
 *	inet		family, bits, is it a cidr, bytes, then the address
 *	array		dimensions, flags, the elements' type, then for each
 *			dimension its length and first index; elements follow,
 *			each after its length, -1 for NULL
 */
#include "values/postgres.h"

#include "base/attr.h"
#include "base/escape.h"
#include "base/str.h"
#include "conf/model/type.h"
#include "values/real.h"

#include <arpa/inet.h>
#include <endian.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* 2000-01-01 by the clock of time(2) */
#define EPOCH_DAYS 10957
#define DAY_SECONDS 86400
#define SECOND_MICROS 1000000
#define DAY_MICROS ((int64_t)DAY_SECONDS * SECOND_MICROS)
#define DIMENSIONS_MOST 6 /* MAXDIM */
#define DIGITS_MOST 400

/* The bytes that were not read yet. */
struct postgres_rest {
	const unsigned char *at;
	size_t left;
	bool bad; /* a read went beyond the last byte */
};

static const unsigned char *
next_bytes(struct postgres_rest *rest, size_t count)
{
	static const unsigned char none[16];
	const unsigned char *at = rest->at;

	if (rest->left < count) {
		rest->bad = true;
		return none;
	}
	rest->at += count;
	rest->left -= count;
	return at;
}

static int16_t
take_16(struct postgres_rest *rest)
{
	uint16_t number;

	memcpy(&number, next_bytes(rest, sizeof(number)), sizeof(number));
	return (int16_t)be16toh(number);
}

static int32_t
take_32(struct postgres_rest *rest)
{
	uint32_t number;

	memcpy(&number, next_bytes(rest, sizeof(number)), sizeof(number));
	return (int32_t)be32toh(number);
}

static int64_t
take_64(struct postgres_rest *rest)
{
	uint64_t number;

	memcpy(&number, next_bytes(rest, sizeof(number)), sizeof(number));
	return (int64_t)be64toh(number);
}

/* ---- numbers ---------------------------------------------------------------
 */

static void
add_bool(struct str *to, struct postgres_rest *rest)
{
	str_add(to, *next_bytes(rest, 1) ? "true" : "false");
}

static void
add_int2(struct str *to, struct postgres_rest *rest)
{
	str_add_signed(to, take_16(rest));
}

static void
add_int4(struct str *to, struct postgres_rest *rest)
{
	str_add_signed(to, take_32(rest));
}

static void
add_int8(struct str *to, struct postgres_rest *rest)
{
	str_add_signed(to, take_64(rest));
}

static void
add_oid(struct str *to, struct postgres_rest *rest)
{
	str_add_unsigned(to, (uint32_t)take_32(rest));
}

static void
add_float4(struct str *to, struct postgres_rest *rest)
{
	uint32_t bits = (uint32_t)take_32(rest);
	float number;

	memcpy(&number, &bits, sizeof(number));
	real_add(to, &(struct real){ number, type_builtin("float") });
}

static void
add_float8(struct str *to, struct postgres_rest *rest)
{
	uint64_t bits = (uint64_t)take_64(rest);
	double number;

	memcpy(&number, &bits, sizeof(number));
	real_add(to,
		 &(struct real){ (__float128)number, type_builtin("double") });
}

/* Adds NaN or an infinity. Returns false if the value is a number. */
static bool
add_special(struct str *to, uint16_t sign)
{
	const char *word = sign == 0xc000   ? "NaN"
			   : sign == 0xd000 ? "Infinity"
			   : sign == 0xf000 ? "-Infinity"
					    : NULL;

	if (word)
		str_add(to, word);
	return word != NULL;
}

/* All digits, four for each power of 10000 from `first` down to `last`. */
static void
add_digits(struct str *to, struct postgres_rest *rest, int weight, int first,
	   int last)
{
	for (int power = first; power >= last; power--) {
		unsigned digit = power <= weight && rest->left > 0
					 ? (uint16_t)take_16(rest)
					 : 0;

		rest->bad |= digit > 9999;
		str_addf(to, "%04u", digit);
	}
}

static void
add_numeric(struct str *to, struct postgres_rest *rest)
{
	int count = take_16(rest), weight = take_16(rest);
	uint16_t sign = (uint16_t)take_16(rest);
	int scale = take_16(rest);
	int first = weight > 0 ? weight : 0, last = -((scale + 3) / 4);
	size_t whole = 4 * ((size_t)first + 1), zeros = 0;
	struct str digits cleanup(str_release);

	str_init(&digits);
	rest->bad |= 2 * (size_t)count != rest->left || scale < 0 ||
		     scale > DIGITS_MOST || weight > DIGITS_MOST;
	if (rest->bad || add_special(to, sign)) {
		next_bytes(rest, rest->left);
		return;
	}
	add_digits(&digits, rest, weight, first, last);
	while (zeros + 1 < whole && digits.text[zeros] == '0')
		zeros++;
	str_add(to, sign ? "-" : "");
	str_add_bytes(to, digits.text + zeros, whole - zeros);
	str_add(to, scale > 0 ? "." : "");
	str_add_bytes(to, digits.text + whole, (size_t)scale);
}

/* ---- times -----------------------------------------------------------------
 */

/* "03:04:05.000006" */
static void
add_clock(struct str *to, uint64_t micros)
{
	uint64_t seconds = micros / SECOND_MICROS;
	unsigned fraction = (unsigned)(micros % SECOND_MICROS), width = 6;

	str_addf(to, "%02" PRIu64 ":%02u:%02u", seconds / 3600,
		 (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
	if (fraction == 0)
		return;
	for (; fraction % 10 == 0; width--)
		fraction /= 10;
	str_addf(to, ".%0*u", (int)width, fraction);
}

/* Adds the date, as in 2026-01-02, without its era. Returns the era: " BC", or
 * "". */
static const char *
add_days(struct str *to, int64_t days)
{
	time_t when = (days + EPOCH_DAYS) * DAY_SECONDS;
	struct tm tm = { 0 };
	int year;

	gmtime_r(&when, &tm);
	/* There is no year 0: it is the year 1 before Christ. */
	year = tm.tm_year + 1900;
	str_addf(to, "%04d-%02d-%02d", year > 0 ? year : 1 - year,
		 tm.tm_mon + 1, tm.tm_mday);
	return year > 0 ? "" : " BC";
}

static void
add_date(struct str *to, struct postgres_rest *rest)
{
	int32_t days = take_32(rest);

	if (days == INT32_MAX)
		str_add(to, "infinity");
	else if (days == INT32_MIN)
		str_add(to, "-infinity");
	else
		str_add(to, add_days(to, days));
}

static void
add_time(struct str *to, struct postgres_rest *rest)
{
	int64_t micros = take_64(rest);

	rest->bad |= micros < 0 || micros > DAY_MICROS;
	if (!rest->bad)
		add_clock(to, (uint64_t)micros);
}

/* Adds a time zone as in ISO 8601: "+05:30". */
static void
add_timetz(struct str *to, struct postgres_rest *rest)
{
	int32_t west;
	unsigned east;

	add_time(to, rest);
	west = take_32(rest);
	rest->bad |= west <= -DAY_SECONDS || west >= DAY_SECONDS;
	if (rest->bad)
		return;
	east = (unsigned)(west > 0 ? west : -west);
	str_addf(to, "%c%02u", west > 0 ? '-' : '+', east / 3600);
	if (east % 3600)
		str_addf(to, ":%02u", east / 60 % 60);
	if (east % 60)
		str_addf(to, ":%02u", east % 60);
}

static void
add_moment(struct str *to, struct postgres_rest *rest, const char *zone)
{
	int64_t micros = take_64(rest), days, clock;
	const char *era;

	if (micros == INT64_MAX || micros == INT64_MIN) {
		str_add(to, micros > 0 ? "infinity" : "-infinity");
		return;
	}
	days = micros / DAY_MICROS;
	clock = micros % DAY_MICROS;
	if (clock < 0) {
		clock += DAY_MICROS;
		days--;
	}
	era = add_days(to, days);
	str_add_char(to, ' ');
	add_clock(to, (uint64_t)clock);
	str_add(to, zone);
	str_add(to, era);
}

static void
add_timestamp(struct str *to, struct postgres_rest *rest)
{
	add_moment(to, rest, "");
}

static void
add_timestamptz(struct str *to, struct postgres_rest *rest)
{
	add_moment(to, rest, "+00");
}

/* Adds the interval as in "1 year 2 mons -3 days +04:05:06.7". As in
 * PostgreSQL, a positive part gets a sign if the part before it is negative. */
static void
add_interval(struct str *to, struct postgres_rest *rest)
{
	static const char *const names[] = { "year", "mon", "day" };
	int64_t micros = take_64(rest);
	int32_t days = take_32(rest), months = take_32(rest);
	const int32_t parts[] = { months / 12, months % 12, days };
	size_t start = to->length;
	bool below = false;

	for (size_t i = 0; i < 3; i++) {
		if (parts[i] == 0)
			continue;
		str_addf(to, "%s%s%" PRId32 " %s%s",
			 to->length > start ? " " : "",
			 below && parts[i] > 0 ? "+" : "", parts[i], names[i],
			 parts[i] == 1 ? "" : "s");
		below = parts[i] < 0;
	}
	if (micros == 0 && to->length > start)
		return;
	str_add(to, to->length > start ? " " : "");
	str_add(to, micros < 0 ? "-" : below ? "+" : "");
	add_clock(to, micros < 0 ? -(uint64_t)micros : (uint64_t)micros);
}

/* ---- other types -----------------------------------------------------------
 */

static void
add_uuid(struct str *to, struct postgres_rest *rest)
{
	const unsigned char *bytes = next_bytes(rest, 16);

	for (unsigned i = 0; i < 16; i++)
		str_addf(to, "%s%02x",
			 i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
			 bytes[i]);
}

/* The families are numbers of PostgreSQL's own: 2 and 3. */
static void
add_inet(struct str *to, struct postgres_rest *rest)
{
	const unsigned char *head = next_bytes(rest, 4);
	unsigned family = head[0], bits = head[1], is_cidr = head[2];
	size_t size = family == 2 ? 4 : 16;
	const unsigned char *address = next_bytes(rest, size);
	char text[INET6_ADDRSTRLEN];

	rest->bad |=
		family < 2 || family > 3 || head[3] != size || bits > 8 * size;
	if (rest->bad || !inet_ntop(family == 2 ? AF_INET : AF_INET6, address,
				    text, sizeof(text)))
		return;
	str_add(to, text);
	if (is_cidr || bits < 8 * size)
		str_addf(to, "/%u", bits);
}

static const struct postgres_form {
	uint64_t type, array; /* OIDs */
	void (*add)(struct str *to,
		    struct postgres_rest *rest); /* NULL: the value is text */
	size_t head;
} forms[] = {
	{ 16, 1000, add_bool, 0 },
	{ 18, 1002, NULL, 0 }, /* "char" */
	{ 19, 1003, NULL, 0 }, /* name */
	{ 20, 1016, add_int8, 0 },
	{ 21, 1005, add_int2, 0 },
	{ 23, 1007, add_int4, 0 },
	{ 25, 1009, NULL, 0 }, /* text */
	{ 26, 1028, add_oid, 0 },
	{ 114, 199, NULL, 0 },	   /* json */
	{ 142, 143, NULL, 0 },	   /* xml */
	{ 650, 651, add_inet, 0 }, /* cidr */
	{ 700, 1021, add_float4, 0 },
	{ 701, 1022, add_float8, 0 },
	{ 869, 1041, add_inet, 0 },
	{ 1042, 1014, NULL, 0 }, /* bpchar */
	{ 1043, 1015, NULL, 0 }, /* varchar */
	{ 1082, 1182, add_date, 0 },
	{ 1083, 1183, add_time, 0 },
	{ 1114, 1115, add_timestamp, 0 },
	{ 1184, 1185, add_timestamptz, 0 },
	{ 1186, 1187, add_interval, 0 },
	{ 1266, 1270, add_timetz, 0 },
	{ 1700, 1231, add_numeric, 0 },
	{ 2950, 2951, add_uuid, 0 },
	{ 3802, 3807, NULL, 1 }, /* jsonb: a version, then text */
};

static const struct postgres_form *
form_of(uint64_t type, bool array)
{
	for (size_t i = 0; i < array_size(forms); i++) {
		if ((array ? forms[i].array : forms[i].type) == type)
			return &forms[i];
	}
	return NULL;
}

/* ---- arrays ----------------------------------------------------------------
 */

static void
add_element(struct str *to, const struct postgres_form *form,
	    struct postgres_rest *rest)
{
	int32_t length = take_32(rest);
	struct postgres_rest element = { NULL, length > 0 ? (size_t)length : 0,
					 false };

	if (length == -1) {
		str_add(to, "NULL");
		return;
	}
	rest->bad |= length < 0;
	element.at = next_bytes(rest, element.left);
	if (rest->bad)
		return;
	if (form->add) {
		form->add(to, &element);
	} else {
		next_bytes(&element, form->head);
		str_add_char(to, '"');
		escape_text(to, (const char *)element.at, element.left, '"',
			    false);
		str_add_char(to, '"');
		element.left = 0;
	}
	rest->bad |= element.bad || element.left > 0;
}

/* Adds one dimension of an array. The elements are in row-major order, as in
 * C. */
static void
add_dimension(struct str *to, const struct postgres_form *form,
	      struct postgres_rest *rest, const int32_t *lengths,
	      int dimensions)
{
	str_add_char(to, '[');
	for (int32_t i = 0; i < *lengths && !rest->bad; i++) {
		str_add(to, i > 0 ? ", " : "");
		if (dimensions > 1)
			add_dimension(to, form, rest, lengths + 1,
				      dimensions - 1);
		else
			add_element(to, form, rest);
	}
	str_add_char(to, ']');
}

static void
add_array(struct str *to, const struct postgres_form *form,
	  struct postgres_rest *rest)
{
	int32_t lengths[DIMENSIONS_MOST] = { 0 };
	int32_t dimensions = take_32(rest);

	take_32(rest); /* skips the flag that the array has a NULL */
	rest->bad |= (uint32_t)take_32(rest) != form->type || dimensions < 0 ||
		     dimensions > DIMENSIONS_MOST;
	for (int32_t i = 0; !rest->bad && i < dimensions; i++) {
		lengths[i] = take_32(rest);
		take_32(rest); /* skips the first index */
		rest->bad |= lengths[i] < 0;
	}
	if (!rest->bad)
		add_dimension(to, form, rest, lengths, dimensions);
}

/* ---- a value ---------------------------------------------------------------
 */

bool
postgres_is_text(uint64_t type, size_t *ret_head)
{
	const struct postgres_form *form = form_of(type, false);

	if (!form || form->add)
		return false;
	*ret_head = form->head;
	return true;
}

bool
postgres_add(struct str *to, uint64_t type, const void *bytes, size_t length)
{
	const struct postgres_form *form = form_of(type, false);
	const struct postgres_form *of = form_of(type, true);
	struct postgres_rest rest = { bytes, length, false };
	struct str text cleanup(str_release);

	str_init(&text);
	if (form && form->add)
		form->add(&text, &rest);
	else if (of)
		add_array(&text, of, &rest);
	else
		return false;
	if (rest.bad || rest.left > 0)
		return false;
	str_add_bytes(to, str_text(&text), text.length);
	return true;
}
