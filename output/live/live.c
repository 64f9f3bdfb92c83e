/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --live: a page on the terminal that shows the figures of --summary while they
 * grow, and the calls that have not ended.
 *
 * The figures are counted in several groups at once, so that another group can
 * be shown at any time. What is in flight is told before each page
 * (EVENT_OPEN). A page is made when draw() is called: between two stops, so
 * that no thread is held for it. If pages take long, because there are many
 * rows, they are made less often, and take at most 2 percent of the time.
 *
 * At the end of the run the terminal is put back, the messages that were kept
 * are written to stderr, and the table of --summary is written.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/fd.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/group.h"
#include "output/left_out.h"
#include "output/live/console.h"
#include "output/live/details.h"
#include "output/live/figures.h"
#include "output/live/flight.h"
#include "output/live/page.h"
#include "output/live/sampled.h"
#include "output/live/stacks.h"
#include "output/live/view.h"
#include "output/out.h"
#include "output/stacks/flame.h"
#include "output/stacks/grow.h"
#include "output/stamp.h"
#include "output/tables/summary_rows.h"
#include "output/tables/summary_table.h"
#include "values/fetch.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Five groups of calls, three of samples, and the callers. */
#define GROUPS_MOST 9
#define MESSAGES_MOST 100
/* If a page takes 1 ms to make, the next one is made at the earliest after
 * PAUSE_FACTOR ms. */
#define PAUSE_FACTOR 50

struct live_group {
	struct look look;
	/* The group counts samples by "where", "function" or "thread"; NULL: it
	 * counts calls. */
	const char *by_sample;
	struct summary_rows rows;
	struct figures figures;
};

struct live_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct console *console;
	struct growth growth; /* the calls by their stacks */
	struct live_group groups[GROUPS_MOST];
	unsigned group_count; /* how many groups can be shown */
	/* A group that is shown only in details: queries (or functions) by the
	 * line that makes them. NULL: lines are not known. */
	struct live_group *callers;
	const struct summary_row *opened; /* the row whose details are shown */
	struct live_view view;
	struct flights flights;
	struct live_stacks stacks;
	vec_of(char *) messages;
	struct left_outs left_outs;
	struct stamp stamp;
	uint64_t next; /* when the next page may be made */
};

/* ---- groups ---------------------------------------------------------------
 */

static void
begin_group(struct live_group *group)
{
	summary_rows_init(&group->rows, &group->look);
	figures_init(&group->figures, &group->rows, clock_now());
	group->figures.sampled = group->by_sample != NULL;
	group->figures.places =
		group->by_sample && !strcmp(group->by_sample, "where");
}

static void
end_group(struct live_group *group)
{
	figures_release(&group->figures);
	summary_rows_release(&group->rows);
}

/* Takes the next unused group of live->groups. */
static struct live_group *
new_group(struct live_sink *live)
{
	assert(live->group_count < GROUPS_MOST);
	return &live->groups[live->group_count++];
}

static void
add_group(struct live_sink *live, const char *by)
{
	const char *first = live->look->group_by;
	struct live_group *group;

	/* The user's group is the first one. */
	if (live->group_count > 0 && by && first && !strcmp(by, first))
		return;
	group = new_group(live);
	group->look = *live->look;
	group->look.group_by = by;
	begin_group(group);
}

static void
add_samples(struct live_sink *live, const char *by)
{
	struct live_group *group = new_group(live);

	group->look = *live->look;
	group->look.group_by = "function";
	group->by_sample = by;
	begin_group(group);
}

/* How many groups are counted. */
static unsigned
counted(const struct live_sink *live)
{
	return live->group_count + (live->callers != NULL);
}

/* The group of the callers is behind the groups that can be shown. */
static void
add_callers(struct live_sink *live)
{
	struct live_group *group = &live->groups[live->group_count];

	assert(live->group_count < GROUPS_MOST);
	group->look = *live->look;
	group->look.group_by =
		live->look->has_queries ? "query,where" : "function,where";
	begin_group(group);
	live->callers = group;
}

