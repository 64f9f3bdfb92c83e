/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text in, C's way of writing it out. */
#include "tests/unit/values/random_type.h"
#include "tests/unit/values/suites.h"
#include "values/escape.h"

#include <string.h>

struct row {
	const char *in;
	const char *out;
};

/* Some have a NUL in them: "." stands for it. */
static const struct row texts[] = {
	{ "", "" },
	{ "plain text", "plain text" },
	{ "say \"hi\"", "say \\\"hi\\\"" },
	{ "it's", "it's" },
	{ "back\\slash", "back\\\\slash" },
	{ "\a\b\t\n\v\f\r", "\\a\\b\\t\\n\\v\\f\\r" },
	{ "\x1b[2J", "\\033[2J" },
	{ "\x7f", "\\177" },
	{ "a.", "a\\0" },
	{ ".7", "\\0007" },
	{ ".x", "\\0x" },
	{ "gr\xc3\xbc\xc3\x9f", "gr\xc3\xbc\xc3\x9f" },
	{ "\xe2\x82\xac \xf0\x9f\x90\xa7", "\xe2\x82\xac \xf0\x9f\x90\xa7" },
	{ "\xff\xfe", "\\377\\376" },
	{ "\xc3", "\\303" },
	{ "\xc3(", "\\303(" },
	{ "\xc0\xaf", "\\300\\257" },	       /* overlong */
	{ "\xed\xa0\x80", "\\355\\240\\200" }, /* a surrogate */
	{ "\xf4\x90\x80\x80", "\\364\\220\\200\\200" },
	{ "\xc2\x9b", "\\302\\233" },	       /* CSI */
	{ "\xe2\x80\xae", "\\342\\200\\256" }, /* right to left */
};

START_TEST(texts_are_escaped)
{
	const struct row *row = &texts[_i];
	struct str str = { 0 };
	char in[64];
	size_t length = strlen(row->in);

	memcpy(in, row->in, length + 1);
	for (size_t i = 0; i < length; i++) {
		if (in[i] == '.')
			in[i] = '\0';
	}
	escape_text(&str, in, length, '"', false);
	ck_assert_str_eq(str_text(&str), row->out);
	str_release(&str);
}
END_TEST

START_TEST(ascii_shows_no_other)
{
	struct str str = { 0 };

	escape_text(&str, "gr\xc3\xbc", 4, '"', true);
	ck_assert_str_eq(str_text(&str), "gr\\303\\274");
	str_release(&str);
}
END_TEST

static const struct {
	uint32_t character;
	bool wide;
	const char *out;
} characters[] = {
	{ 'a', false, "'a'" },
	{ '\'', false, "'\\''" },
	{ '"', false, "'\"'" },
	{ 0, false, "'\\0'" },
	{ '\n', true, "'\\n'" },
	{ 0xe4, false, "'\\344'" },
	{ 0xe4, true, "'\xc3\xa4'" },
	{ 0x20ac, true, "'\xe2\x82\xac'" },
	{ 0x1f427, true, "'\xf0\x9f\x90\xa7'" },
	{ 0x9b, true, "'\\x9b'" },
	{ 0xd800, true, "'\\xd800'" },
	{ 0xffffffff, true, "'\\xffffffff'" },
};

START_TEST(characters_are_escaped)
{
	struct str str = { 0 };

	escape_character(&str, characters[_i].character, characters[_i].wide);
	ck_assert_str_eq(str_text(&str), characters[_i].out);
	str_release(&str);
}
END_TEST

/* Nothing that a terminal would obey, whatever came in. */
START_TEST(noise_is_tamed)
{
	struct random random;
	struct str str = { 0 };
	unsigned harmful = 0;
	char noise[64];

	random_init(&random, 5);
	for (unsigned i = 0; i < 5000; i++) {
		for (size_t j = 0; j < sizeof(noise); j++)
			noise[j] = (char)random_below(&random, 256);
		str_clear(&str);
		escape_text(&str, noise, sizeof(noise), '"', i % 2);
		ck_assert_uint_le(str.length, 4 * sizeof(noise));
		for (size_t j = 0; j < str.length; j++) {
			unsigned char byte = (unsigned char)str.text[j];

			harmful += byte < ' ' || byte == 0x7f ||
				   (byte >= 0x80 && i % 2);
		}
	}
	/* Each assertion is a system call. */
	ck_assert_uint_eq(harmful, 0);
	str_release(&str);
	random_release(&random);
}
END_TEST

/* Among others a byte is what it is alone, wherever it stands. */
START_TEST(bytes_among_plain_ones)
{
	static const char quotes[] = { '\0', '"', '\'' };
	struct str alone = { 0 }, among = { 0 };
	unsigned wrong = 0;

	for (unsigned i = 0; i < 256 * 24 * 3; i++) {
		char byte = (char)(i % 256), text[25], quote = quotes[i % 3];
		size_t at = i / 256 % 24;

		memset(text, 'x', sizeof(text));
		text[at] = byte;
		str_clear(&alone);
		str_clear(&among);
		escape_text(&alone, text + at, 2, quote, false);
		escape_text(&among, text, sizeof(text), quote, false);
		wrong += among.length != alone.length + 23 ||
			 strspn(among.text, "x") < at ||
			 strncmp(among.text + at, alone.text, alone.length);
	}
	ck_assert_uint_eq(wrong, 0);
	str_release(&alone);
	str_release(&among);
}
END_TEST

#define COUNT(rows) (int)(sizeof(rows) / sizeof((rows)[0]))

Suite *
escape_suite(void)
{
	Suite *suite = suite_create("escape");
	TCase *tcase = tcase_create("escape");

	tcase_add_loop_test(tcase, texts_are_escaped, 0, COUNT(texts));
	tcase_add_test(tcase, ascii_shows_no_other);
	tcase_add_loop_test(tcase, characters_are_escaped, 0,
			    COUNT(characters));
	tcase_add_test(tcase, noise_is_tamed);
	tcase_add_test(tcase, bytes_among_plain_ones);
	suite_add_tcase(suite, tcase);
	return suite;
}
