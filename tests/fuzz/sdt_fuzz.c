/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The input is one of three texts about SDT probes: a filter of probes; the
 * operands of a note, which come from a foreign file; or a filter of functions
 * of scripts, with the path of a script. Its first byte says which. If a filter
 * is refused, the position of the mistake must be within the text. Each operand
 * that is parsed must move the position forward.
 */
#include "arch/arch.h"
#include "arch/operand.h"
#include "base/xmalloc.h"
#include "conf/filter/filter.h"
#include "conf/filter/script_filter.h"
#include "conf/filter/sdt_filter.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
read_operands(const char *text)
{
	struct operand operand;
	const char *before = text;
	int r;

	while ((r = operand_next(arch_known[0], &text, &operand)) != 0) {
		assert(text > before);
		assert(operand.bytes >= 1 && operand.bytes <= 8);
		before = text;
		if (r < 0)
			continue;
		assert(operand.kind != OPERAND_REGISTER ||
		       operand.base < arch_known[0]->dwarf->count);
		assert(operand.base == OPERAND_NOTHING || operand.base < 16);
		assert(operand.index == OPERAND_NOTHING || operand.index < 16);
	}
	assert(*text == '\0');
}

static void
read_filter(const char *text)
{
	static const struct filter_module module = { "prog", NULL, NULL, true };
	struct sdt_filter *filter = NULL;
	struct sdt_rule_seen rule;
	struct err err = { "" };
	size_t column = 0, count = 0;

	if (sdt_filter_parse(text, &filter, &column, &err) < 0) {
		assert(column <= strlen(text) && err.text[0] && !filter);
		return;
	}
	sdt_filter_chooses(filter, &module, "ruby", "line");
	while (sdt_filter_rule(filter, count, &rule)) {
		assert(rule.text[0] == '%');
		count++;
	}
	assert(count > 0);
	sdt_filter_free(filter);
}

/* The first line of the text is a filter, the rest is the path of a script. */
static void
read_script_filter(char *text)
{
	struct script_filter *filter = NULL;
	struct err err = { "" };
	size_t column = 0;
	char *line = strchr(text, '\n');

	if (line)
		*line = '\0';
	if (script_filter_parse(text, &filter, &column, &err) < 0) {
		assert(column <= strlen(text) && err.text[0] && !filter);
		return;
	}
	assert(script_filter_meant(text));
	for (int i = 0; i < SCRIPT_LANGUAGES; i++) {
		const struct script_function function = {
			.language = (enum script_language)i,
			.class = "Shop",
			.function = "fill",
			.file = line ? line + 1 : "",
		};
		cleanup(freep) char *name = script_function_name(&function);

		assert(strstr(name, "fill"));
		if (script_filter_matches(filter, &function))
			assert(!script_filter_unmatched(filter));
	}
	script_filter_free(filter);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	cleanup(freep) char *text = NULL;

	if (length == 0 || length > 4096)
		return 0;
	text = xstrndup((const char *)bytes + 1, length - 1);
	if (bytes[0] == 's')
		read_script_filter(text);
	else if (bytes[0] & 1)
		read_operands(text);
	else
		read_filter(text);
	return 0;
}
