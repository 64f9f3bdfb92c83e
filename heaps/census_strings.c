/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The strings of a heap may have millions of different contents. The memory for
 * contents is limited: when the limit is reached, strings with a new content
 * are only counted. */
#include "heaps/census_strings.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

#define CONTENTS_MOST 1000000u

struct census_strings *
census_strings_new(struct reader *memory)
{
	struct census_strings *strings = xcalloc(1, sizeof(*strings));

	strings->memory = memory;
	arena_init(&strings->arena);
	map_init(&strings->by_hash);
	return strings;
}

void
census_strings_free(struct census_strings *strings)
{
	if (!strings)
		return;
	vec_release(&strings->list);
	map_release(&strings->by_hash);
	arena_release(&strings->arena);
	free(strings);
}

/* FNV-1a of 64 bits, begun with the length. */
static uint64_t
hash_of(const struct census_text *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ text->length;
	const uint8_t *bytes = text->text;

	for (size_t i = 0; i < text->shown; i++)
		hash = (hash ^ bytes[i]) * UINT64_C(0x100000001b3);
	return hash;
}

static struct census_string *
find(const struct census_strings *strings, uint64_t hash,
     const struct census_text *text)
{
	struct census_string *string = map_get(&strings->by_hash, hash);

	while (string && (string->length != text->length ||
			  string->shown != text->shown ||
			  memcmp(string->text, text->text, text->shown) != 0))
		string = string->next;
	return string;
}

void
census_strings_add(struct census_strings *strings,
		   const struct census_text *text, uint64_t bytes)
{
	uint64_t hash = hash_of(text);
	struct census_string *string = find(strings, hash, text);

	strings->count++;
	if (!string && strings->list.count == CONTENTS_MOST) {
		strings->left_out++;
		return;
	}
	if (!string) {
		string = arena_zalloc(&strings->arena, sizeof(*string));
		string->length = text->length;
		string->shown = text->shown;
		string->cut = text->cut;
		memcpy(string->text, text->text, text->shown);
		string->next = map_get(&strings->by_hash, hash);
		map_put(&strings->by_hash, hash, string);
		vec_push(&strings->list, string);
	}
	string->count++;
	string->bytes += bytes;
}

static int
compare_text(const struct census_string *a, const struct census_string *b)
{
	size_t shorter = a->shown < b->shown ? a->shown : b->shown;
	int r = memcmp(a->text, b->text, shorter);

	return r != 0 ? r : (a->shown > b->shown) - (a->shown < b->shown);
}

static int
compare_counts(const void *one, const void *other)
{
	const struct census_string *a = *(struct census_string *const *)one;
	const struct census_string *b = *(struct census_string *const *)other;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	if (a->bytes != b->bytes)
		return a->bytes < b->bytes ? 1 : -1;
	return compare_text(a, b);
}

static int
compare_lengths(const void *one, const void *other)
{
	const struct census_string *a = *(struct census_string *const *)one;
	const struct census_string *b = *(struct census_string *const *)other;

	if (a->length != b->length)
		return a->length < b->length ? 1 : -1;
	return compare_counts(one, other);
}

void
census_strings_by_count(struct census_strings *strings)
{
	vec_sort(&strings->list, compare_counts);
}

void
census_strings_by_length(struct census_strings *strings)
{
	vec_sort(&strings->list, compare_lengths);
}
