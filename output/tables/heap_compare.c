/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A census in a file has a line for each class, and ends with the line of the
 * heap. Its rows are used only when that line was read. If the file was cut
 * before that line, the census before counts.
 */
#include "output/tables/heap_compare.h"

#include "base/map.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/tables/heap_table.h"
#include "output/tables/json_member.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Numbers up to 2^53 are exact in a double. */
#define NUMBER_MOST 9007199254740992.0

struct heap_language_seen;

/* A class, with its numbers in both files. */
struct heap_class {
	const char *name;
	const struct heap_language_seen *language;
	uint64_t count[COMPARE_SIDES], bytes[COMPARE_SIDES];
};

struct heap_language_seen {
	char *name;
	struct strmap classes; /* name -> struct heap_class */
	vec_of(struct heap_class *) rows;
};

/* A row of a census. */
struct heap_counted {
	struct heap_class *class;
	uint64_t count, bytes;
};

/* The censuses of a heap in one file. */
struct heap_seen {
	double pid;
	const struct heap_language_seen *language;
	bool complete;
	vec_of(struct heap_counted) waiting; /* rows without an end so far */
	vec_of(struct heap_counted) rows;    /* rows of the last whole census */
};

struct heap_compare {
	bool first;
	vec_of(struct heap_language_seen *) languages;
	vec_of(struct heap_seen *) heaps[COMPARE_SIDES];
	struct json_member member;
};

struct heap_compare *
heap_compare_new(bool first)
{
	struct heap_compare *compare = xcalloc(1, sizeof(*compare));

	compare->first = first;
	json_member_init(&compare->member);
	return compare;
}

static void
free_language(struct heap_language_seen *language)
{
	for (size_t i = 0; i < language->rows.count; i++)
		free(language->rows.at[i]);
	vec_release(&language->rows);
	strmap_release(&language->classes);
	free(language->name);
	free(language);
}

void
heap_compare_free(struct heap_compare *compare)
{
	if (!compare)
		return;
	for (int side = 0; side < COMPARE_SIDES; side++) {
		for (size_t i = 0; i < compare->heaps[side].count; i++) {
			vec_release(&compare->heaps[side].at[i]->waiting);
			vec_release(&compare->heaps[side].at[i]->rows);
			free(compare->heaps[side].at[i]);
		}
		vec_release(&compare->heaps[side]);
	}
	for (size_t i = 0; i < compare->languages.count; i++)
		free_language(compare->languages.at[i]);
	vec_release(&compare->languages);
	json_member_release(&compare->member);
	free(compare);
}

/* ---- reading ---------------------------------------------------------------
 */

/* The members of a line that the comparison uses. */
struct heap_line {
	char *event, *name, *language;
	/* below 0: the line does not have this member */
	double pid, count, bytes;
};

static void
line_release(struct heap_line *line)
{
	free(line->event);
	free(line->name);
	free(line->language);
}

static void
take_text(char **to, const struct json_member *member)
{
	free(*to);
	*to = xstrdup(str_text(&member->text));
}

static void
take_member(struct heap_line *line, const struct json_member *member)
{
	const char *key = str_text(&member->key);

	if (!member->is_number && !strcmp(key, "event"))
		take_text(&line->event, member);
	else if (!member->is_number && !strcmp(key, "name"))
		take_text(&line->name, member);
	else if (!member->is_number && !strcmp(key, "language"))
		take_text(&line->language, member);
	else if (member->is_number && !strcmp(key, "pid"))
		line->pid = member->number;
	else if (member->is_number && !strcmp(key, "count"))
		line->count = member->number;
	else if (member->is_number && !strcmp(key, "bytes"))
		line->bytes = member->number;
}

/* 0 or -EINVAL. The caller releases the line in both cases. */
static int
line_read(struct heap_line *line, struct json_member *member, const char *text)
{
	const char *at = text;
	int r;

	*line = (struct heap_line){ .pid = -1, .count = -1, .bytes = -1 };
	while ((r = json_member_next(member, &at)) > 0)
		take_member(line, member);
	return r;
}

static bool
is_number(double number)
{
	return number >= 0 && number <= NUMBER_MOST;
}

static bool
is_class(const struct heap_line *line)
{
	return line->event && !strcmp(line->event, "class") && line->name;
}

static bool
is_heap(const struct heap_line *line)
{
	return line->event && !strcmp(line->event, "heap");
}

/* Strings (--heap-strings) and free memory (--heap=native) are not compared. */
static bool
is_beside(const struct heap_line *line)
{
	return line->event &&
	       (!strcmp(line->event, "string") || !strcmp(line->event, "free"));
}

/* What a process has mapped (--heap=native) is not compared. */
static bool
is_mapping(const struct heap_line *line)
{
	return line->event && !strcmp(line->event, "mapping");
}

static bool
is_of_census(const struct heap_line *line)
{
	return line->language && is_number(line->pid) &&
	       (is_mapping(line) ||
		((is_class(line) || is_heap(line) || is_beside(line)) &&
		 is_number(line->count) && is_number(line->bytes)));
}

bool
heap_compare_knows(const char *text)
{
	struct json_member member;
	struct heap_line line;
	bool known;

	json_member_init(&member);
	known = line_read(&line, &member, text) == 0 && is_of_census(&line);
	line_release(&line);
	json_member_release(&member);
	return known;
}

static struct heap_language_seen *
language_of(struct heap_compare *compare, const char *name)
{
	struct heap_language_seen *language;

	for (size_t i = 0; i < compare->languages.count; i++)
		if (!strcmp(compare->languages.at[i]->name, name))
			return compare->languages.at[i];
	language = xcalloc(1, sizeof(*language));
	language->name = xstrdup(name);
	strmap_init(&language->classes);
	vec_push(&compare->languages, language);
	return language;
}

