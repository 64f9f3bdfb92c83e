/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace as text, with one line per call if possible:
 *
 *	22:31:50.507781 mysql_real_query(0x27bc540, "SELECT ...", 15) = 0 <1.0>
 *
 * The text of an entry is made at EVENT_ENTRY, because the memory of its
 * arguments changes later. Then the entry waits:
 *
 *	          another line must be written        returns
 *	waiting -----------------------------> shown ---------> <... f resumed>
 *	   \                                     (written "<unfinished ...>")
 *	    `---- returns ----> one whole line
 *
 * On a terminal, and when xtrace is called as ltrace, it does not wait: it is
 * shown at once, and its line stays open until the call returns or another line
 * must be written.
 *
 * A call with a probe (a query) always waits for its end, and its line is
 * whole, because the calls that take long are those whose text and time are
 * searched for. If it takes very long, EVENT_IN_FLIGHT adds a line before.
 *
 * Before a line is written, the waiting calls that began before the event of
 * that line are shown, in the order in which they began. Therefore the times in
 * a file go backwards only at queries, and calls of two threads that merely
 * overlap are two whole lines. When a thread ends, its open call gets "<no
 * return ...>", unless the thread's own line follows directly. With --min-time,
 * only calls that have already taken so long are shown as unfinished, because
 * the others may never be printed. A shorter call may then be printed after a
 * signal that came after its entry.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/clock.h"
#include "base/xmalloc.h"
#include "output/lines/entry.h"
#include "output/frames.h"
#include "output/label.h"
#include "output/left_out.h"
#include "output/lines/line.h"
#include "output/lines/parts.h"
#include "output/out.h"
#include "output/query.h"
#include "output/signame.h"
#include "values/fetch.h"
#include "values/show.h"
#include "values/visit.h"
#include "values/value.h"

#include <stdlib.h>
#include <string.h>

struct text_sink {
	struct sink sink;
	const struct look *look;
	struct show_look show;
	struct line line;
	struct entries entries;
	struct entry *open; /* the entry whose line is not complete */
	pid_t teller;	    /* the thread of the present event */
	bool at_once;	    /* entries are shown at once and do not wait */
};

static void
add_note(struct text_sink *text, const char *note)
{
	line_paint(&text->line, LINE_NOTE);
	str_add(&text->line.text, note);
	line_plain(&text->line);
}

/* Adds the frames of the call and ends the line. If only other sinks need the
 * frames (folded stacks, a table), the line does not show them. */
static void
end_line_with_frames(struct text_sink *text, const struct event_call *call)
{
	if (!text->look->frames_hidden && text->look->as_ltrace)
		frames_add_as_ltrace(&text->line.text, call);
	else if (!text->look->frames_hidden)
		frames_add(&text->line.text, call);
	line_end(&text->line);
}

/* Ends a line that shows only the entry of a call. */
static void
end_entry_line(struct text_sink *text, const struct entry *entry)
{
	end_line_with_frames(text, entry->call);
}

/* Ends the open line, if there is one, before its call has returned. A later
 * line will tell how the call ended. */
static void
leave_open_line(struct text_sink *text, const char *note)
{
	struct entry *open = take(text->open);

	if (!open)
		return;
	open->cut_by = text->teller;
	add_note(text, note);
	end_entry_line(text, open);
}

/* Shows the entries that began before `before`, or all. */
static void
show_waiting(struct text_sink *text, const struct list *before, uint64_t now)
{
	list_each(link, after, &text->entries.waiting) {
		struct entry *entry = entry_of(link);

		if (link == before)
			return;
		if (entry->call->bare)
			continue;
		if (clock_between(entry->head.when, now) <
		    text->look->min_duration)
			continue;
		entry_print(entry, &text->line);
		add_note(text, " <unfinished ...>");
		end_entry_line(text, entry);
		entry->cut_by = text->teller;
		entry_mark_shown(&text->entries, entry);
	}
}

static void
add_time(struct text_sink *text, uint64_t ns, bool at_least)
{
	struct line *line = &text->line;

	str_add_char(&line->text, ' ');
	line_paint(line, LINE_DURATION);
	str_add_char(&line->text, '<');
	stamp_add_seconds(&line->text, ns);
	if (at_least)
		str_add_char(&line->text, '+');
	str_add_char(&line->text, '>');
	line_plain(line);
}

/* A query has not ended. Its entry, if there is one, still waits. */
static void
tell_in_flight(struct text_sink *text, const struct event *event)
{
	const struct event_call *call = event->call;
	struct entry *kept = call->kept[text->sink.index];
	struct entry *entry =
		kept ? kept : entry_begin(&text->entries, event, &text->show);

	leave_open_line(text, " <unfinished ...>");
	entry_print(entry, &text->line);
	add_note(text, " <in flight ...>");
	add_time(text, event_shown(call->duration), true);
	end_entry_line(text, entry);
	if (!kept)
		entry_end(&text->entries, entry);
}

/* A call in flight is shown at once, because it may block forever and is
 * probably the call that the user looks for. */
static void
show_in_flight(struct text_sink *text, struct entry *entry, uint64_t now)
{
	leave_open_line(text, " <unfinished ...>");
	show_waiting(text, &entry->link, now);
	entry_print(entry, &text->line);
	add_note(text, " <in flight ...>");
	end_entry_line(text, entry);
	if (!entry->call->bare)
		entry_mark_shown(&text->entries, entry);
}

static void
tell_entry(struct text_sink *text, const struct event *event)
{
	struct entry *entry = entry_begin(&text->entries, event, &text->show);

	event->call->kept[text->sink.index] = entry;
	if (text->look->query_ids)
		query_keep(event->call);
	if (event->call->before) {
		show_in_flight(text, entry, event->when);
		return;
	}
	if (!text->at_once || event->call->bare)
		return;
	leave_open_line(text, " <unfinished ...>");
	entry_print(entry, &text->line);
	line_pause(&text->line);
	entry_mark_shown(&text->entries, entry);
	text->open = entry;
}

static void
add_result(struct text_sink *text, const struct event_call *call)
{
	struct line *line = &text->line;
	bool failed = call->result &&
		      value_error(call->result, call->error_number) != 0;

	if (call->bare)
		str_add_char(&line->text, ' ');
	else
		line_align(line);
	str_add_bytes(&line->text, "= ", 2);
	if (call->end == CALL_UNWOUND) {
		add_note(text, "<unwound>");
		return;
	}
	/* A result has the colour of errors only if it shows a failure: a call
	 * that succeeds leaves errno as an earlier call has set it. */
	if (failed)
		line_paint(line, LINE_ERROR);
	show_result(&line->text, call->result, call->error_number, &text->show);
	show_file(&line->text, call->result_file);
	if (call->outcome && call->outcome->failed)
		parts_add_failure(line, call->outcome);
	if (failed)
		line_plain(line);
}

/*
 * Adds the blank that is still missing, because none of a probe's arguments
 * were shown before its return.
 */
static void
add_blank_before_late(struct str *to, const struct event_call *call)
{
	if (call->arguments && show_arguments_late(call->arguments))
		str_add_char(to, ' ');
}

/* Adds what is shown in place of a result: the call has not ended, or has ended
 * without a return. */
static void
add_no_end(struct text_sink *text, const struct event_call *call)
{
	add_note(text, call->end == CALL_NO_RETURN ? " <no return ...>"
						   : " <unfinished ...>");
	if (call->bare)
		add_time(text, event_shown(call->duration), true);
}

/* Adds what follows "name(arguments", or "<... name resumed> ". */
static void
add_end(struct text_sink *text, const struct event_call *call)
{
	struct str *to = &text->line.text;

	if (call->end == CALL_NO_RETURN || call->end == CALL_UNFINISHED) {
		add_no_end(text, call);
		return;
	}
	text->show.bare = call->bare;
	if (call->bare && to->length > 0 && to->text[to->length - 1] != ' ')
		add_blank_before_late(to, call);
	if (call->arguments && show_arguments_late(call->arguments))
		show_arguments(to, call->arguments, &text->show, SHOW_RETURN);
	text->show.bare = false;
	if (!call->bare)
		str_add_char(to, ')');
	if (call->end == CALL_ENTRY_ONLY) {
		if (!call->point)
			add_note(text, " <entry only>");
		return;
	}
	add_result(text, call);
	if (call->injected)
		add_note(text, " (INJECTED)");
	if (call->delayed)
		add_note(text, " (DELAYED)");
	parts_add(to, call, text->look);
	if (!text->look->durations)
		return;
	add_time(text, event_shown(call->duration), call->before);
}

/* ltrace writes "t->raise(" and "<... raise resumed>". */
static void
add_resumed_name(struct text_sink *text, const struct event_call *call)
{
	const char *name = call->display;
	size_t length = strlen(name);

	if (text->look->as_ltrace) {
		name = label_of(call);
		length = label_plain_length(call, name);
	}
	line_paint(&text->line, LINE_NAME);
	escape_name_bytes(&text->line.text, name, length);
	line_plain(&text->line);
}

static void
write_resumed(struct text_sink *text, const struct event *event,
	      struct line_head *head)
{
	const struct event_call *call = event->call;

	leave_open_line(text, " <unfinished ...>");
	show_waiting(text, NULL, event->when);
	head->when = event->when;
	line_begin(&text->line, head);
	add_note(text, "<... ");
	add_resumed_name(text, call);
	add_note(text, " resumed>");
	if (call->end != CALL_NO_RETURN)
		str_add_char(&text->line.text, ' ');
	add_end(text, call);
	if (call->frames_late)
		end_line_with_frames(text, call);
	else
		line_end(&text->line);
}

/* Ends a call whose beginning was shown. Writes a line only if the lines so far
 * do not tell how the call ended. */
static void
end_shown(struct text_sink *text, const struct event *event,
	  struct entry *entry)
{
	switch (event->call->end) {
	case CALL_NO_RETURN:
		if (text->look->as_ltrace || !entry->cut_by ||
		    entry->cut_by == event->tid)
			return;
		break;
	case CALL_RETURNED:
	case CALL_UNWOUND:
		break;
	default:
		return;
	}
	write_resumed(text, event, &entry->head);
}

static void
end_waiting(struct text_sink *text, const struct event *event,
	    struct entry *entry)
{
	/* A query that was in flight at the attach has a line already, which
	 * would look as if the query still hung. */
	if (event_longest(event->call) < text->look->min_duration &&
	    !event->call->before)
		return;
	if (event->call->bare)
		leave_open_line(text, " <unfinished ...>");
	else
		show_waiting(text, &entry->link, event->when);
	entry_print(entry, &text->line);
	add_end(text, event->call);
	end_entry_line(text, entry);
}

/* Ends a call whose entry was not seen: it began before the attach, or in the
 * process that forked this one. */
static void
end_unknown(struct text_sink *text, const struct event *event)
{
	struct line_head head = {
		.tid = event->tid,
		.return_address = event->call->return_address,
		.depth = event->call->depth,
		.call = true,
	};

	if (event_longest(event->call) < text->look->min_duration)
		return;
	if (event->call->end == CALL_RETURNED ||
	    event->call->end == CALL_UNWOUND)
		write_resumed(text, event, &head);
}

static void
tell_return(struct text_sink *text, const struct event *event)
{
	struct entry *entry = take(event->call->kept[text->sink.index]);

	if (!entry) {
		end_unknown(text, event);
		return;
	}
	if (text->open == entry) {
		text->open = NULL;
		add_end(text, event->call);
		end_entry_line(text, entry);
	} else if (entry->shown) {
		end_shown(text, event, entry);
	} else {
		end_waiting(text, event, entry);
	}
	entry_end(&text->entries, entry);
}

/* A line for an event that is not a call. ltrace then considers the open call
 * lost. */
static void
begin_event(struct text_sink *text, const struct event *event)
{
	struct line_head head = { .tid = event->tid, .when = event->when };

	leave_open_line(text, text->look->as_ltrace ? " <no return ...>"
						    : " <unfinished ...>");
	show_waiting(text, NULL, event->when);
	line_begin(&text->line, &head);
	line_paint(&text->line, LINE_EVENT);
}

static void
end_event(struct text_sink *text)
{
	line_plain(&text->line);
	line_end(&text->line);
}

static void
tell_signal(struct text_sink *text, const struct event *event)
{
	struct str *to = &text->line.text;

	if (text->look->hide_signals)
		return;
	begin_event(text, event);
	str_add(to, "--- ");
	signame_add(to, event->number);
	str_add(to, " (");
	signame_add_description(to, event->number);
	str_add(to, ") ---");
	end_event(text);
}

static void
tell_exec(struct text_sink *text, const struct event *event)
{
	begin_event(text, event);
	str_add(&text->line.text, "--- Called exec() ---");
	end_event(text);
}

static void
tell_exited(struct text_sink *text, const struct event *event)
{
	begin_event(text, event);
	str_add(&text->line.text, "+++ exited (status ");
	str_add_signed(&text->line.text, event->number);
	str_add(&text->line.text, ") +++");
	end_event(text);
}

static void
tell_thread_end(struct text_sink *text, const struct event *event)
{
	if (text->look->thread_ends)
		tell_exited(text, event);
}

static void
tell_tampering(struct text_sink *text, const struct event *event)
{
	begin_event(text, event);
	str_add(&text->line.text, "--- calls are changed: ");
	escape_name(&text->line.text, event->text);
	str_add(&text->line.text, " ---");
	end_event(text);
}

static void
tell_left_out(struct text_sink *text, const struct event *event)
{
	if (event->left_out->sums)
		return;
	begin_event(text, event);
	left_out_add_line(&text->line.text, event->left_out);
	end_event(text);
}

static void
tell_killed(struct text_sink *text, const struct event *event)
{
	begin_event(text, event);
	str_add(&text->line.text, "+++ killed by ");
	signame_add(&text->line.text, event->number);
	str_add(&text->line.text, " +++");
	end_event(text);
}

static void
tell_stack(struct text_sink *text, const struct event *event)
{
	struct str *to = &text->line.text;

	str_clear(to);
	frames_add_thread(to, event);
	line_end(&text->line);
}

static void
text_event(struct sink *sink, const struct event *event)
{
	static void (*const tell[])(struct text_sink *,
				    const struct event *) = {
		[EVENT_ENTRY] = tell_entry,
		[EVENT_RETURN] = tell_return,
		[EVENT_CHILD_RETURN] = end_unknown,
		[EVENT_SIGNAL] = tell_signal,
		[EVENT_EXEC] = tell_exec,
		[EVENT_EXITED] = tell_exited,
		[EVENT_KILLED] = tell_killed,
		[EVENT_THREAD_END] = tell_thread_end,
		[EVENT_STACK] = tell_stack,
		[EVENT_IN_FLIGHT] = tell_in_flight,
		[EVENT_TAMPERING] = tell_tampering,
		[EVENT_LEFT_OUT] = tell_left_out,
	};
	struct text_sink *text = container_of(sink, struct text_sink, sink);

	text->teller = event->tid;
	if (event->kind < array_size(tell) && tell[event->kind])
		tell[event->kind](text, event);
}

static void
text_close(struct sink *sink)
{
	struct text_sink *text = container_of(sink, struct text_sink, sink);

	leave_open_line(text, " <unfinished ...>");
	show_waiting(text, NULL, UINT64_MAX);
	entries_release(&text->entries);
	line_release(&text->line);
	free(text);
}

static const struct sink_ops ops = {
	.name = "text",
	.stream = true,
	.skips_brief = true,
	.event = text_event,
	.close = text_close,
};

struct sink *
text_sink_new(const struct look *look, struct out *out)
{
	struct text_sink *text = xcalloc(1, sizeof(*text));

	text->sink.ops = &ops;
	text->look = look;
	text->show = (struct show_look){
		.string_length = look->string_length,
		.array_length = look->array_length,
		.names = look->names,
		.as_ltrace = look->as_ltrace,
	};
	text->at_once =
		(look->immediate || look->as_ltrace) && look->min_duration == 0;
	entries_init(&text->entries);
	line_init(&text->line, look, out);
	return &text->sink;
}
