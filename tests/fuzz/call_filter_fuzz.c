/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The argument of -S. Each rule of an accepted filter names a system call, or
 * has the form of an unknown call's name; a refusal names a column within the
 * text. What is accepted is accepted, too, if classes may name other calls.
 */
#include "base/xmalloc.h"
#include "conf/filter/call_filter.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct call_class classes[] = {
	{ "file", "open,openat" },
	{ "net", "socket" },
};

static const char *const calls[] = { "close", "open", "openat", NULL,
				     "socket" };

static long
count(void)
{
	return (long)array_size(calls);
}

static const char *
name(long number)
{
	assert(number >= 0 && number < count());
	return calls[number];
}

static void
check(const struct filter *filter, const char *text)
{
	struct filter_rule_seen rule;

	for (size_t i = 0; filter_rule(filter, i, &rule); i++) {
		assert(rule.matched || strstr(rule.text, "syscall_") ||
		       strstr(rule.text, "compat_"));
		assert(strchr(text, '%') || rule.column <= strlen(text));
	}
}

static bool
is_accepted_of(const char *text)
{
	const struct call_names names = { classes, array_size(classes),
					  count,   name,
					  "toy",   true };
	struct filter *filter = NULL;
	struct err err = { "" };
	size_t column = 0;

	if (call_filter_parse(text, &names, &filter, &column, &err) < 0) {
		assert(column <= strlen(text));
		assert(err.text[0] && !filter);
		return false;
	}
	filter_free(filter);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	const struct call_names names = { .classes = classes,
					  .class_count = array_size(classes),
					  .count = count,
					  .name = name };
	cleanup(freep) char *text = NULL;
	struct filter *filter = NULL;
	struct err err = { "" };
	size_t column = 0;

	if (length > 4096)
		return 0;
	text = xstrndup((const char *)bytes, length);
	if (call_filter_parse(text, &names, &filter, &column, &err) < 0) {
		assert(column <= strlen(text));
		assert(err.text[0] && !filter);
		(void)is_accepted_of(text);
		return 0;
	}
	assert(is_accepted_of(text));
	check(filter, text);
	filter_free(filter);
	return 0;
}