static const char *
name_of(const struct live_group *group)
{
	if (group->by_sample)
		return group->by_sample;
	if (group->look.group_by)
		return group->look.group_by;
	return group->look.has_queries ? "query" : "function";
}

/* Drops the counts of all groups, and starts to count again. */
static void
reset(struct live_sink *live)
{
	live->opened = NULL;
	growth_reset(&live->growth);
	for (unsigned i = 0; i < counted(live); i++) {
		end_group(&live->groups[i]);
		begin_group(&live->groups[i]);
	}
}

/* ---- events ---------------------------------------------------------------
 */

static void
live_entry(struct live_sink *live, const struct event *event)
{
	struct event_call *call = event->call;

	for (unsigned i = 0; call->arguments && i < counted(live); i++)
		summary_rows_entry(&live->groups[i].rows, call);
}

static void
live_return(struct live_sink *live, const struct event *event)
{
	struct event_call *call = event->call;

	for (unsigned i = 0; !event_endless(call) && i < counted(live); i++)
		if (!live->groups[i].by_sample)
			summary_rows_count(&live->groups[i].rows, event,
					   live->growth.self);
}

static void
take_sample(struct live_sink *live, const struct event *event)
{
	for (unsigned i = 0; i < live->group_count; i++) {
		struct live_group *group = &live->groups[i];

		if (group->by_sample)
			sampled_count(&group->rows, event, group->by_sample);
	}
}

static void
live_event(struct sink *sink, const struct event *event)
{
	struct live_sink *live = container_of(sink, struct live_sink, sink);

	growth_event(&live->growth, event, sink->index);
	if (left_outs_take(&live->left_outs, event))
		return;
	if (event->kind == EVENT_ENTRY)
		live_entry(live, event);
	if (event->kind == EVENT_RETURN)
		live_return(live, event);
	if (event->kind == EVENT_OPEN)
		flights_tell(&live->flights, event);
	if (event->kind == EVENT_SAMPLE)
		take_sample(live, event);
	if (event->kind == EVENT_STACK)
		live_stacks_take(&live->stacks, event);
	if (event->kind != EVENT_REQUEST && event->kind != EVENT_REQUEST_END)
		return;
	for (unsigned i = 0; i < counted(live); i++)
		summary_rows_request(&live->groups[i].rows, event);
}

/* ---- pages ----------------------------------------------------------------
 */

/* Opens the details of the row that the last page has shown as chosen. */
static void
open_row(struct live_sink *live)
{
	const struct figures *figures = &live->groups[live->view.group].figures;

	if (live->view.chosen < figures->lines.count)
		live->opened = figures->lines.at[live->view.chosen].row;
}

static void
note(struct live_sink *live, char *message)
{
	if (live->messages.count >= MESSAGES_MOST) {
		free(live->messages.at[0]);
		vec_remove(&live->messages, 0);
	}
	vec_push(&live->messages, message);
}

/* Adds the table, as --summary --json does. */
static void
add_table(struct live_sink *live, struct str *to)
{
	struct live_group *group = &live->groups[live->view.group];

	group->look.summary_json = true;
	summary_table_add(to, &group->rows, false, 0, clock_now());
	group->look.summary_json = false;
}

/* Adds the flame graph of all calls and samples since the beginning, or since
 * the last reset. */
static void
add_flame(const struct live_sink *live, struct str *to)
{
	const char *end = strrchr(str_text(&live->view.file), '.');
	struct out *out = out_memory(to);

	flame_write_page(&live->growth.tree, live->look,
			 end && !strcmp(end, ".html") ? FLAME_HTML : FLAME_SVG,
			 out);
	/* Writing to memory cannot fail. */
	(void)out_close(out);
}

