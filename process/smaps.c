/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mapping is a line as in /proc/PID/maps, and lines of what is known of it:
 *
 *	7f0ad4000000-7f0ad4021000 rw-p 00000000 08:02 135522    /usr/lib/libc.so
 *	Rss:                 132 kB
 *
 * The kernel writes a name with a line feed as \012, so a name is one line.
 */
#include "process/smaps.h"

#include "base/fd.h"
#include "base/map.h"
#include "process/status.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
compare_files(const void *one, const void *other)
{
	const struct smaps_file *a = one, *b = other;

	if (a->resident != b->resident)
		return a->resident < b->resident ? 1 : -1;
	if (a->mapped != b->mapped)
		return a->mapped < b->mapped ? 1 : -1;
	return strcmp(a->name, b->name);
}

/* The index of the file of that name, which is added if it is new. */
static size_t
file_of(struct smaps *smaps, struct strmap *by_name, const char *name)
{
	void **place = strmap_place(by_name, name);
	struct smaps_file file = { 0 };

	if (*place)
		return (uintptr_t)*place - 1;
	file.name = arena_strdup(&smaps->arena, name);
	vec_push(&smaps->files, file);
	*place = (void *)(uintptr_t)smaps->files.count;
	return smaps->files.count - 1;
}

void
smaps_parse(struct smaps *smaps, char *text)
{
	struct strmap by_name;
	size_t file = SIZE_MAX;
	char *line;

	strmap_init(&by_name);
	while ((line = strsep(&text, "\n")) != NULL) {
		uint64_t start, end, kilobytes;
		int name = 0;

		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s %n",
			   &start, &end, &name) == 2 &&
		    name > 0 && end > start) {
			file = file_of(smaps, &by_name, line + name);
			smaps->files.at[file].mapped += end - start;
		} else if (file != SIZE_MAX &&
			   sscanf(line, "Rss: %" SCNu64 " kB", &kilobytes) ==
				   1) {
			smaps->files.at[file].resident += kilobytes * 1024;
		}
	}
	strmap_release(&by_name);
	vec_sort(&smaps->files, compare_files);
}

int
smaps_read(struct smaps *smaps, pid_t pid)
{
	cleanup(freep) char *text = NULL;
	char path[64];
	size_t length;
	int r;

	*smaps = (struct smaps){ 0 };
	arena_init(&smaps->arena);
	snprintf(path, sizeof(path), "/proc/%d/smaps", status_living(pid));
	r = fd_read_file(path, &text, &length);
	if (r < 0)
		return r == -ENOENT ? -ESRCH : r;
	if (length == 0)
		return -ESRCH;
	smaps_parse(smaps, text);
	return 0;
}

void
smaps_release(struct smaps *smaps)
{
	vec_release(&smaps->files);
	arena_release(&smaps->arena);
}
