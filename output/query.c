/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The id is the hash FNV-1a of 64 bits
 * (http://www.isthe.com/chongo/tech/comp/fnv), whose halves are joined: it must
 * not change between versions, because ids of several runs are compared.
 *
 * A fingerprint has one form of white space, words in lower case, and no
 * comments. So the words select and from are found without a parser; brackets
 * and names in quotes are passed over.
 */
#include "output/query.h"

#include "conf/model/lens.h"
#include "values/fetch.h"
#include "values/fingerprint.h"
#include "values/show.h"
#include "values/sql_pieces.h"
#include "values/value.h"

#include <string.h>

/* The most bytes of a text that are used for the name of a query. */
#define TEXT_MOST ((size_t)1 << 24)
/* The longest name of a statement that is shown. */
#define NAME_MOST 64
/* A list of columns that is longer, in bytes, is folded. */
#define COLUMNS_MOST 24

static const char select_word[] = "select ";
static const char from_word[] = " from ";

const struct argument *
query_argument(const struct event_call *call)
{
	const struct arguments *arguments = call->arguments;

	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];

		if (!argument_hidden(argument) &&
		    lens_of_kind(argument->value.lens, LENS_SQL))
			return argument;
	}
	return NULL;
}

const char *
query_system(const char *function)
{
	static const struct {
		const char *begins, *system;
	} rows[] = {
		{ "mysql", "mysql" },	      { "PQ", "postgresql" },
		{ "pg", "postgresql" },	      { "postgresql", "postgresql" },
		{ "sqlite", "sqlite" },	      { "redis", "redis" },
		{ "memcached", "memcached" },
	};

	for (size_t i = 0; i < array_size(rows); i++)
		if (!strncmp(function, rows[i].begins, strlen(rows[i].begins)))
			return rows[i].system;
	return NULL;
}

const char *
query_transaction_end(enum transaction_end end)
{
	static const char *const ends[] = {
		[TRANSACTION_COMMITTED] = "committed",
		[TRANSACTION_ROLLED_BACK] = "rolled-back",
		[TRANSACTION_CLOSED] = "closed",
		[TRANSACTION_UNFINISHED] = "unfinished",
	};

	return ends[end];
}

bool
query_add_name(struct str *to, const struct argument *sql)
{
	struct value_chars text;

	if (sql->folded) {
		str_add(to, sql->folded);
		return true;
	}
	if (value_text(&sql->value, TEXT_MOST, &text) < 0)
		return false;
	fingerprint_add(to, text.bytes, text.length);
	return true;
}

void
query_add_unknown(struct str *to, const struct event_call *call)
{
	const struct show_look look = { .string_length = NAME_MOST };
	const struct arguments *arguments = call->arguments;

	str_add_char(to, '?');
	for (size_t i = 0; i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];

		if (argument_hidden(argument) || argument->bound ||
		    lens_of_kind(argument->value.lens, LENS_SQL))
			continue;
		str_add_char(to, ' ');
		show_value(to, argument_value(argument), &look);
	}
}

static bool
begins_with(const char *at, const char *word)
{
	return strncmp(at, word, strlen(word)) == 0;
}

/* The " from " that belongs to the SELECT whose columns begin at `columns`, or
 * NULL. */
static const char *
from_of(const char *columns)
{
	const char *at = columns, *end = columns + strlen(columns);
	unsigned depth = 0;

	while (at < end) {
		if (*at == '"' || *at == '`') {
			at = sql_quoted_end(at, end, false);
			continue;
		}
		if (depth == 0 && begins_with(at, from_word))
			return at;
		if (*at == ')' && depth == 0)
			return NULL;
		depth += *at == '(';
		depth -= *at == ')';
		at++;
	}
	return NULL;
}

void
query_add_folded(struct str *to, const char *name)
{
	const char *end = name + strlen(name), *at = name;

	while (at < end) {
		bool word = at == name || !sql_in_name(at[-1]);
		const char *next = at + 1, *from;

		if (*at == '"' || *at == '`')
			next = sql_quoted_end(at, end, false);
		if (word && begins_with(at, select_word)) {
			next = at + strlen(select_word);
			from = from_of(next);
			if (from && from - next > COLUMNS_MOST) {
				str_add(to, "select ...");
				at = from;
				continue;
			}
		}
		str_add_bytes(to, at, (size_t)(next - at));
		at = next;
	}
}

uint32_t
query_id(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
	return (uint32_t)(hash ^ hash >> 32);
}

void
query_keep(const struct event_call *call)
{
	const struct argument *sql = query_argument(call);
	struct str unknown = { 0 };
	struct value_chars text;

	/* Reads the text, which the capture then keeps for EVENT_RETURN. */
	if (sql && value_text(&sql->value, TEXT_MOST, &text) < 0)
		query_add_unknown(&unknown, call);
	str_release(&unknown);
}

bool
query_call_id(const struct event_call *call, uint32_t *ret_id)
{
	const struct argument *sql = query_argument(call);
	struct value_chars text;
	struct str name;

	if (!sql || value_text(&sql->value, TEXT_MOST, &text) < 0 || text.cut)
		return false;
	str_init(&name);
	if (!query_add_name(&name, sql))
		return false;
	*ret_id = query_id(str_text(&name));
	str_release(&name);
	return true;
}

void
query_add_id(struct str *to, uint32_t id)
{
	str_addf(to, "%08x", id);
}
