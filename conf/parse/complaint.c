/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Complaints are collected while a file is parsed. The caller prints them
 * later, in the form of compilers:
 *
 *	libc.conf:12:7: expected ')' before 'int'
 *	  int f(char int);
 *	             ^
 *
 * The part of the line that is shown is kept with the complaint, because the
 * file's text is freed earlier. A file may contain any bytes, so what a
 * terminal might obey is escaped in the sentence, and shown as '?' in the line,
 * where one byte is one column. A tab is a tab in both lines, so that the caret
 * is right for any width of tabs. Of a long line, the part around the caret is
 * shown.
 */
#include "conf/parse/complaint.h"

#include "base/escape.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define LINE_SHOWN 160u

#define HUSHED                                                                 \
	"not understood (its text is not shown: it, or a folder on its path, " \
	"is another user's)"

void
complaints_init(struct complaints *complaints)
{
	*complaints = (struct complaints){ 0 };
}

void
complaints_release(struct complaints *complaints)
{
	for (size_t i = 0; i < complaints->list.count; i++) {
		struct complaint *complaint = &complaints->list.at[i];

		free(complaint->file);
		free(complaint->text);
		free(complaint->source);
	}
	vec_release(&complaints->list);
}

void
complaints_addv(struct complaints *complaints, const char *file, unsigned line,
		unsigned column, const char *format, va_list arguments)
{
	struct complaint complaint = { .file = xstrdup(file),
				       .line = line,
				       .column = column };
	struct str text;

	if (complaints->most && complaints->list.count >= complaints->most) {
		free(complaint.file);
		complaints->dropped = true;
		return;
	}
	str_init(&text);
	str_addv(&text, format, arguments);
	complaint.text = str_take(&text);
	vec_push(&complaints->list, complaint);
}

void
complaints_add(struct complaints *complaints, const char *file, unsigned line,
	       unsigned column, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	complaints_addv(complaints, file, line, column, format, arguments);
	va_end(arguments);
}

void
complaint_take_source(struct complaint *complaint, const char *text,
		      const char *end)
{
	size_t before = complaint->column - 1;
	size_t first = before > LINE_SHOWN / 2 ? before - LINE_SHOWN / 2 : 0;
	const char *newline;
	size_t length;

	if (first > (size_t)(end - text))
		first = (size_t)(end - text);
	text += first;
	length = (size_t)(end - text);
	if (length > LINE_SHOWN)
		length = LINE_SHOWN;
	newline = memchr(text, '\n', length);
	complaint->source =
		xstrndup(text, newline ? (size_t)(newline - text) : length);
	complaint->source_column = (unsigned)first + 1;
}

void
complaint_hush(struct complaint *complaint)
{
	free(complaint->text);
	complaint->text = xstrdup(HUSHED);
	free(complaint->source);
	complaint->source = NULL;
}

void
complaint_print(const struct complaint *complaint, struct str *to)
{
	escape_name(to, complaint->file);
	if (complaint->line > 0)
		str_addf(to, ":%u:%u", complaint->line, complaint->column);
	str_add(to, ": ");
	escape_name(to, complaint->text);
}

void
complaint_print_as_ltrace(const struct complaint *complaint, struct str *to)
{
	escape_name(to, complaint->file);
	if (complaint->line > 0)
		str_addf(to, ":%u", complaint->line);
	str_add(to, ": error: ");
	escape_name(to, complaint->text);
}

/* Writes bytes so that a terminal shows each in one column and obeys none. */
static void
print_source(const char *source, struct str *to)
{
	for (size_t i = 0; source[i]; i++) {
		unsigned char c = (unsigned char)source[i];

		if (c == '\t' || (c >= ' ' && c < 0x7f))
			str_add_char(to, (char)c);
		else
			str_add_char(to, '?');
	}
}

void
complaint_print_with_caret(const struct complaint *complaint, struct str *to)
{
	const char *source = complaint->source;
	size_t before = complaint->column - complaint->source_column;

	complaint_print(complaint, to);
	str_add_char(to, '\n');
	if (!source)
		return;
	str_add(to, "  ");
	print_source(source, to);
	str_add(to, "\n  ");
	for (size_t i = 0; i < before && source[i]; i++)
		str_add_char(to, source[i] == '\t' ? '\t' : ' ');
	str_add(to, "^\n");
}