/* Writes the table or the picture into a new file. */
static void
save(struct live_sink *live)
{
	const char *path = str_text(&live->view.file);
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	struct str text;
	int r = -errno;

	str_init(&text);
	if (fd >= 0) {
		if (live->view.flame)
			add_flame(live, &text);
		else
			add_table(live, &text);
		r = fd_write_all(fd, text.text, text.length);
		if (close(fd) < 0 && r == 0)
			r = -errno;
	}
	note(live, r < 0 ? xasprintf("xtrace: %s: cannot be written: %s", path,
				     strerror(-r))
			 : xasprintf("xtrace: %s: written", path));
	str_clear(&live->view.file);
	str_release(&text);
}

/* Takes the keys that wait. Returns true if there were any. */
static bool
take_keys(struct live_sink *live, bool *ret_whole)
{
	bool any = false;
	unsigned key;

	while (console_key(live->console, &key)) {
		any = true;
		switch (view_key(&live->view, key)) {
		case VIEW_LEAVE:
			console_leave(live->console);
			break;
		case VIEW_RESET:
			reset(live);
			break;
		case VIEW_REDRAW:
			*ret_whole = true;
			break;
		case VIEW_OPEN:
			open_row(live);
			break;
		case VIEW_LOOK:
			live_stacks_ask(&live->stacks, clock_now());
			break;
		case VIEW_WRITE:
			save(live);
			break;
		case VIEW_NOTHING:
			break;
		}
	}
	return any;
}

static void
count(struct live_sink *live, uint64_t now)
{
	if (live->view.paused ||
	    now - live->groups[0].figures.counted < CLOCK_SECOND)
		return;
	for (unsigned i = 0; i < counted(live); i++)
		figures_count(&live->groups[i].figures, now);
}

/* Adds the time of day. */
static void
add_clock(struct live_sink *live, uint64_t when, struct str *to)
{
	const struct look clock = { .time = LOOK_TIME_SECONDS,
				    .epoch_offset = live->look->epoch_offset };

	stamp_add(&live->stamp, &clock, when, to);
}

/* Adds the text that the page shows in place of the table. */
static void
add_text(struct live_sink *live, struct str *to)
{
	struct str time;

	if (live->view.mode == VIEW_DETAILS && live->opened)
		details_add(to, live->opened,
			    live->callers ? &live->callers->rows : NULL);
	if (live->view.mode != VIEW_STACKS)
		return;
	str_init(&time);
	add_clock(live, live->stacks.when, &time);
	live_stacks_add(&live->stacks, str_text(&time), to);
	str_release(&time);
}

static void
show_page(struct live_sink *live, uint64_t now, bool whole)
{
	struct live_group *group = &live->groups[live->view.group];
	struct live_page page = {
		.subject = live->look->command,
		.group = name_of(group),
		.figures = &group->figures,
		.calls = live->flights.shown.at,
		.call_count = live->flights.shown.count,
		.partly = live->left_outs.rows.count > 0,
		.message = live->messages.count
				   ? live->messages.at[live->messages.count - 1]
				   : NULL,
	};
	unsigned height, width;
	struct str time, text, left_out;
	struct cells cells;

	str_init(&left_out);
	left_outs_add_most(&live->left_outs, &left_out);
	if (!page.message && left_out.length > 0)
		page.message = str_text(&left_out);
	str_init(&text);
	add_text(live, &text);
	page.text = str_text(&text);
	figures_choose(&group->figures, str_text(&live->view.filter),
		       live->view.sort);
	str_init(&time);
	add_clock(live, now, &time);
	page.clock = str_text(&time);
	console_size(live->console, &height, &width);
	cells_init(&cells, height, width);
	page_draw(&page, &live->view, &cells);
	console_show(live->console, &cells, whole);
	str_release(&time);
	str_release(&text);
	str_release(&left_out);
}

static void
live_draw(struct sink *sink)
{
	struct live_sink *live = container_of(sink, struct live_sink, sink);
	uint64_t now = clock_now();
	bool whole = false, keys = take_keys(live, &whole);

	flights_take(&live->flights, live->view.paused);
	if (!keys && now < live->next)
		return;
	count(live, now);
	show_page(live, now, whole);
	live->next = now + PAUSE_FACTOR * clock_between(now, clock_now());
}

