/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One interface for three kinds of pattern. Most patterns are plain names;
 * these are compared, not matched, because a filter is applied to many thousand
 * symbols.
 */
#include "base/pattern.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <fnmatch.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

enum pattern_kind { PATTERN_EXACT, PATTERN_ALL, PATTERN_GLOB, PATTERN_REGEX };

struct pattern {
	enum pattern_kind kind;
	char *text;
	regex_t regex;
};

static struct pattern *
pattern_new(enum pattern_kind kind, const char *text)
{
	struct pattern *pattern = xcalloc(1, sizeof(*pattern));

	pattern->kind = kind;
	pattern->text = xstrdup(text);
	return pattern;
}

void
pattern_free(struct pattern *pattern)
{
	if (!pattern)
		return;
	if (pattern->kind == PATTERN_REGEX)
		regfree(&pattern->regex);
	free(pattern->text);
	free(pattern);
}

/* fnmatch(3) takes a [ without a ] literally. We reject it, because no user
 * means that. */
static bool
brackets_close(const char *text)
{
	for (; *text; text++) {
		if (*text == '\\' && text[1]) {
			text++;
		} else if (*text == '[') {
			text += text[1] == '!' || text[1] == '^';
			/* A ] directly after the [ is a member of the set. */
			text = text[1] ? strchr(text + 2, ']') : NULL;
			if (!text)
				return false;
		}
	}
	return true;
}

int
pattern_glob(const char *text, struct pattern **ret_pattern, struct err *err)
{
	enum pattern_kind kind = PATTERN_GLOB;

	if (!text[0])
		return err_set(err, -EINVAL, "an empty pattern");
	if (!brackets_close(text))
		return err_set(err, -EINVAL, "no ']' for the '[' in '%s'",
			       text);
	if (!strcmp(text, "*"))
		kind = PATTERN_ALL;
	else if (!strpbrk(text, "*?[\\"))
		kind = PATTERN_EXACT;
	*ret_pattern = pattern_new(kind, text);
	return 0;
}

int
pattern_regex(const char *text, struct pattern **ret_pattern, struct err *err)
{
	struct pattern *pattern = pattern_new(PATTERN_GLOB, text);
	int r = regcomp(&pattern->regex, text, REG_NOSUB);

	if (r != 0) {
		char why[256];

		regerror(r, &pattern->regex, why, sizeof(why));
		pattern_free(pattern);
		return err_set(err, -EINVAL, "bad expression '%s': %s", text,
			       why);
	}
	pattern->kind = PATTERN_REGEX;
	*ret_pattern = pattern;
	return 0;
}

bool
pattern_matches(const struct pattern *pattern, const char *name)
{
	switch (pattern->kind) {
	case PATTERN_ALL:
		return true;
	case PATTERN_EXACT:
		return !strcmp(pattern->text, name);
	case PATTERN_GLOB:
		return !fnmatch(pattern->text, name, 0);
	case PATTERN_REGEX:
		return !regexec(&pattern->regex, name, 0, NULL, 0);
	}
	return false;
}

const char *
pattern_text(const struct pattern *pattern)
{
	return pattern->text;
}

const char *
pattern_exact(const struct pattern *pattern)
{
	return pattern->kind == PATTERN_EXACT ? pattern->text : NULL;
}

bool
pattern_matches_all(const struct pattern *pattern)
{
	return pattern->kind == PATTERN_ALL;
}
