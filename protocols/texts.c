/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The texts of prepared statements. A program may prepare statements without
 * limit, but our memory must stay limited. Therefore the least recently used
 * texts are dropped if there are too many, or too many bytes.
 */
#include "protocols/texts.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

struct kept_text {
	struct list link;
	uint64_t key;
	struct text *text;
};

struct text *
text_new(const void *bytes, size_t length, uint64_t whole)
{
	struct text *text = xmalloc(sizeof(*text) + length + 1);

	text->users = 1;
	text->whole = whole;
	text->length = length;
	if (length > 0)
		memcpy(text->bytes, bytes, length);
	text->bytes[length] = '\0';
	return text;
}

struct text *
text_ref(struct text *text)
{
	if (text)
		text->users++;
	return text;
}

void
text_unref(struct text *text)
{
	if (text && --text->users == 0)
		free(text);
}

void
texts_init(struct texts *texts)
{
	map_init(&texts->by_key);
	list_init(&texts->order);
	texts->count = texts->bytes = 0;
}

static void
drop(struct texts *texts, struct kept_text *kept)
{
	map_remove(&texts->by_key, kept->key);
	list_remove(&kept->link);
	texts->count--;
	if (kept->text)
		texts->bytes -= kept->text->length;
	text_unref(kept->text);
	free(kept);
}

void
texts_clear(struct texts *texts)
{
	list_each(link, after, &texts->order)
		drop(texts, list_item(link, struct kept_text, link));
}

void
texts_release(struct texts *texts)
{
	texts_clear(texts);
	map_release(&texts->by_key);
}

/* The hash FNV-1a with 64 bits (draft-eastlake-fnv). */
uint64_t
texts_key(char kind, const void *name, size_t length)
{
	const unsigned char *bytes = name;
	uint64_t key = UINT64_C(0xcbf29ce484222325) ^ (unsigned char)kind;

	key *= UINT64_C(0x100000001b3);
	for (size_t i = 0; i < length; i++)
		key = (key ^ bytes[i]) * UINT64_C(0x100000001b3);
	return key;
}

void
texts_put(struct texts *texts, uint64_t key, struct text *text)
{
	struct kept_text *kept = map_get(&texts->by_key, key);

	if (kept)
		drop(texts, kept);
	kept = xcalloc(1, sizeof(*kept));
	kept->key = key;
	kept->text = text_ref(text);
	texts->bytes += text ? text->length : 0;
	texts->count++;
	map_put(&texts->by_key, key, kept);
	list_append(&texts->order, &kept->link);
	while (texts->count > TEXTS_MOST ||
	       (texts->bytes > TEXTS_BYTES_MOST && texts->count > 1))
		drop(texts,
		     list_item(texts->order.next, struct kept_text, link));
}

struct text *
texts_get(struct texts *texts, uint64_t key)
{
	struct kept_text *kept = map_get(&texts->by_key, key);

	if (!kept)
		return NULL;
	list_remove(&kept->link);
	list_append(&texts->order, &kept->link);
	return kept->text;
}

void
texts_forget(struct texts *texts, uint64_t key)
{
	struct kept_text *kept = map_get(&texts->by_key, key);

	if (kept)
		drop(texts, kept);
}
