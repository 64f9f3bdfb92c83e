/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line with a mistake is skipped; the other lines count. If two lines are for
 * one name, the first counts.
 */
#include "conf/find/aliases.h"

#include "base/str.h"

#include <string.h>

#define BLANKS " \t\r\f\v"

/* One line while it is parsed. */
struct alias_line {
	const char *path;
	const char *text;
	unsigned number;
	struct complaints *complaints;
};

void
aliases_init(struct aliases *aliases)
{
	*aliases = (struct aliases){ 0 };
	strmap_init(&aliases->by_name);
}

void
aliases_release(struct aliases *aliases)
{
	for (size_t i = 0; i < aliases->list.count; i++) {
		struct alias *alias = aliases->list.at[i];

		free(alias->name);
		free(alias->file);
		free(alias->source);
		free(alias);
	}
	vec_release(&aliases->list);
	strmap_release(&aliases->by_name);
}

struct alias *
aliases_find(const struct aliases *aliases, const char *name)
{
	return strmap_get(&aliases->by_name, name);
}

/* Complains about a place in a line. The complaint is dropped if there are too
 * many. */
static void
complain_of(struct complaints *complaints, const char *path, unsigned number,
	    unsigned column, const char *line, const char *sentence)
{
	size_t before = complaints->list.count;

	complaints_add(complaints, path, number, column, "%s", sentence);
	if (complaints->list.count > before)
		complaint_take_source(&complaints->list.at[before], line,
				      line + strlen(line));
}

void
alias_misses(struct alias *alias, const char *path,
	     struct complaints *complaints)
{
	cleanup(freep) char *sentence =
		xasprintf("there is no '%s'", alias->file);

	if (alias->missed)
		return;
	alias->missed = true;
	complain_of(complaints, path, alias->line, alias->column, alias->source,
		    sentence);
}

static void
complain(const struct alias_line *line, const char *at, const char *sentence)
{
	complain_of(line->complaints, line->path, line->number,
		    (unsigned)(at - line->text) + 1, line->text, sentence);
}

static void
add_alias(struct aliases *aliases, const struct alias_line *line,
	  const char *name, size_t name_length, const char *file,
	  size_t file_length)
{
	cleanup(freep) char *key = xstrndup(name, name_length);
	struct alias *alias;

	if (aliases_find(aliases, key)) {
		complain(line, name, "this name has an alias already");
		return;
	}
	alias = xcalloc(1, sizeof(*alias));
	alias->name = take(key);
	alias->file = xstrndup(file, file_length);
	alias->source = xstrdup(line->text);
	alias->line = line->number;
	alias->column = (unsigned)(file - line->text) + 1;
	strmap_put(&aliases->by_name, alias->name, alias);
	vec_push(&aliases->list, alias);
}

static void
parse_line(struct aliases *aliases, const struct alias_line *line)
{
	const char *name = line->text + strspn(line->text, BLANKS);
	size_t name_length = strcspn(name, BLANKS "#");
	const char *file = name + name_length;
	const char *rest;
	size_t file_length;

	if (name_length == 0)
		return;
	file += strspn(file, BLANKS);
	file_length = strcspn(file, BLANKS "#");
	rest = file + file_length + strspn(file + file_length, BLANKS);
	if (memchr(name, '/', name_length))
		complain(line, name, "the name of a library has no '/'");
	else if (file_length == 0)
		complain(line, file, "expected the name of a file");
	else if (*rest && *rest != '#')
		complain(line, rest, "expected the end of the line");
	else
		add_alias(aliases, line, name, name_length, file, file_length);
}

void
aliases_parse(struct aliases *aliases, const char *path, const char *text,
	      size_t length, struct complaints *complaints)
{
	struct alias_line line = { .path = path, .complaints = complaints };
	const char *end = text + length;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		size_t size = (size_t)((newline ? newline : end) - text);
		cleanup(freep) char *copy = xstrndup(text, size);

		line.text = copy;
		line.number++;
		parse_line(aliases, &line);
		text += size + 1;
	}
}
