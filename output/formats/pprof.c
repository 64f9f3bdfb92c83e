/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * pprof's profile.proto (github.com/google/pprof, proto/profile.proto), without
 * compression, which its readers accept, too. A node of the tree with its own
 * weight is a sample. A label is a location and a function; both have the
 * label's number, from 1.
 *
 * A sample has two values, calls and microseconds, and with --weight bytes a
 * third, bytes. The weight that --weight selects is the default in pprof. Each
 * field of the file is written as soon as it is complete.
 */
#include "base/escape.h"
#include "base/str.h"
#include "output/out.h"
#include "output/formats/protobuf.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"

#include <string.h>

/* The fields of the messages. */
enum {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRINGS = 6,
	PROFILE_DEFAULT_TYPE = 14,
	TYPE_KIND = 1,
	TYPE_UNIT = 2,
	SAMPLE_LOCATIONS = 1,
	SAMPLE_VALUES = 2,
	LOCATION_ID = 1,
	LOCATION_LINE = 4,
	LINE_FUNCTION = 1,
	LINE_NUMBER = 2,
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4
};

/* The first strings of the table. After them, each label has two. */
static const char *const words[] = { "",     "calls",	     "count",
				     "time", "microseconds", "bytes",
				     "other" };
enum {
	WORD_CALLS = 1,
	WORD_COUNT,
	WORD_TIME,
	WORD_MICROSECONDS,
	WORD_BYTES,
	WORD_OTHER
};

struct pprof {
	const struct tree *tree;
	struct out *out;
	struct str message, part, inner;
	bool bytes;
};

static void
put(struct pprof *pprof, unsigned field)
{
	struct str whole;

	str_init(&whole);
	protobuf_add_str(&whole, field, &pprof->message);
	out_write(pprof->out, whole.text, whole.length);
	out_flush(pprof->out, true);
	str_release(&whole);
	str_clear(&pprof->message);
}

static void
put_type(struct pprof *pprof, unsigned kind, unsigned unit)
{
	protobuf_add_number(&pprof->message, TYPE_KIND, kind);
	protobuf_add_number(&pprof->message, TYPE_UNIT, unit);
	put(pprof, PROFILE_SAMPLE_TYPE);
}

/* Only the root has no label. It has the weight of the nodes that were too
 * many. */
static void
put_sample(struct pprof *pprof, const struct tree_node *node)
{
	str_clear(&pprof->part);
	for (const struct tree_node *at = node; at->label; at = at->outer)
		protobuf_add_packed(&pprof->part, at->label->number + 2);
	if (!node->label)
		protobuf_add_packed(&pprof->part, 1);
	protobuf_add_str(&pprof->message, SAMPLE_LOCATIONS, &pprof->part);
	str_clear(&pprof->part);
	protobuf_add_packed(&pprof->part, tree_weight(node, LOOK_WEIGHT_CALLS));
	protobuf_add_packed(&pprof->part, tree_weight(node, LOOK_WEIGHT_TIME));
	if (pprof->bytes)
		protobuf_add_packed(&pprof->part,
				    tree_weight(node, LOOK_WEIGHT_BYTES));
	protobuf_add_str(&pprof->message, SAMPLE_VALUES, &pprof->part);
	put(pprof, PROFILE_SAMPLE);
}

static void
put_location(struct pprof *pprof, uint64_t id, unsigned line)
{
	str_clear(&pprof->part);
	protobuf_add_number(&pprof->part, LINE_FUNCTION, id);
	protobuf_add_number(&pprof->part, LINE_NUMBER, line);
	protobuf_add_number(&pprof->message, LOCATION_ID, id);
	protobuf_add_str(&pprof->message, LOCATION_LINE, &pprof->part);
	put(pprof, PROFILE_LOCATION);
}

static void
put_function(struct pprof *pprof, uint64_t id, uint64_t name, uint64_t file)
{
	protobuf_add_number(&pprof->message, FUNCTION_ID, id);
	protobuf_add_number(&pprof->message, FUNCTION_NAME, name);
	protobuf_add_number(&pprof->message, FUNCTION_SYSTEM_NAME, name);
	protobuf_add_number(&pprof->message, FUNCTION_FILE, file);
	put(pprof, PROFILE_FUNCTION);
}

static void
put_string(struct pprof *pprof, const char *text)
{
	escape_name(&pprof->message, text);
	put(pprof, PROFILE_STRINGS);
}

static void
put_labels(struct pprof *pprof)
{
	const struct tree *tree = pprof->tree;
	uint64_t first = array_size(words);

	put_location(pprof, 1, 0);
	put_function(pprof, 1, WORD_OTHER, 0);
	for (size_t i = 0; i < tree->labels.count; i++) {
		const struct tree_label *label = tree->labels.at[i];

		put_location(pprof, i + 2, label->line);
		put_function(pprof, i + 2, first + 2 * i,
			     label->file ? first + 2 * i + 1 : 0);
	}
	for (size_t i = 0; i < array_size(words); i++)
		put_string(pprof, words[i]);
	for (size_t i = 0; i < tree->labels.count; i++) {
		const struct tree_label *label = tree->labels.at[i];

		put_string(pprof,
			   label->function ? label->function : label->name);
		put_string(pprof, label->file ? label->file : "");
	}
}

static bool
weighs(const struct tree_node *node)
{
	return node->self[LOOK_WEIGHT_CALLS] || node->self[LOOK_WEIGHT_TIME];
}

static void
pprof_write(const struct tree *tree, const struct look *look, struct out *out)
{
	static const unsigned shown[] = { [LOOK_WEIGHT_TIME] = WORD_TIME,
					  [LOOK_WEIGHT_CALLS] = WORD_CALLS,
					  [LOOK_WEIGHT_BYTES] = WORD_BYTES };
	struct pprof pprof = { .tree = tree,
			       .out = out,
			       .bytes = look->weight == LOOK_WEIGHT_BYTES };

	put_type(&pprof, WORD_CALLS, WORD_COUNT);
	put_type(&pprof, WORD_TIME, WORD_MICROSECONDS);
	if (pprof.bytes)
		put_type(&pprof, WORD_BYTES, WORD_BYTES);
	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node)) {
		if (weighs(node))
			put_sample(&pprof, node);
	}
	put_labels(&pprof);
	protobuf_add_number(&pprof.inner, PROFILE_DEFAULT_TYPE,
			    shown[look->weight]);
	out_write(out, pprof.inner.text, pprof.inner.length);
	str_release(&pprof.message);
	str_release(&pprof.part);
	str_release(&pprof.inner);
}

static const struct tree_form form = { "pprof", pprof_write };

struct sink *
pprof_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &form);
}
