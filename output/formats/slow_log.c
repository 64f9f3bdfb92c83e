/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queries in the form of the slow query log of MySQL and MariaDB:
 *
 *	/usr/bin/xtrace, not mysqld, Version: xtrace. started with:
 *	Tcp port: 0  Unix socket: unknown
 *	Time		    Id Command	Argument
 *	# Time: 260114 22:31:50
 *	# User@Host: unknown[unknown] @ unknown []  Id: 1000
 *	# Query_time: 1.000600  Lock_time: 0.000000  Rows_sent: 1  ...
 *	SET timestamp=1768429909;
 *	SELECT sleep(1);
 *
 * Its readers, pt-query-digest and mysqldumpslow, cut the file where ";", a
 * newline and "#" follow each other. They take some lines for their own
 * wherever these are: lines that a server writes when it starts, and, before
 * the text, comments and settings. If a query contains such lines, a server
 * writes them unchanged. We write a blank before each of them, so that no text
 * of a program can add queries or change times.
 *
 * mysqldumpslow knows one line with numbers. Therefore everything that is
 * known besides is in the same line, as MySQL 8.0 does with log_slow_extra. It
 * also needs the numbers that only the server knows: they are 0.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/left_out.h"
#include "output/out.h"
#include "output/query.h"
#include "output/stamp.h"
#include "stacks/stack.h"
#include "values/fetch.h"
#include "values/fingerprint.h"
#include "values/value.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TEXT_MOST ((size_t)1 << 24)
/* The first word of a query is searched for in so many bytes. */
#define HEAD_MOST ((size_t)64 << 10)
/* The most characters of an error's state that are written. An SQLSTATE has
 * five. */
#define STATE_MOST 8

/* The first lines of the log. A server writes such lines when it opens its log,
 * and readers drop them. */
static const char opening[] =
	"/usr/bin/xtrace, not mysqld, Version: xtrace. started with:\n"
	"Tcp port: 0  Unix socket: unknown\n"
	"Time\t\t    Id Command\tArgument\n";

struct slow_log_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct str entry;
	struct left_outs left_outs;
};

/* ---- the head --------------------------------------------------------------
 */

/* Writes the time at which the query ended, as a server does. The time at which
 * it began is in the line "SET timestamp=". */
static void
add_time(struct slow_log_sink *log, uint64_t when)
{
	time_t seconds =
		(time_t)((when + log->look->epoch_offset) / CLOCK_SECOND);
	struct tm local;

	localtime_r(&seconds, &local);
	str_addf(&log->entry, "# Time: %02d%02d%02d %2d:%02d:%02d\n",
		 local.tm_year % 100, local.tm_mon + 1, local.tm_mday,
		 local.tm_hour, local.tm_min, local.tm_sec);
}

/* True if the query changes rows: its number of rows is then the number of
 * changed rows. */
static bool
changes(const struct value_chars *text)
{
	static const char *const words[] = { "insert ",	 "update ", "delete ",
					     "replace ", "merge ",  "load ",
					     "copy " };
	size_t length = text->length < HEAD_MOST ? text->length : HEAD_MOST;
	struct str head = { 0 };
	bool found = false;

	fingerprint_add(&head, text->bytes, length);
	for (size_t i = 0; i < array_size(words) && !found; i++)
		found = strncmp(str_text(&head), words[i], strlen(words[i])) ==
			0;
	str_release(&head);
	return found;
}

static bool
is_state(const char *state)
{
	size_t length = state ? strnlen(state, STATE_MOST) : 0;

	if (length == 0 || length == STATE_MOST)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)state[i]))
			return false;
	}
	return true;
}

static void
add_failure(struct str *to, const struct event_outcome *outcome)
{
	if (outcome->has_code)
		str_addf(to, "  Errno: %" PRId64, outcome->code);
	if (is_state(outcome->state))
		str_addf(to, "  Sqlstate: %s", outcome->state);
}

/* Adds the line that made the query as one word: "views.py:22". */
static void
add_where(struct str *to, const struct event_call *call)
{
	const struct frame *frame = frames_asking(call);
	struct str name = { 0 };

	if (!frame || !frame->file)
		return;
	escape_name(&name, frame->file);
	str_add(to, "  Where: ");
	for (const char *c = str_text(&name); *c; c++)
		str_add_char(to, *c == ' ' ? '_' : *c);
	if (frame->line)
		str_addf(to, ":%u", frame->line);
	str_release(&name);
}

static void
add_numbers(struct str *to, const struct event_call *call,
	    const struct value_chars *text)
{
	const struct event_outcome *outcome = call->outcome;
	bool rows = outcome && outcome->has_rows && outcome->rows > 0;
	bool changed = rows && changes(text);

	str_add(to, "# Query_time: ");
	stamp_add_seconds(to, event_shown(call->duration));
	str_addf(to,
		 "  Lock_time: 0.000000  Rows_sent: %" PRId64
		 "  Rows_examined: 0",
		 rows && !changed ? outcome->rows : 0);
	if (changed)
		str_addf(to, "  Rows_affected: %" PRId64, outcome->rows);
	if (outcome && outcome->has_bytes)
		str_addf(to, "  Bytes_sent: %" PRIu64, outcome->bytes);
	if (outcome && outcome->failed)
		add_failure(to, outcome);
	add_where(to, call);
	str_add_char(to, '\n');
}