static struct heap_class *
class_of(struct heap_language_seen *language, const char *name)
{
	void **place = strmap_place(&language->classes, name);
	size_t length = strlen(name) + 1;
	struct heap_class *class = *place;
	char *text;

	if (class)
		return class;
	class = xcalloc(1, sizeof(*class) + length);
	text = (char *)(class + 1);
	memcpy(text, name, length);
	class->name = text;
	class->language = language;
	*place = class;
	vec_push(&language->rows, class);
	return class;
}

static struct heap_seen *
heap_of_line(struct heap_compare *compare, enum compare_side side, double pid,
	     const struct heap_language_seen *language)
{
	struct heap_seen *heap;

	for (size_t i = 0; i < compare->heaps[side].count; i++) {
		heap = compare->heaps[side].at[i];
		if (heap->pid <= pid && heap->pid >= pid &&
		    heap->language == language)
			return heap;
	}
	heap = xcalloc(1, sizeof(*heap));
	heap->pid = pid;
	heap->language = language;
	vec_push(&compare->heaps[side], heap);
	return heap;
}

/* A census is complete. Of each file the last census is compared, so its rows
 * replace those of the census before; or the first one of the file before the
 * change (compare->first). */
static void
end_census(struct heap_compare *compare, enum compare_side side,
	   struct heap_seen *heap)
{
	if (!(heap->complete && compare->first && side == COMPARE_BEFORE)) {
		vec_clear(&heap->rows);
		for (size_t i = 0; i < heap->waiting.count; i++)
			vec_push(&heap->rows, heap->waiting.at[i]);
	}
	vec_clear(&heap->waiting);
	heap->complete = true;
}

static void
take_line(struct heap_compare *compare, enum compare_side side,
	  const struct heap_line *line)
{
	struct heap_language_seen *language =
		language_of(compare, line->language);
	struct heap_seen *heap =
		heap_of_line(compare, side, line->pid, language);
	struct heap_counted counted = { .count = (uint64_t)line->count,
					.bytes = (uint64_t)line->bytes };

	if (is_heap(line)) {
		end_census(compare, side, heap);
		return;
	}
	counted.class = class_of(language, line->name);
	vec_push(&heap->waiting, counted);
}

int
heap_compare_line(struct heap_compare *compare, enum compare_side side,
		  const char *text, struct err *err)
{
	struct heap_line line;
	int r = line_read(&line, &compare->member, text);

	if (r == 0 && !is_of_census(&line))
		r = -EINVAL;
	if (r == 0 && !is_beside(&line) && !is_mapping(&line))
		take_line(compare, side, &line);
	line_release(&line);
	return r < 0 ? err_set(err, r, "not a line that --heap --json writes")
		     : 0;
}

size_t
heap_compare_heaps(const struct heap_compare *compare, enum compare_side side)
{
	size_t complete = 0;

	for (size_t i = 0; i < compare->heaps[side].count; i++)
		complete += compare->heaps[side].at[i]->complete;
	return complete;
}

/* ---- the table -------------------------------------------------------------
 */

/* The change is right if both sums are less than 2^63. Larger numbers in a file
 * give a wrong change, but no undefined behaviour. */
static int64_t
change_of(const uint64_t sides[COMPARE_SIDES])
{
	return (int64_t)(sides[COMPARE_AFTER] - sides[COMPARE_BEFORE]);
}

static void
add_up(struct heap_compare *compare, enum compare_side side)
{
	for (size_t i = 0; i < compare->heaps[side].count; i++) {
		const struct heap_seen *heap = compare->heaps[side].at[i];

		for (size_t j = 0; j < heap->rows.count; j++) {
			const struct heap_counted *row = &heap->rows.at[j];

			row->class->count[side] += row->count;
			row->class->bytes[side] += row->bytes;
		}
	}
}

/* Sorts classes by their growth, the largest first, as the table of --interval
 * does. */
static int
compare_classes(const void *left, const void *right)
{
	const struct heap_class *a = *(struct heap_class *const *)left;
	const struct heap_class *b = *(struct heap_class *const *)right;

	if (change_of(a->bytes) != change_of(b->bytes))
		return change_of(a->bytes) < change_of(b->bytes) ? 1 : -1;
	if (change_of(a->count) != change_of(b->count))
		return change_of(a->count) < change_of(b->count) ? 1 : -1;
	return strcmp(a->name, b->name);
}

static void
add_language(struct str *to, struct heap_language_seen *language, size_t most)
{
	uint64_t count = 0, bytes = 0;
	size_t changed = 0;

	vec_sort(&language->rows, compare_classes);
	heap_table_compare_head(to, language->name);
	for (size_t i = 0; i < language->rows.count; i++) {
		const struct heap_class *row = language->rows.at[i];
		int64_t counts = change_of(row->count);
		int64_t sizes = change_of(row->bytes);

		if (counts == 0 && sizes == 0)
			continue;
		count += (uint64_t)counts;
		bytes += (uint64_t)sizes;
		if (changed++ < most)
			heap_table_change(to, counts, sizes, row->name);
	}
	heap_table_changes_end(to, (int64_t)count, (int64_t)bytes,
			       changed > most ? changed - most : 0);
}

void
heap_compare_add(struct str *to, struct heap_compare *compare, size_t most)
{
	add_up(compare, COMPARE_BEFORE);
	add_up(compare, COMPARE_AFTER);
	for (size_t i = 0; i < compare->languages.count; i++) {
		if (i > 0)
			str_add_char(to, '\n');
		add_language(to, compare->languages.at[i], most);
	}
}
