/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of languages.def as data, and what can be made from them alone. The
 * kinds of frames follow FRAME_NATIVE in the order of the rows, so a kind is
 * the index of its language in the tables.
 *
 * A file is compared with the packages of all languages, not only with those of
 * its frame's language, because some folders (vendor/, gems/) contain packages
 * of several languages.
 */
#include "stacks/languages.h"

#include "stacks/source_parts.h"

#include <string.h>

const struct source_ops *const source_languages[FRAME_KINDS] = {
#define LANGUAGE(KIND, name, versions) [FRAME_##KIND] = &name##_ops,
#include "stacks/languages.def"
};

const char *
frame_kind_name(enum frame_kind kind)
{
	static const char *const names[FRAME_KINDS] = {
		[FRAME_NATIVE] = "native",
#define LANGUAGE(KIND, name, versions) [FRAME_##KIND] = #name,
#include "stacks/languages.def"
	};

	return names[kind];
}

static bool
is_in_one_of(const char *file, const char *const *places)
{
	for (; *places; places++) {
		if (strstr(file, *places))
			return true;
	}
	return false;
}

bool
file_is_packaged(const char *file)
{
	/* Code without a file: <frozen os>, <internal:gc>. */
	if (file[0] == '<')
		return true;
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++) {
		if (is_in_one_of(file, source_languages[kind]->packages))
			return true;
	}
	return false;
}
