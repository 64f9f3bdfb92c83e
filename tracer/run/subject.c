/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words of the command line are joined by blanks and not quoted, because a
 * title is not run by a shell. The sink that writes the title escapes
 * characters that have a meaning in its format.
 */
#include "tracer/run/subject.h"

#include "base/str.h"
#include "tracer/options/options.h"

#include <stdio.h>

#define TITLE_MOST 160 /* bytes; a longer one is wider than most windows */

/* Adds the command line of a process, whose words end with NULs (proc(5),
 * /proc/pid/cmdline). */
static void
add_command_of(struct str *to, pid_t pid)
{
	char path[64], bytes[TITLE_MOST + 1];
	size_t count;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	file = fopen(path, "re");
	if (!file)
		return;
	count = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	for (size_t i = 0; i < count; i++) {
		if (bytes[i] || i + 1 < count)
			str_add_char(to, bytes[i] ? bytes[i] : ' ');
	}
}

char *
subject_text(const struct options *options)
{
	struct str text = { 0 };

	if (options->command && options->pids.count == 0) {
		for (char **word = options->command; *word; word++)
			str_addf(&text, "%s%s", text.length ? " " : "", *word);
	} else if (!options->command && options->pids.count == 1) {
		add_command_of(&text, options->pids.at[0]);
	}
	if (text.length == 0)
		return NULL;
	if (text.length > TITLE_MOST) {
		str_cut(&text, TITLE_MOST);
		str_add(&text, "...");
	}
	return str_take(&text);
}
