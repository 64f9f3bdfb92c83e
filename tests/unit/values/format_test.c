/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats, and the types of their arguments. Each argument is a letter, i
 * integer, u unsigned, x o b in another base, c character, f float, s text,
 * w wide text, p address, g a long that no directive uses; and its size in
 * bytes. */
#include "base/attr.h"
#include "base/str.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "tests/unit/values/random_type.h"
#include "tests/unit/values/suites.h"
#include "values/format.h"

#include <string.h>

static const struct {
	const char *format;
	const char *wanted;
} rows[] = {
	{ "", "" },
	{ "plain", "" },
	{ "100%%", "" },
	{ "%m", "" },
	{ "%", "" },
	{ "%5", "" },
	{ "%d %i %u", "i4 i4 u4" },
	{ "%hhd %hd %ld %lld %jd %zd %td %qd %Ld",
	  "i1 i2 i8 i8 i8 i8 i8 i8 i8" },
	{ "%x %X %#lx %o %b", "x4 x4 x8 o4 b4" },
	{ "%c %lc %C", "c1 c4 c4" },
	{ "%s %ls %S", "s1 w4 w4" },
	{ "%p %n %hhn", "p8 p8 p8" },
	{ "%f %e %g %lf %Lf %LG", "f8 f8 f8 f8 f16 f16" },
	{ "%a %La", "x8 x16" },
	{ "%-08.3f|%+5d|% d|%'d|%I5d", "f8 i4 i4 i4 i4" },
	{ "%*d %.*s %-*.*f", "i4 i4 i4 s1@2 i4 i4 f8@5" },
	{ "%.5s %.s %.0s", "s1.5 s1.0 s1.0" },
	{ "%2$s %1$d", "i4 s1" },
	{ "%3$d", "g8 g8 i4" },
	{ "%1$*2$d %3$.*2$s", "i4 i4 s1@1" },
	{ "%1$s %1$s", "s1" },
	{ "%d %y %d", "i4" },
	{ "%d %ll", "i4" },
	{ "%99999999999999999999d", "i4" },
	{ "%4097$d %d", "" },
	{ "%0$d", "" },
};

/* In a program with addresses of 4 bytes. */
static const struct {
	const char *format;
	const char *wanted;
} narrow_rows[] = {
	{ "%hhd %hd %d %ld %lld %jd %zd %td %qd",
	  "i1 i2 i4 i4 i8 i8 i4 i4 i8" },
	{ "%c %lc %s %ls %S %p", "c1 c4 s1 w4 w4 p4" },
	{ "%f %Lf %La", "f8 f12 x12" },
	{ "%3$d", "g4 g4 i4" },
};

/*
 * Formats of scanf, with the number of conversions. Characters and allocated
 * text are marked.
 */
static const struct {
	const char *format;
	const char *wanted;
} scans[] = {
	{ "", "" },
	{ "plain %% %5%", "" },
	{ "%", "" },
	{ "%d %i %u", "i4>1 i4>2 u4>3" },
	{ "%hhd %hd %ld %lld %jd %zd %td",
	  "i1>1 i2>2 i8>3 i8>4 i8>5 i8>6 i8>7" },
	{ "%x %lX %o", "x4>1 x8>2 o4>3" },
	{ "%f %lf %Lf %a", "f4>1 f8>2 f16>3 f4>4" },
	{ "%s %ls %S %10s %ms", "s1>1 w4>2 w4>3 s1>4 ms1>5" },
	{ "%[a-z] %[]] %[^]] %l[x] %[%d] %d", "s1>1 s1>2 s1>3 w4>4 s1>5 i4>6" },
	{ "%c %5c %lc %mc", "s1.1>1 s1.5>2 w4.1>3 ms1.1>4" },
	{ "%*d %*[a] %*c %d", "i4>1" },
	{ "%d%n %hhn%d %n", "i4>1 i4>2 i1>2 i4>2 i4>3" },
	{ "%2$d %1$s", "s1>2 i4>1" },
	{ "%p %'d", "p8>1 i4>2" },
	{ "%d %[a", "i4>1" },
	{ "%d %y %d", "i4>1" },
	{ "%99999999999999999999d %4097$d", "i4>1" },
};

static char
letter(const struct type *type)
{
	static const char letters[LENS_KINDS] = {
		[LENS_HEX] = 'x', [LENS_OCT] = 'o',	[LENS_BIN] = 'b',
		[LENS_CHR] = 'c', [LENS_ADDRESS] = 'p', [LENS_GUESS] = 'g',
	};

	if (type->lens && letters[type->lens->kind])
		return letters[type->lens->kind];
	if (type->kind == TYPE_FLOAT)
		return 'f';
	if (type->kind == TYPE_POINTER)
		return type->to->bytes == 4 ? 'w' : 's';
	return type->is_signed ? 'i' : 'u';
}

