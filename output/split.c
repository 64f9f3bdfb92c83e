/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each inner sink is told only the events of its process. A call belongs to one
 * process, so they all share the split's place in event_call.kept.
 *
 * A server that forks for every request must not use up our descriptors.
 * Therefore a file is closed when its process has ended. Later events of the
 * process (the end of a last thread) are dropped, because opening the file
 * again would truncate it. If the file of a process cannot be opened, its
 * events are dropped, and the run continues.
 */
#include "output/split.h"

#include "base/map.h"
#include "base/xmalloc.h"
#include "output/out.h"

#include <stdlib.h>

struct part {
	/* NULL: the process has ended, or the file could not be opened */
	struct sink *sink;
	struct out *out;
};

struct split_sink {
	struct sink sink;
	const struct look *look;
	char *path;
	struct sink *(*make)(const struct look *look, struct out *out);
	int *failure;
	struct map parts; /* pid -> struct part */
};

static void
note_failure(struct split_sink *split, int code)
{
	if (*split->failure == 0)
		*split->failure = code;
}

static void
part_open(struct split_sink *split, struct part *part, pid_t pid)
{
	cleanup(freep) char *path = xasprintf("%s.%d", split->path, pid);
	int code = out_open(path, &part->out, NULL);

	if (code < 0) {
		note_failure(split, code);
		return;
	}
	part->sink = split->make(split->look, part->out);
	part->sink->index = split->sink.index;
}

static void
part_close(struct split_sink *split, struct part *part)
{
	int code;

	if (!part->sink)
		return;
	part->sink->ops->close(part->sink);
	part->sink = NULL;
	code = out_close(take(part->out));
	if (code < 0)
		note_failure(split, code);
}

static struct part *
part_of(struct split_sink *split, const struct event *event)
{
	struct part *part = map_get(&split->parts, (uint64_t)event->pid);

	if (part && (part->sink || event->kind != EVENT_START))
		return part;
	if (!part) {
		part = xcalloc(1, sizeof(*part));
		map_put(&split->parts, (uint64_t)event->pid, part);
	}
	part_open(split, part, event->pid);
	return part;
}

static void
split_event(struct sink *sink, const struct event *event)
{
	struct split_sink *split = container_of(sink, struct split_sink, sink);
	struct part *part = part_of(split, event);

	if (!part->sink)
		return;
	part->sink->ops->event(part->sink, event);
	if (event->kind == EVENT_EXITED || event->kind == EVENT_KILLED)
		part_close(split, part);
	else
		out_flush(part->out, true);
}

static void
split_tick(struct sink *sink)
{
	struct split_sink *split = container_of(sink, struct split_sink, sink);
	size_t cursor = 0;
	void *at;

	while (map_next(&split->parts, &cursor, NULL, &at)) {
		struct part *part = at;

		if (!part->sink)
			continue;
		if (part->sink->ops->tick)
			part->sink->ops->tick(part->sink);
		out_flush(part->out, false);
	}
}

static void
split_close(struct sink *sink)
{
	struct split_sink *split = container_of(sink, struct split_sink, sink);
	size_t cursor = 0;
	void *part;

	while (map_next(&split->parts, &cursor, NULL, &part)) {
		part_close(split, part);
		free(part);
	}
	map_release(&split->parts);
	free(split->path);
	free(split);
}

static const struct sink_ops ops = {
	.name = "split",
	.whole = true,
	.servers = true,
	.event = split_event,
	.tick = split_tick,
	.close = split_close,
};

struct sink *
split_sink_new(const struct look *look, const char *path,
	       struct sink *(*make)(const struct look *look, struct out *out),
	       int *failure)
{
	struct split_sink *split = xcalloc(1, sizeof(*split));

	split->sink.ops = &ops;
	split->look = look;
	split->path = xstrdup(path);
	split->make = make;
	split->failure = failure;
	map_init(&split->parts);
	return &split->sink;
}
