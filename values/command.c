/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of commands are not case-sensitive in Redis; they are in upper case
 * here. Groups of commands: "CONFIG GET a" is the command CONFIG GET with an
 * argument (redis.io/commands, "container commands", 2024).
 */
#include "values/command.h"

#include "base/attr.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

/* A longer word is no name of a command. */
enum { NAME_MOST = 64 };

static const char *const groups[] = {
	"ACL",	    "CLIENT",	"CLUSTER", "COMMAND", "CONFIG", "DEBUG",
	"FUNCTION", "LATENCY",	"MEMORY",  "MODULE",  "OBJECT", "PUBSUB",
	"SCRIPT",   "SENTINEL", "SLOWLOG", "XGROUP",  "XINFO",
};

static bool
is_group(const char *name)
{
	for (size_t i = 0; i < array_size(groups); i++) {
		if (!strcmp(name, groups[i]))
			return true;
	}
	return false;
}

/* Adds the next word in upper case; returns what is behind it. */
static const char *
add_word(struct str *to, const char *at, const char *end)
{
	for (size_t i = 0; at < end && *at != ' '; at++, i++) {
		if (i < NAME_MOST)
			str_add_char(to, (char)toupper((unsigned char)*at));
	}
	return at;
}

void
command_fold_redis(struct str *to, const char *text, size_t length)
{
	const char *end = text + length, *at;
	size_t first = to->length;

	at = add_word(to, text, end);
	if (at + 1 < end && at[1] != '?' && is_group(str_text(to) + first)) {
		str_add_char(to, ' ');
		at = add_word(to, at + 1, end);
	}
	if (at < end)
		str_add(to, " ?");
}

void
command_fold_memcached(struct str *to, const char *text, size_t length)
{
	const char *end = text + length, *at = text;

	while (at < end && *at == ' ')
		at++;
	for (text = at; at < end && *at != ' ' && at - text < NAME_MOST; at++)
		str_add_char(to, *at);
	while (at < end && *at == ' ')
		at++;
	if (at < end)
		str_add(to, " ?");
}
