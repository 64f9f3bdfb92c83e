/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With --json the events are written instead of the table. With --json=FILE
 * they are written to a file of their own. */
#include "tracer/run/heap_tell.h"

#include "base/clock.h"
#include "heaps/census_changes.h"
#include "heaps/census_strings.h"
#include "output/out.h"
#include "output/tables/heap_json.h"
#include "output/tables/heap_strings.h"
#include "output/tables/heap_table.h"

/* How many rows are shown if --top is not given. */
#define ROWS_DEFAULT 40u
#define STRINGS_DEFAULT 10u

static size_t
rows_shown(const struct session *session, size_t rows)
{
	const struct look *look = &session->options->look;
	size_t most = look->top ? look->top : ROWS_DEFAULT;

	return most < rows ? most : rows;
}

static struct heap_table_end
end_of(const struct session *session, const struct heap_taken *taken)
{
	const struct census *census = &taken->census;
	size_t rows = census->rows.count;

	return (struct heap_table_end){
		.count = census->count,
		.bytes = census->bytes,
		.survived = census->has_survivors ? census->survived
						  : HEAP_TABLE_UNKNOWN,
		.mapped = census->mapped,
		.fragmented = census->has_fragmented ? census->fragmented
						     : HEAP_TABLE_UNKNOWN,
		.resident = taken->resident,
		.torn = census->torn,
		.parts = census->parts,
		.hidden = rows - rows_shown(session, rows),
		.not_counted =
			census->not_counted[0] ? census->not_counted : NULL,
		.copied_still = taken->copied_still,
		.held = taken->held,
	};
}

/* Where the table is written, or NULL. */
static struct out *
table_out(const struct session *session)
{
	const struct destination *json =
		&session->options->formats[FORMAT_JSON];

	return json->wanted && !json->file ? NULL : session->outs[0];
}

/* Where the events are written, or NULL. */
static struct out *
events_out(const struct session *session)
{
	const struct destination *json =
		&session->options->formats[FORMAT_JSON];

	return json->wanted ? session->outs[json->file ? 1 : 0] : NULL;
}

static void
write_out(struct out *out, struct str *text)
{
	out_write(out, str_text(text), text->length);
	str_release(text);
}

/* Adds row i of the census: as a row of the table, or as an event. */
static void
tell_row(struct str *text, const struct heap_json *heap,
	 const struct census *census, size_t i)
{
	const struct census_row *row = census->rows.at[i];
	const struct heap_table_row told = {
		.count = row->count,
		.bytes = row->bytes,
		.survived = census->has_survivors ? row->survived
						  : HEAP_TABLE_UNKNOWN,
		.name = row->name,
	};

	if (heap)
		heap_json_row(text, heap, &told);
	else
		heap_table_row(text, &told);
}

/* ---- strings ---------------------------------------------------------------
 */

static struct heap_string
string_of(const struct census_string *string)
{
	return (struct heap_string){
		.count = string->count,
		.bytes = string->bytes,
		.length = string->length,
		.text = string->text,
		.shown = string->shown,
		.cut = string->cut,
	};
}

static size_t
strings_shown(const struct session *session, const struct census *census)
{
	size_t most = session->options->look.top ? session->options->look.top
						 : STRINGS_DEFAULT;
	size_t all = census->strings->list.count;

	return most < all ? most : all;
}

static void
add_strings(const struct session *session, struct str *text,
	    const struct census *census, bool longest)
{
	size_t shown = strings_shown(session, census);

	heap_strings_head(text, longest);
	for (size_t i = 0; i < shown; i++) {
		const struct heap_string string =
			string_of(census->strings->list.at[i]);

		heap_strings_row(text, &string);
	}
	heap_strings_hidden(text, census->strings->list.count - shown);
}

static void
tell_strings(const struct session *session, struct str *text,
	     const struct census *census)
{
	struct census_strings *strings = census->strings;
	struct heap_strings_end end = { .shown_most = CENSUS_STRING_SHOWN };

	if (!strings)
		return;
	census_strings_by_count(strings);
	add_strings(session, text, census, false);
	census_strings_by_length(strings);
	add_strings(session, text, census, true);
	end.count = strings->count;
	end.contents = strings->list.count;
	end.changed = strings->changed;
	end.left_out = strings->left_out;
	end.not_looked = strings->not_looked;
	heap_strings_end(text, &end);
}

