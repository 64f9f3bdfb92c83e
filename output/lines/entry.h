/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An entry is what the text sink knows of a call from its entry to its return:
 * the beginning of its line. It waits until it is shown.
 */
#ifndef OUTPUT_LINES_ENTRY_H
#define OUTPUT_LINES_ENTRY_H

#include "base/attr.h"
#include "base/list.h"
#include "base/str.h"
#include "output/event.h"
#include "output/lines/line.h"
#include "values/show.h"

struct entry {
	/* links the entry into one of the three lists below */
	struct list link;
	struct line_head head;
	struct str text; /* the beginning of the line: name(arguments */
	size_t name_length;
	const struct event_call *call; /* valid until the call has returned */
	bool shown;
	/* the thread whose line cut the line with this entry, or 0 */
	pid_t cut_by;
};

struct entries {
	/* links the waiting entries in the order in which they began */
	struct list waiting;
	struct list shown;
	struct list idle;
};

#define entry_of(link_) list_item(link_, struct entry, link)

void entries_init(struct entries *entries);
void entries_release(struct entries *entries);

/* Adds a waiting entry for event, an EVENT_ENTRY. */
struct entry *entry_begin(struct entries *entries, const struct event *event,
			  const struct show_look *show);
void entry_mark_shown(struct entries *entries, struct entry *entry);
void entry_end(struct entries *entries, struct entry *entry);

/* Adds the complete beginning of the entry's line. */
void entry_print(const struct entry *entry, struct line *line);

#endif
