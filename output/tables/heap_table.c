/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each column has room for numbers up to 2^50, with a blank between each three
 * digits. */
#include "output/tables/heap_table.h"

#include "base/escape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define COUNT_WIDTH 14
#define BYTES_WIDTH 20

/* 1234567 as "1 234 567", right-aligned behind its sign. */
static void
add_signed(struct str *to, const char *sign, uint64_t number, size_t width)
{
	char digits[24], text[32];
	size_t length =
		(size_t)snprintf(digits, sizeof(digits), "%" PRIu64, number);
	size_t at = strlen(sign);

	memcpy(text, sign, at);
	for (size_t i = 0; i < length; i++) {
		if (i > 0 && (length - i) % 3 == 0)
			text[at++] = ' ';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	if (at < width)
		str_add_repeated(to, ' ', width - at);
	str_add(to, text);
}

static void
add_number(struct str *to, uint64_t number, size_t width)
{
	add_signed(to, "", number, width);
}

void
heap_table_number(struct str *to, uint64_t number)
{
	add_number(to, number, 0);
}

void
heap_table_column(struct str *to, uint64_t number, size_t width)
{
	add_number(to, number, width);
}

static void
add_change(struct str *to, int64_t number, size_t width)
{
	if (number < 0)
		add_signed(to, "-", -(uint64_t)number, width);
	else
		add_signed(to, number > 0 ? "+" : "", (uint64_t)number, width);
}

static void
add_survivors(struct str *to, uint64_t survived)
{
	if (survived != HEAP_TABLE_UNKNOWN)
		add_number(to, survived, COUNT_WIDTH);
}

void
heap_table_hidden(struct str *to, unsigned long hidden)
{
	if (hidden > 0)
		str_addf(to, "%*s... %lu more rows (--top)\n",
			 COUNT_WIDTH + BYTES_WIDTH + 2, "", hidden);
}

void
heap_table_head(struct str *to, bool survivors)
{
	str_addf(to, "%*s%*s", COUNT_WIDTH, "count", BYTES_WIDTH, "bytes");
	if (survivors)
		str_addf(to, "%*s", COUNT_WIDTH, "survived");
	str_add(to, "  class\n");
}

void
heap_table_row(struct str *to, const struct heap_table_row *row)
{
	add_number(to, row->count, COUNT_WIDTH);
	add_number(to, row->bytes, BYTES_WIDTH);
	add_survivors(to, row->survived);
	str_add(to, "  ");
	escape_name(to, row->name);
	str_add_char(to, '\n');
}

/* A heap that changed while it was read may have more objects than memory. */
static void
add_free(struct str *to, const struct heap_table_end *end)
{
	str_add(to, "  ");
	add_number(to, heap_table_free(end), 0);
	str_add(to, " bytes of it are free, or between objects");
	if (end->resident > 0) {
		str_add(to, "; the process has ");
		add_number(to, end->resident, 0);
		str_add(to, " bytes in memory");
	}
	str_add_char(to, '\n');
	if (end->fragmented == HEAP_TABLE_UNKNOWN)
		return;
	str_add(to, "  fragmented: ");
	add_number(to, end->fragmented, 0);
	str_add(to, " of these bytes are in pages that also have objects\n");
}

void
heap_table_end(struct str *to, const struct heap_table_end *end)
{
	heap_table_hidden(to, end->hidden);
	add_number(to, end->count, COUNT_WIDTH);
	add_number(to, end->bytes, BYTES_WIDTH);
	add_survivors(to, end->survived);
	str_add(to, "  in all, of ");
	add_number(to, end->mapped, 0);
	str_add(to, " bytes of the heap\n");
	add_free(to, end);
	if (end->parts > 0) {
		str_add(to, "  ");
		add_number(to, end->parts, 0);
		str_add(to, " more blocks are parts of these objects, and "
			    "their bytes are in the rows\n");
	}
	if (end->torn > 0)
		str_addf(to,
			 "  not counted: %" PRIu64 " pages, which changed too "
			 "often\n",
			 end->torn);
	if (end->not_counted)
		str_addf(to, "  not counted: %s\n", end->not_counted);
	if (end->copied_still && end->held > 0)
		str_addf(to,
			 "  the process was stopped for %" PRIu64 ".%" PRIu64
			 " ms\n",
			 end->held / 1000000, end->held / 100000 % 10);
	else if (end->copied_still)
		str_add(to, "  no thread was stopped: all were waiting\n");
}

void
heap_table_free_head(struct str *to)
{
	str_addf(to, "\n%*s%*s  free memory\n", COUNT_WIDTH, "count",
		 BYTES_WIDTH, "bytes");
}

void
heap_table_mappings_head(struct str *to)
{
	str_addf(to, "\n%*s%*s  mapped file\n", BYTES_WIDTH, "in memory",
		 BYTES_WIDTH, "mapped");
}

void
heap_table_mapping(struct str *to, uint64_t resident, uint64_t mapped,
		   const char *name)
{
	add_number(to, resident, BYTES_WIDTH);
	add_number(to, mapped, BYTES_WIDTH);
	str_add(to, "  ");
	escape_name(to, name[0] ? name : "(no file)");
	str_add_char(to, '\n');
}

void
heap_table_changes_head(struct str *to, uint64_t ns)
{
	str_addf(to, "\n%*s%*s  class, changes in %" PRIu64 ".%" PRIu64 " s\n",
		 COUNT_WIDTH, "count", BYTES_WIDTH, "bytes", ns / 1000000000,
		 ns / 100000000 % 10);
}

void
heap_table_compare_head(struct str *to, const char *language)
{
	str_addf(to, "%*s%*s  class, changes of ", COUNT_WIDTH, "count",
		 BYTES_WIDTH, "bytes");
	escape_name(to, language);
	str_add_char(to, '\n');
}

void
heap_table_change(struct str *to, int64_t count, int64_t bytes,
		  const char *name)
{
	add_change(to, count, COUNT_WIDTH);
	add_change(to, bytes, BYTES_WIDTH);
	str_add(to, "  ");
	escape_name(to, name);
	str_add_char(to, '\n');
}

void
heap_table_changes_end(struct str *to, int64_t count, int64_t bytes,
		       unsigned long hidden)
{
	heap_table_hidden(to, hidden);
	add_change(to, count, COUNT_WIDTH);
	add_change(to, bytes, BYTES_WIDTH);
	str_add(to, "  in all\n");
}

void
heap_table_growth_head(struct str *to)
{
	str_addf(to, "%*s%*s  growth  where\n", COUNT_WIDTH, "count",
		 BYTES_WIDTH, "bytes");
}

void
heap_table_growth(struct str *to, uint64_t count, uint64_t bytes,
		  const char *name)
{
	add_number(to, count, COUNT_WIDTH);
	add_number(to, bytes, BYTES_WIDTH);
	str_addf(to, "  %s\n", name);
}

void
heap_table_growth_end(struct str *to, uint64_t count, uint64_t bytes,
		      unsigned long hidden)
{
	heap_table_hidden(to, hidden);
	add_number(to, count, COUNT_WIDTH);
	add_number(to, bytes, BYTES_WIDTH);
	str_add(to, "  in all, of growth: memory that was got from the "
		    "system\n");
}
