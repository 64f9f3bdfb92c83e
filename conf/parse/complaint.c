/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Complaints are collected while a file is parsed and printed by whoever
 * decides to, in the form compilers made familiar:
 *
 *	libc.conf:12:7: expected ')' before 'int'
 *	  int f(char int);
 *	             ^
 *
 * The line is kept with the complaint, because the file is gone by then. It
 * comes from a file that may hold anything, so what a terminal might obey is
 * shown as '?', and a tab stays a tab in both lines, so that the caret stands
 * right whatever a tab is worth. A long line is shown round its caret.
 */
#include "conf/complaint.h"

#include <ctype.h>
#include <stdio.h>

#define LINE_SHOWN 160u

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
complaint_print(const struct complaint *complaint, struct str *to)
{
	str_add(to, complaint->file);
	if (complaint->line > 0)
		str_addf(to, ":%u:%u", complaint->line, complaint->column);
	str_addf(to, ": %s", complaint->text);
}

/* The bytes from first on as they may go to a terminal, in one column each. */
static void
print_source(const char *source, size_t first, size_t count, struct str *to)
{
	for (size_t i = first; i < first + count && source[i]; i++) {
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
	size_t before = complaint->column ? complaint->column - 1 : 0;
	size_t first = 0;

	complaint_print(complaint, to);
	str_add_char(to, '\n');
	if (!source)
		return;
	if (before > strlen(source))
		before = strlen(source);
	if (before > LINE_SHOWN / 2)
		first = before - LINE_SHOWN / 2;
	str_add(to, "  ");
	print_source(source, first, LINE_SHOWN, to);
	str_add(to, "\n  ");
	for (size_t i = first; i < before; i++)
		str_add_char(to, source[i] == '\t' ? '\t' : ' ');
	str_add(to, "^\n");
}