/* ---- the text --------------------------------------------------------------
 */

static bool
begins(const char *line, size_t length, const char *word)
{
	size_t size = strlen(word);

	return length >= size && strncasecmp(line, word, size) == 0;
}

/* Might a reader take this line of a query for a line of the log? */
static bool
is_taken(const char *line, size_t length)
{
	static const char version[] = "version";

	if (length == 0)
		return false;
	if (line[0] == '#' || begins(line, length, "use ") ||
	    begins(line, length, "set ") || begins(line, length, "time") ||
	    begins(line, length, "tcp"))
		return true;
	for (size_t i = 0; i + sizeof(version) - 1 <= length; i++) {
		if (begins(line + i, length - i, version))
			return true;
	}
	return false;
}

/* Adds a line of a query. Tabs stay; characters that a terminal would obey are
 * escaped. */
static void
add_line(struct str *to, const char *line, size_t length)
{
	const char *end = line + length;

	if (is_taken(line, length))
		str_add_char(to, ' ');
	while (line < end) {
		const char *tab = memchr(line, '\t', (size_t)(end - line));
		const char *stop = tab ? tab : end;

		escape_name_bytes(to, line, (size_t)(stop - line));
		if (tab)
			str_add_char(to, '\t');
		line = tab ? tab + 1 : end;
	}
}

static void
add_text(struct str *to, const struct value_chars *text)
{
	const char *at = text->bytes, *end = at + text->length;

	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline ? newline : end;

		add_line(to, at, (size_t)(stop - at));
		if (newline)
			str_add_char(to, '\n');
		at = newline ? newline + 1 : end;
	}
	if (text->cut)
		str_add(to, "...");
}

/* Notes that the time of this call is only a part of the time that the query
 * took, and why. */
static void
add_notes(struct str *to, const struct event_call *call)
{
	if (call->before)
		str_add(to, " /* began before xtrace attached */");
	if (call->end == CALL_UNFINISHED)
		str_add(to, " /* unfinished */");
	if (call->end == CALL_NO_RETURN)
		str_add(to, " /* no return */");
}

static void
print(struct slow_log_sink *log, const struct event *event,
      const struct argument *sql)
{
	const struct event_call *call = event->call;
	uint64_t began = call->began + log->look->epoch_offset;
	struct str *to = &log->entry;
	struct value_chars text = { 0 };
	bool known = value_text(&sql->value, TEXT_MOST, &text) == 0;

	str_clear(to);
	add_time(log, event->when);
	str_addf(to, "# User@Host: unknown[unknown] @ unknown []  Id: %5ld\n",
		 (long)event->tid);
	add_numbers(to, call, &text);
	str_addf(to, "SET timestamp=%" PRIu64 ";\n", began / CLOCK_SECOND);
	if (known && text.length > 0)
		add_text(to, &text);
	else
		query_add_unknown(to, call);
	add_notes(to, call);
	str_add(to, ";\n");
	out_write(log->out, to->text, to->length);
}

static void
slow_log_event(struct sink *sink, const struct event *event)
{
	struct slow_log_sink *log =
		container_of(sink, struct slow_log_sink, sink);
	const struct argument *sql;

	if (left_outs_take(&log->left_outs, event))
		return;
	if (event->kind == EVENT_ENTRY)
		query_keep(event->call);
	if (event->kind != EVENT_RETURN || event_endless(event->call) ||
	    event_longest(event->call) < log->look->min_duration)
		return;
	sql = query_argument(event->call);
	if (sql)
		print(log, event, sql);
}

static void
slow_log_close(struct sink *sink)
{
	struct slow_log_sink *log =
		container_of(sink, struct slow_log_sink, sink);

	str_clear(&log->entry);
	left_outs_add(&log->left_outs, "# ", &log->entry);
	if (log->entry.length > 0)
		out_write(log->out, log->entry.text, log->entry.length);
	left_outs_release(&log->left_outs);
	str_release(&log->entry);
	free(log);
}

static const struct sink_ops ops = {
	.name = "slow-log",
	.stream = true,
	.blind = true,
	.sql = true,
	.whole = true,
	.event = slow_log_event,
	.close = slow_log_close,
};

struct sink *
slow_log_sink_new(const struct look *look, struct out *out)
{
	struct slow_log_sink *log = xcalloc(1, sizeof(*log));

	log->sink.ops = &ops;
	log->look = look;
	log->out = out;
	str_init(&log->entry);
	out_write(out, opening, sizeof(opening) - 1);
	return &log->sink;
}
