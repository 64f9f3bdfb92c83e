/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The filter ends at the first colon that a word and a "=" follow, because
 * names of C++ have colons, too: std::terminate:retval=0.
 *
 * A result and an error of a function are two things: which result means an
 * error is known to its authors only (-1, NULL, MAP_FAILED). A system call that
 * fails has no other result than its error.
 */
#include "conf/filter/tampering.h"

#include "base/parse.h"
#include "base/xmalloc.h"
#include "conf/filter/filter.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A system call returns errors from -1 to -4095 (include/linux/err.h). */
#define ERROR_MOST 4095

enum tamper_part { PART_RESULT, PART_ERROR, PART_DELAY, PART_WHEN, PARTS };

static const char *const part_words[PARTS] = { "retval", "error", "delay",
					       "when" };

/* The parser's text and place, and where its error message is put. */
struct tamper_parser {
	const char *text;
	const char *at;
	struct tampering *to;
	bool given[PARTS];
	struct err *err;
};

static int
refuse(struct tamper_parser *parser, const char *at, const char *why)
{
	parser->at = at;
	return err_set(parser->err, -EINVAL, "%s", why);
}

/* True if a part begins at `at`: ":word=". */
static bool
is_part(const char *at)
{
	size_t length = 0;

	if (*at != ':')
		return false;
	while (islower((unsigned char)at[1 + length]) || at[1 + length] == '_')
		length++;
	return length > 0 && at[1 + length] == '=';
}

static size_t
names_length(const char *text)
{
	size_t length = 0;

	while (text[length] && !is_part(text + length))
		length++;
	return length;
}

/* ---- the values of the parts --------------------------------------------- */

static int
take_result(struct tamper_parser *parser, const char *at, const char *value)
{
	bool negative = value[0] == '-';
	uint64_t most = negative ? (uint64_t)INT64_MAX + 1 : UINT64_MAX;
	uint64_t number;

	if (!isdigit((unsigned char)value[negative]) ||
	    parse_unsigned(value + negative, most, &number) < 0)
		return refuse(parser, at,
			      "expected a number of 64 bits, such as -1 or "
			      "0x10");
	parser->to->has_result = true;
	parser->to->result = (int64_t)(negative ? -number : number);
	return 0;
}

static int
take_error(struct tamper_parser *parser, const char *at, const char *value)
{
	uint64_t number;

	if (parse_unsigned(value, ERROR_MOST, &number) == 0 && number > 0) {
		parser->to->error = (int)number;
		return 0;
	}
	for (int i = 1; i <= ERROR_MOST; i++) {
		const char *name = strerrorname_np(i);

		if (name && !strcmp(name, value)) {
			parser->to->error = i;
			return 0;
		}
	}
	return refuse(parser, at, "expected an error such as EIO");
}

static int
take_delay(struct tamper_parser *parser, const char *at, const char *value)
{
	size_t length = strlen(value);

	/* A unit is required, because a number without one means microseconds
	 * to strace, and seconds to other options of xtrace. */
	if (length == 0 || !isalpha((unsigned char)value[length - 1]) ||
	    parse_duration(value, &parser->to->delay) < 0 ||
	    parser->to->delay == 0)
		return refuse(parser, at,
			      "expected a time with a unit, such as 250us, "
			      "10ms or 2s");
	return 0;
}

/* A number from 1 on; returns what follows, or NULL. */
static const char *
read_count(const char *at, uint64_t *ret_count)
{
	size_t length = strspn(at, "0123456789");
	cleanup(freep) char *digits = xstrndup(at, length);

	while (length > 1 && digits[0] == '0')
		memmove(digits, digits + 1, length--);
	if (parse_unsigned(digits, UINT32_MAX, ret_count) < 0 ||
	    *ret_count == 0)
		return NULL;
	return at + strspn(at, "0123456789");
}

static int
take_when(struct tamper_parser *parser, const char *at, const char *value)
{
	static const char why[] = "expected FIRST, FIRST+, FIRST+STEP, "
				  "FIRST..LAST or FIRST..LAST+STEP";
	struct tampering *to = parser->to;
	const char *next = read_count(value, &to->first);

	if (!next)
		return refuse(parser, at, why);
	to->last = to->first;
	to->step = 1;
	if (!strncmp(next, "..", 2)) {
		const char *last = next + 2;

		next = read_count(last, &to->last);
		if (!next)
			return refuse(parser, at + (last - value), why);
		if (to->last < to->first)
			return refuse(parser, at + (last - value),
				      "the last call is before the first");
	} else if (*next == '+') {
		to->last = UINT64_MAX;
	}
	if (*next == '+' && next[1]) {
		const char *step = next + 1;

		next = read_count(step, &to->step);
		if (!next)
			return refuse(parser, at + (step - value), why);
	} else if (*next == '+' && to->last == UINT64_MAX) {
		next++;
	}
	return *next ? refuse(parser, at + (next - value), why) : 0;
}

