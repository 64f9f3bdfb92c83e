/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of languages.def as data, and what can be made from them alone. The
 * kinds of frames follow FRAME_NATIVE in the order of the rows, so a kind is
 * the index of its language in the tables.
 */
#include "stacks/languages.h"

#include "stacks/source_parts.h"

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
