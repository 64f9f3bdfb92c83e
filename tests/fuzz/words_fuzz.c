/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lines of a file of options. Words are in the order of the line, and have no
 * more bytes than their part of the line. A mistake is within the line, behind
 * the last word.
 */
#include "base/words.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
check(const char *line, const struct words *words)
{
	size_t end = strlen(line);

	for (size_t i = words->list.count; i-- > 0;) {
		const struct line_word *word = &words->list.at[i];

		assert(word->column < end);
		assert(word->column + strlen(word->text) <= end);
		assert(word->column == 0 ||
		       strchr(" \t\r\v\f", line[word->column - 1]));
		end = word->column;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	cleanup(freep) char *line = xstrndup((const char *)bytes, length);
	struct words words = { 0 };
	struct err err = { "" };
	size_t column = SIZE_MAX;

	if (words_split(line, &words, &column, &err) < 0) {
		assert(column < strlen(line) && err.text[0]);
		assert(words.list.count == 0 ||
		       column > words.list.at[words.list.count - 1].column);
	} else {
		assert(column == SIZE_MAX && !err.text[0]);
	}
	check(line, &words);
	words_release(&words);
	return 0;
}
