/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hash table with chains finds a handle; a list tells which handle to drop
 * first. The number is bounded because some clients prepare statements and
 * never close them. That is not an error of the trace, and it must not fill
 * xtrace's memory either.
 */
#include "tracer/model/handles.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

struct handle {
	struct list use;
	struct handle *chained;
	uint64_t hash;
	char *key;
	char *bytes;
	size_t length;
	enum lens_kind lens;
	bool cut;
	const struct type *of;
};

#define handle_of(link_) list_item(link_, struct handle, use)

/* The hash FNV-1a, see www.isthe.com/chongo/tech/comp/fnv. */
static uint64_t
hash_of(const char *key)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *key; key++)
		hash = (hash ^ (unsigned char)*key) * UINT64_C(0x100000001b3);
	return hash;
}

void
handles_init(struct handles *handles, size_t count_most, size_t bytes_most)
{
	*handles = (struct handles){ .count_most = count_most,
				     .bytes_most = bytes_most };
	map_init(&handles->by_hash);
	list_init(&handles->by_use);
}

static void
unchain(struct handles *handles, struct handle *handle)
{
	struct handle *first = map_get(&handles->by_hash, handle->hash);

	if (first == handle && handle->chained) {
		map_put(&handles->by_hash, handle->hash, handle->chained);
		return;
	}
	if (first == handle) {
		map_remove(&handles->by_hash, handle->hash);
		return;
	}
	while (first && first->chained != handle)
		first = first->chained;
	if (first)
		first->chained = handle->chained;
}

static void
drop(struct handles *handles, struct handle *handle)
{
	unchain(handles, handle);
	list_remove(&handle->use);
	handles->count--;
	handles->bytes -= handle->length;
	free(handle->bytes);
	free(handle->key);
	free(handle);
}

void
handles_release(struct handles *handles)
{
	list_each(link, after, &handles->by_use)
		drop(handles, handle_of(link));
	map_release(&handles->by_hash);
}

static struct handle *
find(const struct handles *handles, const char *key)
{
	struct handle *handle = map_get(&handles->by_hash, hash_of(key));

	while (handle && strcmp(handle->key, key) != 0)
		handle = handle->chained;
	return handle;
}

void
handles_keep(struct handles *handles, const char *key,
	     const struct handle_text *text)
{
	struct handle *handle = find(handles, key);

	if (handle)
		drop(handles, handle);
	if (text->length > handles->bytes_most) {
		handles->dropped++;
		return;
	}
	while (handles->count >= handles->count_most ||
	       handles->bytes + text->length > handles->bytes_most) {
		drop(handles, handle_of(handles->by_use.next));
		handles->dropped++;
	}
	handle = xcalloc(1, sizeof(*handle));
	handle->hash = hash_of(key);
	handle->key = xstrdup(key);
	handle->bytes = xmalloc(text->length + 1);
	/* The bytes of an empty text may be NULL, which memcpy(3) does not
	 * allow. */
	if (text->length)
		memcpy(handle->bytes, text->bytes, text->length);
	handle->length = text->length;
	handle->lens = text->lens;
	handle->cut = text->cut;
	handle->of = text->of;
	handle->chained = map_get(&handles->by_hash, handle->hash);
	map_put(&handles->by_hash, handle->hash, handle);
	list_append(&handles->by_use, &handle->use);
	handles->count++;
	handles->bytes += handle->length;
}

static struct handle_text
text_of(const struct handle *handle)
{
	return (struct handle_text){ .bytes = handle->bytes,
				     .length = handle->length,
				     .lens = handle->lens,
				     .cut = handle->cut,
				     .of = handle->of };
}

bool
handles_recall(struct handles *handles, const char *key,
	       struct handle_text *ret_text)
{
	struct handle *handle = find(handles, key);

	if (!handle)
		return false;
	list_remove(&handle->use);
	list_append(&handles->by_use, &handle->use);
	*ret_text = text_of(handle);
	return true;
}

void
handles_forget_one(struct handles *handles, const char *key)
{
	struct handle *handle = find(handles, key);

	if (handle)
		drop(handles, handle);
}

void
handles_forget(struct handles *handles, const char *beginning)
{
	size_t length = strlen(beginning);

	list_each(link, after, &handles->by_use) {
		struct handle *handle = handle_of(link);

		if (!strncmp(handle->key, beginning, length))
			drop(handles, handle);
	}
}

struct numbered {
	unsigned long long number;
	const struct handle *handle;
};

static int
compare(const void *left, const void *right)
{
	const struct numbered *a = left, *b = right;

	return a->number < b->number ? -1 : a->number > b->number;
}

void
handles_gather(const struct handles *handles, const char *beginning,
	       struct handle_texts *to)
{
	vec_of(struct numbered) found = { 0 };
	size_t length = strlen(beginning);

	list_each(link, after, &handles->by_use) {
		const struct handle *handle = handle_of(link);
		struct numbered numbered = { 0, handle };
		char *end;

		if (strncmp(handle->key, beginning, length) != 0)
			continue;
		numbered.number = strtoull(handle->key + length, &end, 16);
		if (end > handle->key + length && !strcmp(end, "/"))
			vec_push(&found, numbered);
	}
	vec_sort(&found, compare);
	for (size_t i = 0; i < found.count; i++)
		vec_push(&to->all, text_of(found.at[i].handle));
	vec_release(&found);
}