/* ---- the whole ----------------------------------------------------------- */

static enum tamper_part
part_of(const char *word, size_t length)
{
	unsigned part = 0;

	while (part < PARTS && (strlen(part_words[part]) != length ||
				strncmp(part_words[part], word, length) != 0))
		part++;
	return (enum tamper_part)part;
}

/* `at` is the colon before the part. Returns 0 and the next colon or the end,
 * or -EINVAL. */
static int
take_part(struct tamper_parser *parser, const char *at, const char **ret_next)
{
	static int (*const take[PARTS])(struct tamper_parser *, const char *,
					const char *) = {
		[PART_RESULT] = take_result,
		[PART_ERROR] = take_error,
		[PART_DELAY] = take_delay,
		[PART_WHEN] = take_when,
	};
	const char *word = at + 1, *value = word + strcspn(word, "=:");
	size_t length = (size_t)(value - word);
	enum tamper_part part = part_of(word, length);
	cleanup(freep) char *copy = NULL;

	if (part == PARTS || *value != '=')
		return refuse(parser, word,
			      "expected retval=, error=, delay= or when=");
	if (parser->given[part])
		return refuse(parser, word, "this part is given twice");
	parser->given[part] = true;
	value++;
	*ret_next = value + strcspn(value, ":");
	copy = xstrndup(value, (size_t)(*ret_next - value));
	return take[part](parser, value, copy);
}

/* The place in the text of the word that names the part. */
static const char *
place_of(const struct tamper_parser *parser, enum tamper_part part)
{
	const char *at = parser->text + names_length(parser->text);

	while (part_of(at + 1, strcspn(at + 1, "=")) != part)
		at += 1 + strcspn(at + 1, ":");
	return at + 1;
}

static int
check(struct tamper_parser *parser)
{
	const struct tampering *to = parser->to;
	bool system_calls = tampering_of_system_calls(to);

	if (!to->has_result && !to->error && !to->delay)
		return refuse(parser, parser->text + strlen(parser->text),
			      "expected retval=, error= or delay=: what is "
			      "changed");
	if (!system_calls && to->error && !to->has_result)
		return refuse(parser, place_of(parser, PART_ERROR),
			      "error= sets errno; say with retval= what the "
			      "function returns");
	if (system_calls && to->error && to->has_result && to->result != -1)
		return refuse(parser, place_of(parser, PART_RESULT),
			      "a system call that fails returns -1");
	return 0;
}

static int
parse(struct tamper_parser *parser)
{
	struct tampering *to = parser->to;
	size_t length = names_length(parser->text), column = 0;
	const char *at = parser->text + length;
	int r;

	to->names = xstrndup(parser->text, length);
	if (length == 0)
		return refuse(parser, parser->text,
			      "expected a function, or NAME@SYS");
	r = filter_means_system_calls(to->names)
		    ? 0
		    : filter_parse(to->names, NULL, &to->filter, &column,
				   parser->err);
	parser->at = parser->text + column;
	while (r == 0 && *at)
		r = take_part(parser, at, &at);
	return r < 0 ? r : check(parser);
}

int
tampering_parse(const char *text, struct tampering **ret_tampering,
		size_t *ret_column, struct err *err)
{
	struct tampering *to = xcalloc(1, sizeof(*to));
	struct tamper_parser parser = { .text = text, .to = to, .err = err };
	int r;

	*to = (struct tampering){
		.text = xstrdup(text), .first = 1, .last = UINT64_MAX, .step = 1
	};
	r = parse(&parser);
	if (r < 0) {
		*ret_column = (size_t)(parser.at - text);
		tampering_free(to);
		return r;
	}
	*ret_tampering = to;
	return 0;
}

void
tampering_free(struct tampering *tampering)
{
	if (!tampering)
		return;
	filter_free(tampering->filter);
	free(tampering->names);
	free(tampering->text);
	free(tampering);
}

bool
tampering_of_system_calls(const struct tampering *tampering)
{
	return filter_means_system_calls(tampering->names);
}

bool
tampering_takes(struct tampering *tampering)
{
	uint64_t number = ++tampering->seen;

	return number >= tampering->first && number <= tampering->last &&
	       (number - tampering->first) % tampering->step == 0;
}
