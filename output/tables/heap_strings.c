/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The columns are those of the table of --heap, and one for the length. */
#include "output/tables/heap_strings.h"

#include "base/escape.h"
#include "output/jsonw.h"
#include "output/tables/heap_table.h"

#include <inttypes.h>

#define COUNT_WIDTH 14
#define BYTES_WIDTH 20
#define LENGTH_WIDTH 16

void
heap_strings_head(struct str *to, bool longest)
{
	str_addf(to, "\n%*s%*s%*s  string, the %s first (may be secrets)\n",
		 COUNT_WIDTH, "count", BYTES_WIDTH, "bytes", LENGTH_WIDTH,
		 "length", longest ? "longest" : "commonest");
}

static size_t
whole_length(const struct heap_string *string)
{
	return string->cut ? jsonw_whole_characters(string->text, string->shown)
			   : string->shown;
}

void
heap_strings_row(struct str *to, const struct heap_string *string)
{
	heap_table_column(to, string->count, COUNT_WIDTH);
	heap_table_column(to, string->bytes, BYTES_WIDTH);
	heap_table_column(to, string->length, LENGTH_WIDTH);
	str_add(to, "  \"");
	escape_text(to, string->text, whole_length(string), '"', false);
	str_add(to, string->cut ? "\"...\n" : "\"\n");
}

void
heap_strings_hidden(struct str *to, unsigned long hidden)
{
	if (hidden > 0)
		str_addf(to, "%*s... %lu more rows (--top)\n",
			 COUNT_WIDTH + BYTES_WIDTH + LENGTH_WIDTH + 2, "",
			 hidden);
}

void
heap_strings_end(struct str *to, const struct heap_strings_end *end)
{
	str_add(to, "  ");
	heap_table_number(to, end->count);
	str_add(to, " strings, ");
	heap_table_number(to, end->contents);
	str_addf(to,
		 " of them different; strings of one length with the same "
		 "first %zu bytes count as the same\n",
		 end->shown_most);
	if (end->changed > 0)
		str_addf(to,
			 "  not read: %" PRIu64 " strings, which changed "
			 "meanwhile\n",
			 end->changed);
	if (end->left_out > 0)
		str_addf(to,
			 "  in no row: %" PRIu64 " strings or lists of "
			 "strings, because there are too many\n",
			 end->left_out);
	if (end->not_looked)
		str_add(to, "  some addresses were not looked at, because "
			    "there are too many: strings may be in no row\n");
}

void
heap_strings_event(struct str *to, const struct heap_json *heap,
		   const struct heap_string *string)
{
	struct jsonw json;

	heap_json_begin(&json, to, "string", heap);
	jsonw_key(&json, "text");
	jsonw_text(&json, string->text, whole_length(string));
	if (string->cut) {
		jsonw_key(&json, "cut");
		jsonw_bool(&json, true);
	}
	jsonw_key(&json, "length");
	jsonw_unsigned(&json, string->length);
	jsonw_key(&json, "count");
	jsonw_unsigned(&json, string->count);
	jsonw_key(&json, "bytes");
	jsonw_unsigned(&json, string->bytes);
	jsonw_close(&json, '}');
	str_add_char(to, '\n');
}