static void
describe(struct str *to, const struct format_argument *argument)
{
	const struct type *type = argument->type;
	char kind = letter(type);
	bool is_text = kind == 's' || kind == 'w';

	str_addf(to, "%s%c%u", to->length ? " " : "", kind,
		 is_text ? type->to->bytes : type->bytes);
	if (argument->precision >= 0 && is_text)
		str_addf(to, ".%ld", argument->precision);
	if (argument->precision_argument >= 0)
		str_addf(to, "@%ld", argument->precision_argument);
}

/* Describes the type that a scanf pointer points to. */
static void
describe_filled(struct str *to, const struct format_argument *argument)
{
	const struct type *type = argument->type->to;
	const struct lens *lens = argument->type->lens;

	str_add(to, to->length ? " " : "");
	ck_assert_int_eq(argument->type->kind, TYPE_POINTER);
	if (type->kind == TYPE_POINTER && type->lens->kind != LENS_ADDRESS) {
		str_add_char(to, 'm');
		lens = type->lens;
		type = type->to;
	}
	if (type->is_char)
		str_addf(to, "%c%u", type->bytes == 4 ? 'w' : 's', type->bytes);
	else
		str_addf(to, "%c%u", letter(type), type->bytes);
	if (lens && lens->length)
		str_addf(to, ".%ld", (long)lens->length->number);
	str_addf(to, ">%ld", argument->conversion);
}

START_TEST(a_format_of_scanf_is_read)
{
	const char *format = scans[_i].format;
	const struct format_argument *found;
	struct str str = { 0 };
	struct arena arena;
	size_t count;

	arena_init(&arena);
	found = format_results(format, strlen(format), TYPE_WORD, &arena,
			       &count);
	for (size_t i = 0; i < count; i++)
		describe_filled(&str, &found[i]);
	ck_assert_str_eq(str_text(&str), scans[_i].wanted);
	str_release(&str);
	arena_release(&arena);
}
END_TEST

static void
check_format(const char *format, unsigned word, const char *wanted)
{
	const struct format_argument *found;
	struct str str = { 0 };
	struct arena arena;
	size_t count;

	arena_init(&arena);
	found = format_arguments(format, strlen(format), word, &arena, &count);
	for (size_t i = 0; i < count; i++)
		describe(&str, &found[i]);
	ck_assert_str_eq(str_text(&str), wanted);
	str_release(&str);
	arena_release(&arena);
}

START_TEST(a_format_is_read)
{
	check_format(rows[_i].format, TYPE_WORD, rows[_i].wanted);
}
END_TEST

START_TEST(a_format_of_a_32_bit_program_is_read)
{
	check_format(narrow_rows[_i].format, 4, narrow_rows[_i].wanted);
}
END_TEST

START_TEST(a_long_one_is_read_to_its_end)
{
	struct str format = { 0 };
	struct arena arena;
	size_t count;

	arena_init(&arena);
	for (unsigned i = 0; i < 1000; i++)
		str_add(&format, "some words and then %d, ");
	format_arguments(format.text, format.length, TYPE_WORD, &arena, &count);
	ck_assert_uint_eq(count, 1000);
	for (unsigned i = 0; i < 9000; i++)
		str_add(&format, "%d");
	format_arguments(format.text, format.length, TYPE_WORD, &arena, &count);
	ck_assert_uint_eq(count, 4096);
	str_release(&format);
	arena_release(&arena);
}
END_TEST

START_TEST(nonsense_is_read_too)
{
	static const char alphabet[] = "%%%%$*.0123456789hlLqjzt-'#dsfcxpnm[]^";
	struct random random;
	char format[40];

	random_init(&random, 3);
	for (unsigned i = 0; i < 20000; i++) {
		unsigned length = random_below(&random, sizeof(format));
		size_t count;

		for (unsigned j = 0; j < length; j++)
			format[j] =
				alphabet[random_below(&random,
						      sizeof(alphabet) - 1)];
		format_arguments(format, length, TYPE_WORD, &random.arena,
				 &count);
		ck_assert_uint_le(count, 4096);
		format_results(format, length, TYPE_WORD, &random.arena,
			       &count);
		ck_assert_uint_le(count, 4096);
		arena_clear(&random.arena);
	}
	random_release(&random);
}
END_TEST

Suite *
format_suite(void)
{
	Suite *suite = suite_create("format");
	TCase *tcase = tcase_create("format");

	tcase_add_loop_test(tcase, a_format_is_read, 0, array_size(rows));
	tcase_add_loop_test(tcase, a_format_of_a_32_bit_program_is_read, 0,
			    array_size(narrow_rows));
	tcase_add_loop_test(tcase, a_format_of_scanf_is_read, 0,
			    array_size(scans));
	tcase_add_test(tcase, a_long_one_is_read_to_its_end);
	tcase_add_test(tcase, nonsense_is_read_too);
	suite_add_tcase(suite, tcase);
	return suite;
}
