/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filters: the first byte says whether sonames are known, the rest is the text.
 * An accepted filter is consistent: a symbol that it chooses is in a module
 * that it wants, and if it can choose only plain names, it chooses nothing
 * else. A refusal names a column within the text.
 */
#include "base/xmalloc.h"
#include "conf/filter/filter.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static const struct filter_module modules[] = {
	{ "prog", "/usr/bin/prog", NULL, true },
	{ "libc.so.6", "/usr/lib/libc.so.6", NULL, false },
	{ "libstdc++.so.6", NULL, NULL, false },
};

static const char *const names[] = { "malloc", "f", "_ZN1a1fEv", "", "a-b" };

static bool
detect_known(const struct filter_sonames *sonames, const char *text)
{
	(void)sonames;
	return strlen(text) % 3 == 0;
}

static const char *
demangle(const struct filter_symbol *symbol)
{
	return symbol->name[0] == '_' ? "int a::f<int>(char) const" : NULL;
}

static bool
is_listed(const char *const *list, const char *name)
{
	while (*list && strcmp(*list, name) != 0)
		list++;
	return *list != NULL;
}

static void
ask(const struct filter *filter, const struct filter_module *module,
    const struct filter_symbol *symbol)
{
	bool only;
	const char *const *list = filter_plain_names(filter, &only);

	if (!filter_chooses(filter, module, symbol))
		return;
	assert(filter_wants_module(filter, module));
	assert(!only || is_listed(list, symbol->name));
}

static void
ask_all(const struct filter *filter)
{
	const size_t count = sizeof(modules) / sizeof(modules[0]) *
			     (sizeof(names) / sizeof(names[0]));

	for (size_t i = 0; i < count; i++) {
		const struct filter_symbol symbol = {
			.name = names[i / 3],
			.version = i % 2 ? "GLIBC_2.14" : NULL,
			.demangled = demangle,
		};

		ask(filter, &modules[i % 3], &symbol);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	const struct filter_sonames sonames = { detect_known };
	cleanup(freep) char *text = NULL;
	struct filter *filter = NULL;
	size_t column = 0;
	struct err err;

	if (length == 0 || length > 4096)
		return 0;
	text = xstrndup((const char *)bytes + 1, length - 1);
	if (filter_parse(text, bytes[0] & 1 ? &sonames : NULL, &filter, &column,
			 &err) < 0) {
		assert(column <= strlen(text));
		assert(err.text[0] && !filter);
		return 0;
	}
	ask_all(filter);
	filter_free(filter);
	return 0;
}
