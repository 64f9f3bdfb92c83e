/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The form of text with C escapes. */
#include "tests/unit/base/suites.h"

#include "base/escape.h"

#include <string.h>

struct row {
	const char *in;
	const char *out;
};

/* In some rows a "." means a NUL. */
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

/* xorshift64, for random bytes that are the same in each run */
static unsigned
random_below(uint64_t *state, unsigned below)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return (unsigned)(*state % below);
}

/* The number of bytes in text that a terminal would obey. */
static unsigned
count_harmful(const char *text, size_t length)
{
	unsigned harmful = 0;

	for (size_t i = 0; i < length; i++) {
		unsigned char byte = (unsigned char)text[i];

		harmful += byte < ' ' || byte == 0x7f;
	}
	return harmful;
}

/* The result has nothing that a terminal would obey, whatever the bytes are. */
START_TEST(noise_is_tamed)
{
	struct str str = { 0 };
	unsigned harmful = 0;
	uint64_t state = 5;
	char noise[64];

	for (unsigned i = 0; i < 5000; i++) {
		for (size_t j = 0; j < sizeof(noise); j++)
			noise[j] = (char)random_below(&state, 256);
		str_clear(&str);
		escape_text(&str, noise, sizeof(noise), '"', i % 2);
		ck_assert_uint_le(str.length, 4 * sizeof(noise));
		harmful += count_harmful(str.text, str.length);
		for (size_t j = 0; j < str.length && i % 2; j++)
			harmful += (unsigned char)str.text[j] >= 0x80;
	}
	/*
	 * One assertion for all rows, because each assertion makes a system
	 * call.
	 */
	ck_assert_uint_eq(harmful, 0);
	str_release(&str);
}
END_TEST

/* At each position of a text, a byte is escaped as if it were the whole
 * text. */
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

/* ---- names --------------------------------------------------------------- */

static const struct row names[] = {
	{ "", "" },
	{ "plain_name", "plain_name" },
	{ "Shop\\fill", "Shop\\fill" },
	{ "\\\n\\", "\\\\n\\" },
	{ "say \"it's\"", "say \"it's\"" },
	{ "a\033[31mb", "a\\033[31mb" },
	{ "\n+++ exited", "\\n+++ exited" },
	{ "\177\1", "\\177\\001" },
	{ "\xc3\xa4\xe6\xbc\xa2", "\xc3\xa4\xe6\xbc\xa2" },
	{ "\xc2\x9b", "\\302\\233" },
	{ "\xe2\x80\xae", "\\342\\200\\256" },
	{ "cut\xe2\x80", "cut\\342\\200" },
};

START_TEST(names_are_escaped)
{
	const struct row *row = &names[_i];
	struct str str = { 0 }, again = { 0 };
	char into[64];

	escape_name(&str, row->in);
	ck_assert_str_eq(str_text(&str), row->out);
	escape_name(&again, str_text(&str));
	ck_assert_str_eq(str_text(&again), row->out);
	ck_assert_uint_eq(escape_name_into(into, sizeof(into), row->in),
			  strlen(row->out));
	ck_assert_str_eq(into, row->out);
	if (escape_spares(row->in, strlen(row->in)))
		ck_assert_str_eq(row->in, row->out);
	str_release(&str);
	str_release(&again);
}
END_TEST

/* Both functions that escape names write the same for any bytes, and a second
 * escaping changes nothing. */
START_TEST(noise_in_names)
{
	static const char *const parts[] = { "a",    "\\",	 "\033",
					     "\n",   "\xc3\xa4", "\xe2\x80\xae",
					     "\xff", "\xe2",	 "\"" };
	struct str name = { 0 }, once = { 0 }, twice = { 0 };
	uint64_t state = 7;
	unsigned wrong = 0;
	char into[1024];

	for (unsigned i = 0; i < 5000; i++) {
		str_clear(&name);
		str_clear(&once);
		str_clear(&twice);
		for (unsigned j = random_below(&state, 30); j > 0; j--)
			str_add(&name, parts[random_below(&state, i % 9 + 1)]);
		escape_name(&once, str_text(&name));
		escape_name(&twice, str_text(&once));
		escape_name_into(into, sizeof(into), str_text(&name));
		wrong += strcmp(str_text(&once), str_text(&twice)) != 0 ||
			 strcmp(str_text(&once), into) != 0 ||
			 count_harmful(into, strlen(into)) > 0 ||
			 (escape_spares(str_text(&name), name.length) &&
			  strcmp(str_text(&name), into) != 0);
	}
	ck_assert_uint_eq(wrong, 0);
	str_release(&name);
	str_release(&once);
	str_release(&twice);
}
END_TEST

START_TEST(what_is_spared)
{
	ck_assert(escape_spares("", 0));
	ck_assert(escape_spares("a_name_of_some_length (x.py:3)", 30));
	ck_assert(escape_spares("back\\slash", 10));
	for (size_t at = 0; at < 20; at++) {
		char name[] = "abcdefghijklmnopqrst";

		name[at] = (char)(at % 2 ? '\n' : 0x7f);
		ck_assert(!escape_spares(name, 20));
		ck_assert(escape_spares(name, at));
	}
}
END_TEST

/* The text is cut behind a whole escape. */
START_TEST(what_has_no_room_is_cut)
{
	char into[8] = "xxxxxxx";

	ck_assert_uint_eq(escape_name_into(into, 6, "ab\033c"), 2);
	ck_assert_str_eq(into, "ab");
	ck_assert_uint_eq(escape_name_into(into, 7, "ab\033c"), 6);
	ck_assert_str_eq(into, "ab\\033");
	ck_assert_uint_eq(escape_name_into(into, 3, "a\xc3\xa4"), 1);
	ck_assert_str_eq(into, "a");
	ck_assert_uint_eq(escape_name_into(into, 1, "a"), 0);
	ck_assert_str_eq(into, "");
}
END_TEST

START_TEST(part_of_a_name)
{
	struct str str = { 0 };

	escape_name_bytes(&str, "a\\\nb\nc", 4);
	ck_assert_str_eq(str_text(&str), "a\\\\nb");
	str_release(&str);
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
	tcase_add_loop_test(tcase, names_are_escaped, 0, COUNT(names));
	tcase_add_test(tcase, noise_in_names);
	tcase_add_test(tcase, what_is_spared);
	tcase_add_test(tcase, what_has_no_room_is_cut);
	tcase_add_test(tcase, part_of_a_name);
	suite_add_tcase(suite, tcase);
	return suite;
}