static bool
live_wants_stacks(struct sink *sink)
{
	struct live_sink *live = container_of(sink, struct live_sink, sink);

	if (!live_stacks_wanted(&live->stacks))
		return false;
	live->next = 0; /* the next page shows them */
	return true;
}

/* ---- messages -------------------------------------------------------------
 */

static bool
live_message(struct sink *sink, const char *line)
{
	struct live_sink *live = container_of(sink, struct live_sink, sink);

	if (!console_shows(live->console))
		return false;
	note(live, xstrdup(line));
	return true;
}

/* ---- the end --------------------------------------------------------------
 */

/* Writes the table of calls. The table of samples has a sink of its own. */
static void
write_table(struct live_sink *live)
{
	struct live_group *group = &live->groups[0];
	unsigned height, width = 0;
	struct str text;

	if (group->by_sample)
		return;
	figures_count(&group->figures, clock_now());
	if (!out_window(live->out, &height, &width))
		width = 0;
	str_init(&text);
	summary_table_add(&text, &group->rows, false, width, clock_now());
	left_outs_add(&live->left_outs, "  ", &text);
	left_outs_release(&live->left_outs);
	out_write(live->out, str_text(&text), text.length);
	str_release(&text);
}

static void
say_kept(const char *message)
{
	struct str line;

	str_init(&line);
	str_addf(&line, "%s\n", message);
	/* If standard error cannot be written, the message is lost. */
	(void)!fd_write_all(STDERR_FILENO, line.text, line.length);
	str_release(&line);
}

static void
live_close(struct sink *sink)
{
	struct live_sink *live = container_of(sink, struct live_sink, sink);

	console_end(live->console);
	for (size_t i = 0; i < live->messages.count; i++) {
		say_kept(live->messages.at[i]);
		free(live->messages.at[i]);
	}
	write_table(live);
	for (unsigned i = 0; i < counted(live); i++)
		end_group(&live->groups[i]);
	flights_release(&live->flights);
	live_stacks_release(&live->stacks);
	vec_release(&live->messages);
	view_release(&live->view);
	growth_release(&live->growth);
	free(live);
}

static const struct sink_ops ops = {
	.name = "live",
	.blind = true,
	.sql = true,
	.whole = true,
	.event = live_event,
	.draw = live_draw,
	.wants_stacks = live_wants_stacks,
	.message = live_message,
	.close = live_close,
};

/* The sink's functions if calls are grouped by an argument, which must then be
 * read. */
static const struct sink_ops reading_ops = {
	.name = "live",
	.whole = true,
	.event = live_event,
	.draw = live_draw,
	.wants_stacks = live_wants_stacks,
	.message = live_message,
	.close = live_close,
};

static bool
is_by(const struct look *look, const char *field)
{
	return look->group_by && !strcmp(look->group_by, field);
}

static void
add_call_groups(struct live_sink *live)
{
	const struct look *look = live->look;

	add_group(live, look->group_by);
	if (look->group_by && look->has_queries)
		add_group(live, "query");
	if (look->has_frames)
		add_group(live, "where");
	if (look->has_requests)
		add_group(live, "request");
	if (look->has_queries || look->group_by)
		add_group(live, "function");
}

struct sink *
live_sink_new(const struct look *look, struct out *out)
{
	bool calls = look->has_calls || !look->has_samples;
	struct live_sink *live = xcalloc(1, sizeof(*live));

	live->sink.ops =
		group_reads_arguments(look->group_by) ? &reading_ops : &ops;
	live->look = look;
	live->out = out;
	live->console = look->console;
	growth_init(&live->growth, look);
	stamp_init(&live->stamp);
	if (calls)
		add_call_groups(live);
	if (look->has_samples && look->group_by)
		add_samples(live, look->group_by);
	if (look->has_samples && !is_by(look, "where"))
		add_samples(live, "where");
	if (look->has_samples && !is_by(look, "function"))
		add_samples(live, "function");
	if (calls && look->has_frames)
		add_callers(live);
	view_init(&live->view, live->group_count);
	return &live->sink;
}
