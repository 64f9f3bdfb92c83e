/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shows one scalar through its lens: a table has one row per lens. If the lens
 * does not fit the type (hex does for a long double, flags does not), the
 * scalar is shown in its natural way.
 */
#include "values/show.h"

#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "base/escape.h"
#include "values/real.h"
#include "values/value.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <string.h>

#define GUESS_DECIMAL 10000 /* nearer to zero: decimal, as in ltrace */

static void show_natural(struct str *to, const struct value *value);

/* Gets the value's number. If it has none, shows the value in its natural way
 * and returns false. */
static bool
bits_of(struct str *to, const struct value *value, uint64_t *ret_bits)
{
	if (value_bits(value, ret_bits) == 0)
		return true;
	show_natural(to, value);
	return false;
}

/* True for an integer of 16 bytes. */
static bool
is_wide(const struct value *value, unsigned __int128 *ret_number)
{
	return value->type->kind == TYPE_INT && !value->bits &&
	       value->type->bytes == sizeof(*ret_number) &&
	       value_read(value, 0, ret_number, sizeof(*ret_number)) == 0;
}

static void
add_wide_decimal(struct str *to, unsigned __int128 number, bool is_signed)
{
	char digits[40];
	char *at = digits + sizeof(digits);

	if (is_signed && (__int128)number < 0) {
		str_add_char(to, '-');
		number = -number;
	}
	do {
		*--at = (char)('0' + (unsigned)(number % 10));
		number /= 10;
	} while (number > 0);
	str_add_bytes(to, at, (size_t)(digits + sizeof(digits) - at));
}

static void
show_decimal(struct str *to, const struct value *value)
{
	unsigned __int128 wide;
	int64_t number;

	if (is_wide(value, &wide))
		add_wide_decimal(to, wide, value->type->is_signed);
	else if (value_integer(value, &number) < 0)
		show_natural(to, value);
	else if (value->type->is_signed)
		str_add_signed(to, number);
	else
		str_add_unsigned(to, (uint64_t)number);
}

static void
show_character(struct str *to, const struct value *value)
{
	uint64_t bits;

	if (!bits_of(to, value, &bits))
		return;
	if (value->type->bytes == 4 && bits == UINT32_MAX)
		str_add(to, "EOF");
	else
		escape_character(to, (uint32_t)bits, value->type->bytes > 1);
}

static void
show_real(struct str *to, const struct value *value)
{
	struct real real;

	if (real_of(value, 0, &real) < 0)
		return;
	real_add(to, &real);
	if (value->type->kind == TYPE_FLOAT || real_of(value, 1, &real) < 0)
		return;
	if (!real_negative(&real))
		str_add_char(to, '+');
	real_add(to, &real);
	str_add_char(to, 'i');
}

static void
show_hexadecimal(struct str *to, const struct value *value)
{
	unsigned __int128 wide;
	struct real real;
	uint64_t bits;

	if (is_wide(value, &wide) && wide >> 64 > 0) {
		str_add_hex(to, (uint64_t)(wide >> 64));
		str_addf(to, "%016" PRIx64, (uint64_t)wide);
	} else if (value->type->kind == TYPE_FLOAT &&
		   real_of(value, 0, &real) == 0) {
		real_add_hexadecimal(to, &real);
	} else if (bits_of(to, value, &bits)) {
		if (bits == 0)
			str_add_char(to, '0');
		else
			str_add_hex(to, bits);
	}
}

/* Writes bits in base 2 to the power of shift, after prefix; 0 is 0. */
static void
add_based(struct str *to, uint64_t bits, unsigned shift, const char *prefix)
{
	char digits[64];
	char *at = digits + sizeof(digits);

	if (bits == 0) {
		str_add_char(to, '0');
		return;
	}
	for (; bits > 0; bits >>= shift)
		*--at = (char)('0' + (bits & ((1u << shift) - 1)));
	str_add(to, prefix);
	str_add_bytes(to, at, (size_t)(digits + sizeof(digits) - at));
}

static void
show_octal(struct str *to, const struct value *value)
{
	uint64_t bits;

	if (bits_of(to, value, &bits))
		add_based(to, bits, 3, "0");
}

