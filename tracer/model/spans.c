/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Few spans are open at a time, usually one for each connection, so a list is
 * searched. The number is bounded because a client may begin spans that it
 * never ends.
 */
#include "tracer/model/spans.h"

#include "base/xmalloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define span_of(link_) list_item(link_, struct call_span, link)

void
spans_init(struct spans *spans, size_t most)
{
	*spans = (struct spans){ .most = most };
	list_init(&spans->open);
}

void
spans_release(struct spans *spans)
{
	list_each(link, after, &spans->open)
		spans_end(spans, span_of(link));
}

struct call_span *
spans_begin(struct spans *spans, const char *key, uint64_t began)
{
	struct call_span *span;

	if (spans->count >= spans->most)
		return NULL;
	span = xcalloc(1, sizeof(*span));
	span->key = xstrdup(key);
	span->began = began;
	list_append(&spans->open, &span->link);
	spans->count++;
	return span;
}

const struct span_alias *
spans_alias(const struct call_span *span)
{
	return span->alias_count > 0 ? &span->aliases[span->alias_count - 1]
				     : NULL;
}

void
spans_unlink(struct call_span *span)
{
	if (span->alias_count > 0)
		free(span->aliases[--span->alias_count].key);
}

void
spans_link(struct call_span *span, const char *key,
	   const struct span_alias *alias)
{
	const struct span_alias *last = spans_alias(span);
	struct span_alias *to;

	if (span->alias_count == SPAN_ALIASES ||
	    (last && last->why == alias->why))
		spans_unlink(span);
	to = &span->aliases[span->alias_count++];
	*to = *alias;
	to->key = xstrdup(key);
}

void
spans_add(struct call_span *span, struct span_time time)
{
	span->rest.duration += time.duration;
	span->rest.wall += time.wall;
	span->rest.uncertainty += time.uncertainty;
	span->rest.older += time.older;
}

static bool
has_key(const struct call_span *span, const char *key)
{
	for (unsigned i = 0; i < span->alias_count; i++) {
		if (!strcmp(span->aliases[i].key, key))
			return true;
	}
	return !strcmp(span->key, key);
}

struct call_span *
spans_oldest(const struct spans *spans, const char *key)
{
	list_each(link, after, &spans->open) {
		if (has_key(span_of(link), key))
			return span_of(link);
	}
	return NULL;
}

static bool
begins_with(const struct call_span *span, const char *beginning)
{
	return !strncmp(span->key, beginning, strlen(beginning));
}

struct call_span *
spans_beginning(const struct spans *spans, const char *beginning)
{
	list_each(link, after, &spans->open) {
		if (begins_with(span_of(link), beginning))
			return span_of(link);
	}
	return NULL;
}

static bool
ends_with(const char *key, const char *ending)
{
	size_t length = strlen(key), rest = strlen(ending);

	return length >= rest && !strcmp(key + length - rest, ending);
}

static bool
is_of_handle(const struct call_span *span, uint64_t handle)
{
	char ending[20];

	if (handle && span->linked == handle)
		return true;
	snprintf(ending, sizeof(ending), "/%" PRIx64 "/", handle);
	for (unsigned i = 0; i < span->alias_count; i++) {
		if (ends_with(span->aliases[i].key, ending))
			return true;
	}
	return ends_with(span->key, ending);
}

struct call_span *
spans_of_handle(const struct spans *spans, const char *beginning,
		uint64_t handle)
{
	list_each(link, after, &spans->open) {
		struct call_span *span = span_of(link);

		if (begins_with(span, beginning) && is_of_handle(span, handle))
			return span;
	}
	return NULL;
}

bool
spans_answered(const struct spans *spans, const char *beginning)
{
	list_each(link, after, &spans->open) {
		const struct call_span *span = span_of(link);

		if (span->answered && begins_with(span, beginning))
			return true;
	}
	return false;
}

void
spans_end(struct spans *spans, struct call_span *span)
{
	list_remove(&span->link);
	spans->count--;
	while (span->alias_count > 0)
		spans_unlink(span);
	free(span->key);
	free(span);
}
