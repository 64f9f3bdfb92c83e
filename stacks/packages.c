/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Packages lie in folders with known names, which each language lists in its
 * struct source_ops. A file is compared with the folders of all languages, not
 * only with those of its frame's language, because some folders (vendor/,
 * gems/) contain packages of several languages.
 */
#include "stacks/packages.h"

#include "stacks/source_parts.h"

#include <ctype.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

/* The end of the last `part` in the path, or NULL. */
static const char *
last_end(const char *path, const char *part)
{
	const char *end = NULL;

	while ((path = strstr(path, part)) != NULL) {
		path += strlen(part);
		end = path;
	}
	return end;
}

/* The length of a folder's name without a version: "rack-2.2.6" has 4. */
static size_t
without_version(const char *name, size_t length)
{
	for (size_t i = 1; i + 1 < length; i++) {
		if (name[i] == '-' && isdigit((unsigned char)name[i + 1]))
			return i;
	}
	return length;
}

/* The first part of the path's rest that is no version ("3.11", "python3"):
 * a folder, or a file without its extension. */
static const char *
first_name(const char *rest, struct arena *arena)
{
	const char *slash;

	while ((slash = strchr(rest, '/')) != NULL &&
	       !(isalpha((unsigned char)*rest) || *rest == '_'))
		rest = slash + 1;
	return arena_strndup(arena, rest,
			     without_version(rest,
					     strcspn(rest, slash ? "/" : ".")));
}

static const char *
installed(const char *file, struct arena *arena)
{
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++) {
		const char *const *places = source_languages[kind]->packages;

		for (; *places; places++) {
			const char *rest = last_end(file, *places);

			if (rest)
				return first_name(rest, arena);
		}
	}
	return NULL;
}

/* The name of the first folder in the path that matches the pattern, in the
 * arena; or NULL. */
static const char *
matching_folder(const char *pattern, const char *path, struct arena *arena)
{
	char name[NAME_MAX + 1];
	const char *slash;

	for (; (slash = strchr(path, '/')) != NULL; path = slash + 1) {
		snprintf(name, sizeof(name), "%.*s", (int)(slash - path), path);
		if (*name && fnmatch(pattern, name, 0) == 0)
			return arena_strdup(arena, name);
	}
	return NULL;
}

/* The name of the folder that contains the file. */
static const char *
folder_of(const char *file, struct arena *arena)
{
	const char *end = strrchr(file, '/'), *name = end;

	while (name && name > file && name[-1] != '/')
		name--;
	return name ? arena_strndup(arena, name, (size_t)(end - name)) : file;
}

static const char *
matched(const struct package_pattern *pattern, const char *file,
	struct arena *arena)
{
	if (!strchr(pattern->text, '/'))
		return matching_folder(pattern->text, file, arena);
	return fnmatch(pattern->text, file, 0) == 0 ? folder_of(file, arena)
						    : NULL;
}

const char *
package_of(struct packages *packages, const char *file, struct arena *arena)
{
	for (size_t i = 0; packages && i < packages->patterns.count; i++) {
		struct package_pattern *pattern = &packages->patterns.at[i];
		const char *name = matched(pattern, file, arena);

		if (name) {
			pattern->found = true;
			return name;
		}
	}
	/* The name of code without a file: <frozen os>, <internal:gc>. */
	return file[0] == '<' ? file : installed(file, arena);
}
