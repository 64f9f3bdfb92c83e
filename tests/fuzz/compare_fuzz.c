/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Any bytes as the input of --compare: lines of JSON, with a line "-" between
 * the two sides.
 */
#include "output/tables/compare.h"

#include "base/attr.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	struct compare *compare = compare_new();
	char *text = strndup((const char *)bytes, length), *rest = text, *line;
	struct str table;
	struct err err;
	int side = COMPARE_BEFORE;

	str_init(&table);
	while ((line = strsep(&rest, "\n"))) {
		if (!strcmp(line, "-"))
			side = COMPARE_AFTER;
		else if (compare_line(compare, (enum compare_side)side, line,
				      &err) < 0)
			break;
	}
	compare_add(&table, compare);
	str_release(&table);
	compare_free(compare);
	free(text);
	return 0;
}