/* Adds an event for each of the commonest and of the longest strings. */
static void
tell_string_events(const struct session *session, struct str *text,
		   const struct heap_json *heap, const struct census *census)
{
	struct census_strings *strings = census->strings;
	size_t shown = strings ? strings_shown(session, census) : 0;

	if (shown == 0)
		return;
	census_strings_by_count(strings);
	for (size_t i = 0; i < shown; i++)
		strings->list.at[i]->common = true;
	census_strings_by_length(strings);
	for (size_t i = 0; i < strings->list.count; i++) {
		const struct heap_string string =
			string_of(strings->list.at[i]);

		if (i < shown || strings->list.at[i]->common)
			heap_strings_event(text, heap, &string);
	}
}

/* ---- free memory and mappings ----------------------------------------------
 */

static struct heap_table_row
free_row(const struct census_row *row)
{
	return (struct heap_table_row){ .count = row->count,
					.bytes = row->bytes,
					.survived = HEAP_TABLE_UNKNOWN,
					.name = row->name };
}

/* Adds free memory and mappings to the table. */
static void
tell_rest(const struct session *session, struct str *text,
	  const struct census *census)
{
	size_t free_shown = rows_shown(session, census->free.count);
	size_t shown = rows_shown(session, census->mappings.count);

	if (census->free.count > 0)
		heap_table_free_head(text);
	for (size_t i = 0; i < free_shown; i++) {
		const struct heap_table_row row = free_row(census->free.at[i]);

		heap_table_row(text, &row);
	}
	heap_table_hidden(text, census->free.count - free_shown);
	if (census->mappings.count > 0)
		heap_table_mappings_head(text);
	for (size_t i = 0; i < shown; i++)
		heap_table_mapping(text, census->mappings.at[i].resident,
				   census->mappings.at[i].mapped,
				   census->mappings.at[i].name);
	heap_table_hidden(text, census->mappings.count - shown);
}

static void
tell_rest_events(struct str *text, const struct heap_json *heap,
		 const struct census *census)
{
	for (size_t i = 0; i < census->free.count; i++) {
		const struct heap_table_row row = free_row(census->free.at[i]);

		heap_json_free(text, heap, &row);
	}
	for (size_t i = 0; i < census->mappings.count; i++)
		heap_json_mapping(text, heap, census->mappings.at[i].resident,
				  census->mappings.at[i].mapped,
				  census->mappings.at[i].name);
}

/* ---- the whole -------------------------------------------------------------
 */

static void
tell_events(struct session *session, const struct heap_taken *taken)
{
	const struct heap_json heap = { taken->when + clock_epoch_offset(),
					taken->pid, taken->language };
	const struct heap_table_end end = end_of(session, taken);
	struct str text = { 0 };

	if (!events_out(session))
		return;
	for (size_t i = 0; i < taken->census.rows.count; i++)
		tell_row(&text, &heap, &taken->census, i);
	tell_string_events(session, &text, &heap, &taken->census);
	tell_rest_events(&text, &heap, &taken->census);
	heap_json_end(&text, &heap, taken->census.rows.count, &end);
	write_out(events_out(session), &text);
}

void
heap_tell_process(struct session *session, pid_t pid, const char *name,
		  bool first)
{
	struct str text = { 0 };

	if (!table_out(session))
		return;
	str_addf(&text, "%s%d %s\n", first ? "" : "\n", pid, name);
	write_out(table_out(session), &text);
}

void
heap_tell(struct session *session, const struct heap_taken *taken)
{
	const struct heap_table_end end = end_of(session, taken);
	const struct census *census = &taken->census;
	struct str text = { 0 };

	tell_events(session, taken);
	if (!table_out(session))
		return;
	heap_table_head(&text, census->has_survivors);
	for (size_t i = 0; i < census->rows.count - end.hidden; i++)
		tell_row(&text, NULL, census, i);
	heap_table_end(&text, &end);
	tell_strings(session, &text, census);
	tell_rest(session, &text, census);
	write_out(table_out(session), &text);
}

void
heap_tell_total(struct session *session, const struct heap_taken *first,
		const struct heap_taken *last)
{
	struct census_changes changes;
	struct str text = { 0 };
	size_t shown;

	if (!table_out(session))
		return;
	census_changes_init(&changes, &first->census, &last->census);
	shown = rows_shown(session, changes.rows.count);
	heap_table_changes_head(&text, clock_between(first->when, last->when));
	for (size_t i = 0; i < shown; i++)
		heap_table_change(&text, changes.rows.at[i].count,
				  changes.rows.at[i].bytes,
				  changes.rows.at[i].name);
	heap_table_changes_end(&text, changes.count, changes.bytes,
			       changes.rows.count - shown);
	write_out(table_out(session), &text);
	census_changes_release(&changes);
}

void
heap_tell_changes(struct session *session, const struct heap_taken *before,
		  const struct heap_taken *after)
{
	tell_events(session, after);
	heap_tell_total(session, before, after);
}
