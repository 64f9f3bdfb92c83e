/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A million entries per minute begin and end, and few exist at a time.
 * Therefore ended entries are kept for reuse with the memory of their text,
 * unless it is unusually large.
 */
#include "output/lines/entry.h"

#include "base/escape.h"
#include "base/xmalloc.h"
#include "values/fetch.h"

#include <stdlib.h>

#define ROOM_KEPT 4096u

void
entries_init(struct entries *entries)
{
	list_init(&entries->waiting);
	list_init(&entries->shown);
	list_init(&entries->idle);
}

static void
free_entries(struct list *list)
{
	list_each(link, after, list) {
		struct entry *entry = entry_of(link);

		str_release(&entry->text);
		free(entry);
	}
}

void
entries_release(struct entries *entries)
{
	free_entries(&entries->waiting);
	free_entries(&entries->shown);
	free_entries(&entries->idle);
	entries_init(entries);
}

/* Adds the name and the arguments of a probe's call without parentheses: name
 * "SELECT 1" 42. */
static void
make_bare_text(struct entry *entry, const struct event_call *call,
	       const struct show_look *show)
{
	struct show_look bare = *show;
	size_t before;

	bare.bare = true;
	str_add_char(&entry->text, ' ');
	before = entry->text.length;
	if (call->arguments)
		show_arguments(&entry->text, call->arguments, &bare,
			       SHOW_ENTRY);
	/* If there are no arguments, the blank before "=" is enough. */
	if (entry->text.length == before)
		str_cut(&entry->text, before - 1);
}

static void
make_text(struct entry *entry, const struct event_call *call,
	  const struct show_look *show)
{
	str_clear(&entry->text);
	escape_name(&entry->text, call->display);
	entry->name_length = entry->text.length;
	if (call->bare) {
		make_bare_text(entry, call, show);
		return;
	}
	str_add_char(&entry->text, '(');
	if (call->arguments)
		show_arguments(&entry->text, call->arguments, show, SHOW_ENTRY);
}

struct entry *
entry_begin(struct entries *entries, const struct event *event,
	    const struct show_look *show)
{
	const struct event_call *call = event->call;
	struct entry *entry;

	if (list_empty(&entries->idle)) {
		entry = xcalloc(1, sizeof(*entry));
	} else {
		entry = entry_of(entries->idle.next);
		list_remove(&entry->link);
	}
	entry->head = (struct line_head){
		.tid = event->tid,
		.when = call->began,
		.return_address = call->return_address,
		.depth = call->depth,
		.call = true,
	};
	entry->call = call;
	entry->shown = false;
	entry->cut_by = 0;
	make_text(entry, call, show);
	list_append(&entries->waiting, &entry->link);
	return entry;
}

void
entry_mark_shown(struct entries *entries, struct entry *entry)
{
	entry->shown = true;
	list_remove(&entry->link);
	list_append(&entries->shown, &entry->link);
}

void
entry_end(struct entries *entries, struct entry *entry)
{
	if (entry->text.room > ROOM_KEPT)
		str_release(&entry->text);
	list_remove(&entry->link);
	list_append(&entries->idle, &entry->link);
}

void
entry_print(const struct entry *entry, struct line *line)
{
	line_begin(line, &entry->head);
	line_paint(line, LINE_NAME);
	str_add_bytes(&line->text, entry->text.text, entry->name_length);
	line_plain(line);
	str_add_bytes(&line->text, entry->text.text + entry->name_length,
		      entry->text.length - entry->name_length);
}
