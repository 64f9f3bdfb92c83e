/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the fewest digits by trying: it starts with the number of digits that
 * every number of the type can have, and adds one until the text reads back as
 * the number. The C library's strtof(3) and similar functions round correctly,
 * and so does its printf(3). printf() does not support binary128; there
 * strfromf128() and strtof128() are used (ISO/IEC TS 18661-3).
 */
#include "values/real.h"

#include "base/str.h"
#include "conf/model/type.h"
#include "values/value.h"

#include <endian.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WHOLE_MOST 1e15L
#define TEXT_BYTES 64 /* the longest has 36 digits, a point and an exponent */
#define X87_BYTES 10u /* the significant bytes of a long double's 16 */
/* The digits of binary128 (IEEE 754-2019, 3.6 and 5.12.2). Only GCC's <float.h>
 * has this constant. */
#define QUAD_DIGITS 33
#define QUAD_DECIMAL_DIGITS 36

/* <stdlib.h> declares strtof128() and strfromf128() only for GCC, with the type
 * _Float128. This is the same type as __float128. */
extern __float128 strtof128(const char *text, char **ret_end);
extern int strfromf128(char *to, size_t size, const char *format,
		       __float128 number);

enum format { FORMAT_FLOAT, FORMAT_DOUBLE, FORMAT_X87, FORMAT_QUAD };

static enum format
format_of(const struct type *type)
{
	if (type->is_quad)
		return FORMAT_QUAD;
	if (type->bytes == sizeof(float))
		return FORMAT_FLOAT;
	return type->bytes == sizeof(double) ? FORMAT_DOUBLE : FORMAT_X87;
}

int
real_of(const struct value *value, unsigned part, struct real *ret_real)
{
	const struct type *type = value->type;
	union {
		float f;
		double d;
		long double l;
		__float128 q;
		uint32_t u32;
		uint64_t u64;
	} real = { .q = 0 };
	enum format format;
	int r;

	if (type->kind == TYPE_COMPLEX)
		type = type->to;
	else if (type->kind != TYPE_FLOAT || part > 0)
		return -EDOM;
	format = format_of(type);
	r = value_read(value, (size_t)part * type->bytes, &real,
		       format == FORMAT_X87 ? X87_BYTES : type->bytes);
	if (r < 0)
		return r;
	if (type->is_big_endian && format == FORMAT_FLOAT)
		real.u32 = be32toh(real.u32);
	else if (type->is_big_endian && format == FORMAT_DOUBLE)
		real.u64 = be64toh(real.u64);
	*ret_real = (struct real){ .type = type, .number = real.q };
	if (format == FORMAT_FLOAT)
		ret_real->number = real.f;
	else if (format == FORMAT_DOUBLE)
		ret_real->number = real.d;
	else if (format == FORMAT_X87)
		ret_real->number = real.l;
	return 0;
}

bool
real_finite(const struct real *real)
{
	return isfinite(real->number);
}

bool
real_negative(const struct real *real)
{
	return signbit(real->number);
}

static bool
reads_back(const char *text, const struct real *real)
{
	switch (format_of(real->type)) {
	case FORMAT_FLOAT:
		return strtof(text, NULL) == (float)real->number;
	case FORMAT_DOUBLE:
		return strtod(text, NULL) == (double)real->number;
	case FORMAT_X87:
		return strtold(text, NULL) == (long double)real->number;
	default:
		return strtof128(text, NULL) == real->number;
	}
}

/* True for numbers so small that they have fewer digits than their type. */
static bool
is_subnormal(const struct real *real)
{
	long double size = fabsl((long double)real->number);

	switch (format_of(real->type)) {
	case FORMAT_FLOAT:
		return size < (long double)FLT_MIN;
	case FORMAT_DOUBLE:
		return size < (long double)DBL_MIN;
	default:
		return size < LDBL_MIN; /* binary128 has the exponents of x87 */
	}
}

static int
fewest_digits(const struct real *real)
{
	static const int digits[] = {
		[FORMAT_FLOAT] = FLT_DIG,
		[FORMAT_DOUBLE] = DBL_DIG,
		[FORMAT_X87] = LDBL_DIG,
		[FORMAT_QUAD] = QUAD_DIGITS,
	};

	return is_subnormal(real) ? 1 : digits[format_of(real->type)];
}

/* strfromf128() takes the precision only from its format. */
static void
print(char *text, const struct real *real, int digits)
{
	char format[16];

	if (!real->type->is_quad) {
		snprintf(text, TEXT_BYTES, "%.*Lg", digits,
			 (long double)real->number);
		return;
	}
	snprintf(format, sizeof(format), "%%.%dg", digits);
	strfromf128(text, TEXT_BYTES, format, real->number);
}

static bool
add_whole(struct str *to, const struct real *real)
{
	__float128 number = real->number;

	if (!(number > -WHOLE_MOST && number < WHOLE_MOST) ||
	    (__float128)(int64_t)number != number ||
	    (number == 0 && real_negative(real)))
		return false;
	str_add_signed(to, (int64_t)number);
	return true;
}

void
real_add(struct str *to, const struct real *real)
{
	int digits = fewest_digits(real);
	char text[TEXT_BYTES];

	if (add_whole(to, real))
		return;
	do {
		print(text, real, digits++);
	} while (real_finite(real) && !reads_back(text, real) &&
		 digits <= QUAD_DECIMAL_DIGITS);
	str_add(to, text);
}

void
real_add_fixed(struct str *to, const struct real *real)
{
	str_addf(to, "%Lf", (long double)real->number);
}

void
real_add_hexadecimal(struct str *to, const struct real *real)
{
	char text[TEXT_BYTES];

	switch (format_of(real->type)) {
	case FORMAT_QUAD:
		strfromf128(text, sizeof(text), "%a", real->number);
		str_add(to, text);
		break;
	case FORMAT_X87:
		str_addf(to, "%La", (long double)real->number);
		break;
	default:
		str_addf(to, "%a", (double)real->number);
	}
}
