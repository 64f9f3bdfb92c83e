/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The prefix is ltrace's, in its order:
 *
 *	[pid 1234] 22:31:50.507781 [0x55b87975b169]     name(...
 *	thread     -t -tt -ttt -r  -i               -n
 *
 * Columns are counted like in ltrace, from the left end including the prefix,
 * so that "= value" is where scripts expect it. Colours do not count. A
 * character that is not ASCII has the width that a terminal gives it. (If
 * xtrace runs under the name ltrace, it writes no such characters.)
 *
 * The thread column appears in the first line of a second thread and then
 * stays: a program with one thread has no such column, and we need not know in
 * advance. The lines before it are from the first thread.
 */
#include "output/lines/line.h"

#include "base/utf8.h"
#include "output/out.h"

#include <string.h>

static const char *const escapes[] = {
	[LINE_NAME] = "\033[1m",     [LINE_NOTE] = "\033[2m",
	[LINE_ERROR] = "\033[31m",   [LINE_DURATION] = "\033[33m",
	[LINE_EVENT] = "\033[1;35m",
};

void
line_init(struct line *line, const struct look *look, struct out *out)
{
	*line = (struct line){ .look = look, .out = out };
	stamp_init(&line->stamp);
	str_init(&line->text);
}

void
line_release(struct line *line)
{
	str_release(&line->text);
}

static bool
wants_thread(struct line *line, pid_t tid)
{
	if (line->first == 0)
		line->first = tid;
	else if (line->first != tid)
		line->threads = true;
	if (line->look->thread_column == LOOK_AUTO)
		return line->threads;
	return line->look->thread_column == LOOK_ALWAYS;
}

static void
add_thread(struct line *line, pid_t tid)
{
	bool bare = line->look->bare_thread_column;

	str_add(&line->text, bare ? "" : "[pid ");
	str_add_signed(&line->text, tid);
	str_add(&line->text, bare ? " " : "] ");
}

void
line_begin(struct line *line, const struct line_head *head)
{
	const struct look *look = line->look;

	str_clear(&line->text);
	line->paused = line->painted = 0;
	if (wants_thread(line, head->tid))
		add_thread(line, head->tid);
	stamp_add(&line->stamp, look, head->when, &line->text);
	if (!head->call)
		return;
	if (look->return_address) {
		str_add_char(&line->text, '[');
		if (head->return_address)
			str_add_hex(&line->text, head->return_address);
		else
			str_add_char(&line->text, '?');
		str_add_bytes(&line->text, "] ", 2);
	}
	if (look->indent > 0)
		str_add_repeated(&line->text, ' ',
				 (size_t)look->indent * head->depth);
}

static void
add_escape(struct line *line, const char *escape)
{
	if (!line->look->color)
		return;
	str_add(&line->text, escape);
	line->painted += strlen(escape);
}

void
line_paint(struct line *line, enum line_paint paint)
{
	add_escape(line, escapes[paint]);
}

void
line_plain(struct line *line)
{
	add_escape(line, "\033[0m");
}

static size_t
column(const struct line *line)
{
	return line->paused +
	       utf8_columns(str_text(&line->text), line->text.length) -
	       line->painted;
}

void
line_align(struct line *line)
{
	size_t at = column(line) + 1, align = line->look->align;

	str_add_char(&line->text, ' ');
	if (at + 1 < align)
		str_add_repeated(&line->text, ' ', align - 1 - at);
}

void
line_pause(struct line *line)
{
	line->paused = column(line);
	line->painted = 0;
	out_write(line->out, str_text(&line->text), line->text.length);
	str_clear(&line->text);
}

void
line_end(struct line *line)
{
	str_add_char(&line->text, '\n');
	out_write(line->out, line->text.text, line->text.length);
	str_clear(&line->text);
}