static void
show_binary(struct str *to, const struct value *value)
{
	uint64_t bits;

	if (bits_of(to, value, &bits))
		add_based(to, bits, 1, "0b");
}

static void
show_bool(struct str *to, const struct value *value)
{
	uint64_t bits;

	if (bits_of(to, value, &bits))
		str_add(to, bits ? "true" : "false");
}

static bool
is_near_zero(int64_t number)
{
	return number >= -GUESS_DECIMAL && number <= GUESS_DECIMAL;
}

static void
show_guess(struct str *to, const struct value *value)
{
	int64_t number;

	if (value_integer(value, &number) < 0)
		show_natural(to, value);
	else if (is_near_zero(number))
		str_add_signed(to, number);
	else
		show_hexadecimal(to, value);
}

bool
show_guessed(const struct value *value)
{
	int64_t number;

	return value->lens && value->lens->kind == LENS_GUESS &&
	       value_integer(value, &number) == 0 && is_near_zero(number);
}

/* A mask of the bits that the value's type has. A constant of the type may be
 * negative, and then has higher bits set, too. */
static uint64_t
width_mask(const struct value *value)
{
	unsigned bits = value->bits ? value->bits : 8u * value->type->bytes;

	return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

/* Shows the value through the next lens of its chain, or in decimal if there is
 * none. */
static void
show_under(struct str *to, const struct value *value)
{
	struct value under = *value;

	under.lens = value->lens->under;
	if (under.lens)
		show_scalar(to, &under);
	else
		show_decimal(to, value);
}

static void
show_enum(struct str *to, const struct value *value)
{
	const struct lens *lens = value->lens;
	uint64_t bits, mask;

	if (!bits_of(to, value, &bits))
		return;
	mask = width_mask(value);
	for (size_t i = 0; i < lens->name_count; i++) {
		if (((uint64_t)lens->names[i].value & mask) == bits) {
			str_add(to, lens->names[i].name);
			return;
		}
	}
	show_under(to, value);
}

/* Shows the bits without a name through the next lens of the chain. */
static void
show_rest(struct str *to, const struct value *value, uint64_t rest)
{
	struct type type = *value->type;
	struct value part;

	if (!value->lens->under) {
		str_add_hex(to, rest);
		return;
	}
	type.is_big_endian = false; /* the bytes are in our own order */
	value_of_bytes(&part, &type, &rest, sizeof(rest), NULL, NULL);
	part.lens = value->lens->under;
	show_scalar(to, &part);
}

/* A name is skipped if all its bits are covered by earlier names. */
static void
add_names(struct str *to, const struct value *value, uint64_t bits)
{
	const struct lens *lens = value->lens;
	size_t start = to->length;
	uint64_t mask = width_mask(value), told = 0;

	for (size_t i = 0; i < lens->name_count; i++) {
		const struct constant *name = &lens->names[i];
		uint64_t own = name->mask & mask;

		if ((bits & own) != ((uint64_t)name->value & mask) ||
		    (own & ~told) == 0)
			continue;
		if (to->length > start)
			str_add_char(to, '|');
		str_add(to, name->name);
		told |= own;
	}
	if (to->length == start && bits == 0) {
		str_add_char(to, '0');
	} else if (bits & ~told) {
		if (to->length > start)
			str_add_char(to, '|');
		show_rest(to, value, bits & ~told);
	}
}

static bool
is_most(uint64_t bits, uint64_t mask)
{
	return 2 * __builtin_popcountll(bits) > __builtin_popcountll(mask);
}

/*
 * True for a set of nearly everything. *ret_lacks is what it lacks, because the
 * names of all other bits would fill a line. A name for more than half of the
 * type's bits defines "everything"; if several do, the smallest counts.
 */
static bool
is_nearly_whole(const struct value *value, uint64_t bits, uint64_t *ret_lacks)
{
	uint64_t mask = width_mask(value), whole = 0;

	for (size_t i = 0; i < value->lens->name_count; i++) {
		uint64_t own = (uint64_t)value->lens->names[i].value & mask;

		if (own == bits)
			return false;
		if (is_most(own, mask) && (bits & ~own) == 0 &&
		    (whole == 0 || (own & ~whole) == 0))
			whole = own;
	}
	*ret_lacks = whole & ~bits;
	return whole && is_most(bits, mask);
}

static void
show_flags(struct str *to, const struct value *value)
{
	uint64_t bits, lacks;

	if (!bits_of(to, value, &bits))
		return;
	if (!is_nearly_whole(value, bits, &lacks)) {
		add_names(to, value, bits);
		return;
	}
	str_add(to, "~<");
	add_names(to, value, lacks);
	str_add_char(to, '>');
}

static bool
has_bit(const unsigned char *set, size_t i)
{
	return set[i / 8] >> i % 8 & 1;
}

/* Writes the runs of bits that equal wanted: "0-1,3,5-8". */
static void
add_runs(struct str *to, const unsigned char *set, size_t count, bool wanted)
{
	const char *comma = "";

	for (size_t i = 0; i < count; i++) {
		size_t first = i;

		if (has_bit(set, i) != wanted)
			continue;
		while (i + 1 < count && has_bit(set, i + 1) == wanted)
			i++;
		str_add(to, comma);
		str_add_unsigned(to, first);
		if (i > first) {
			str_add_char(to, '-');
			str_add_unsigned(to, i);
		}
		comma = ",";
	}
}

static void
show_bit_set(struct str *to, const struct value *value)
{
	unsigned char set[BIT_SET_MOST] = { 0 };
	size_t bytes = 0, count, ones = 0;
	uint64_t bits;

	if (value_extent(value, sizeof(set), &bytes) < 0)
		bytes = 0;
	count = value->bits ? value->bits : 8 * bytes;
	if (value->bits && value_bits(value, &bits) == 0)
		memcpy(set, &bits, sizeof(bits));
	else if (value_read(value, 0, set, bytes) < 0)
		count = 0;
	for (size_t i = 0; i < count; i++)
		ones += has_bit(set, i);
	str_add(to, ones > count - ones ? "~<" : "<");
	add_runs(to, set, count, ones <= count - ones);
	str_add_char(to, '>');
}

static void
show_inet(struct str *to, const struct value *value)
{
	size_t size = type_size(value->type);
	unsigned char bytes[16];
	char text[INET6_ADDRSTRLEN];

	if ((size != 4 && size != 16) || value_read(value, 0, bytes, size) < 0)
		show_natural(to, value);
	else if (inet_ntop(size == 4 ? AF_INET : AF_INET6, bytes, text,
			   sizeof(text)))
		str_add(to, text);
}

/* For (uid_t)-1, no user: chown() leaves the owner, setresuid() the user. */
static bool
is_nobody(const struct value *value)
{
	const char *name = value->type->name;
	uint64_t bits;

	return name && (!strcmp(name, "uid_t") || !strcmp(name, "gid_t")) &&
	       value_bits(value, &bits) == 0 && bits == UINT32_MAX;
}

static void
show_natural(struct str *to, const struct value *value)
{
	const struct type *type = value->type;

	if (type->kind != TYPE_INT)
		show_real(to, value);
	else if (type->is_char)
		show_character(to, value);
	else if (is_nobody(value))
		str_add(to, "-1");
	else
		show_decimal(to, value);
}

static void (*const rows[LENS_KINDS])(struct str *, const struct value *) = {
	[LENS_HEX] = show_hexadecimal, [LENS_OCT] = show_octal,
	[LENS_BIN] = show_binary,      [LENS_DEC] = show_decimal,
	[LENS_CHR] = show_character,   [LENS_BOOL] = show_bool,
	[LENS_GUESS] = show_guess,     [LENS_BITVEC] = show_bit_set,
	[LENS_ENUM] = show_enum,       [LENS_FLAGS] = show_flags,
	[LENS_INET] = show_inet,
};

void
show_scalar(struct str *to, const struct value *value)
{
	const struct lens *lens = value->lens;

	if (lens && rows[lens->kind])
		rows[lens->kind](to, value);
	else
		show_natural(to, value);
}
