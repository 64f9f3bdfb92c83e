/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * speedscope's file format
 * (https://www.speedscope.app/file-format-schema.json): a table of frames, and
 * for each thread a profile of samples. A sample is a stack of frame numbers
 * and a weight. A node with its own weight is a sample. Weight that belongs to
 * a process, or to the root (when there were too many stacks), is a profile of
 * its own.
 */
#include "base/escape.h"
#include "base/str.h"
#include "output/frames.h"
#include "output/jsonw.h"
#include "output/out.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"

#include <string.h>

struct speedscope {
	const struct tree *tree;
	enum look_weight by;
	struct out *out;
	struct str text, name;
	struct jsonw json;
};

static void
spill(struct speedscope *speedscope, size_t least)
{
	if (speedscope->text.length < least)
		return;
	out_write(speedscope->out, speedscope->text.text,
		  speedscope->text.length);
	out_flush(speedscope->out, true);
	str_clear(&speedscope->text);
}

static void
add_text(struct speedscope *speedscope, const char *key, const char *text)
{
	str_clear(&speedscope->name);
	escape_name(&speedscope->name, text);
	jsonw_key(&speedscope->json, key);
	jsonw_text(&speedscope->json, str_text(&speedscope->name),
		   speedscope->name.length);
}

static void
add_frame(struct speedscope *speedscope, const struct tree_label *label)
{
	struct jsonw *json = &speedscope->json;

	jsonw_open(json, '{');
	add_text(speedscope, "name",
		 label->function ? label->function : label->name);
	if (label->file)
		add_text(speedscope, "file", label->file);
	if (label->line) {
		jsonw_key(json, "line");
		jsonw_unsigned(json, label->line);
	}
	jsonw_close(json, '}');
	spill(speedscope, 32768);
}

/* The next node below top, in the order of the file. */
static const struct tree_node *
next_within(const struct tree_node *top, const struct tree_node *node)
{
	node = tree_next(node);
	return node && node->depth > top->depth ? node : NULL;
}

static void
add_stack(struct speedscope *speedscope, const struct tree_node *top,
	  const struct tree_node *node)
{
	uint32_t numbers[TREE_DEPTH_MOST];
	size_t count = 0;

	for (; node != top; node = node->outer)
		numbers[count++] = node->label->number;
	jsonw_open(&speedscope->json, '[');
	while (count-- > 0)
		jsonw_unsigned(&speedscope->json, numbers[count]);
	jsonw_close(&speedscope->json, ']');
	spill(speedscope, 32768);
}

/* Adds the samples of top and the nodes below it, or of top alone. */
static uint64_t
add_samples(struct speedscope *speedscope, const struct tree_node *top,
	    bool alone, bool weights)
{
	struct jsonw *json = &speedscope->json;
	uint64_t sum = 0;

	jsonw_key(json, weights ? "weights" : "samples");
	jsonw_open(json, '[');
	for (const struct tree_node *node = top; node;
	     node = alone ? NULL : next_within(top, node)) {
		uint64_t weight = tree_weight(node, speedscope->by);

		if (weight == 0)
			continue;
		sum += weight;
		if (weights)
			jsonw_unsigned(json, weight);
		else
			add_stack(speedscope, top, node);
	}
	jsonw_close(json, ']');
	return sum;
}

static void
add_profile(struct speedscope *speedscope, const struct tree_node *top,
	    const char *name, bool alone)
{
	static const char *const units[] = {
		[LOOK_WEIGHT_TIME] = "microseconds",
		[LOOK_WEIGHT_CALLS] = "none",
		[LOOK_WEIGHT_BYTES] = "bytes",
	};
	struct jsonw *json = &speedscope->json;
	uint64_t sum;

	jsonw_open(json, '{');
	jsonw_key(json, "type");
	jsonw_ascii(json, "sampled");
	add_text(speedscope, "name", name);
	jsonw_key(json, "unit");
	jsonw_ascii(json, units[speedscope->by]);
	jsonw_key(json, "startValue");
	jsonw_unsigned(json, 0);
	add_samples(speedscope, top, alone, false);
	sum = add_samples(speedscope, top, alone, true);
	jsonw_key(json, "endValue");
	jsonw_unsigned(json, sum);
	jsonw_close(json, '}');
}

static void
add_profiles(struct speedscope *speedscope)
{
	const struct tree_node *root = &speedscope->tree->root;
	struct str name;

	str_init(&name);
	for (const struct tree_node *process = root->inner; process;
	     process = process->next) {
		for (const struct tree_node *thread = process->inner; thread;
		     thread = thread->next) {
			str_clear(&name);
			str_addf(&name, "%s, %s", process->label->name,
				 thread->label->name);
			add_profile(speedscope, thread, name.text, false);
		}
		if (tree_weight(process, speedscope->by) > 0)
			add_profile(speedscope, process, process->label->name,
				    true);
	}
	if (!root->inner || tree_weight(root, speedscope->by) > 0)
		add_profile(speedscope, root, "other", true);
	str_release(&name);
}

static void
speedscope_write(const struct tree *tree, const struct look *look,
		 struct out *out)
{
	struct speedscope speedscope = { .tree = tree,
					 .by = look->weight,
					 .out = out };
	struct jsonw *json = &speedscope.json;

	jsonw_init(json, &speedscope.text);
	jsonw_open(json, '{');
	jsonw_key(json, "$schema");
	jsonw_ascii(json, "https://www.speedscope.app/file-format-schema.json");
	jsonw_key(json, "exporter");
	jsonw_ascii(json, "xtrace");
	jsonw_key(json, "shared");
	jsonw_open(json, '{');
	jsonw_key(json, "frames");
	jsonw_open(json, '[');
	for (size_t i = 0; i < tree->labels.count; i++)
		add_frame(&speedscope, tree->labels.at[i]);
	jsonw_close(json, ']');
	jsonw_close(json, '}');
	jsonw_key(json, "profiles");
	jsonw_open(json, '[');
	add_profiles(&speedscope);
	jsonw_close(json, ']');
	jsonw_close(json, '}');
	str_add_char(&speedscope.text, '\n');
	spill(&speedscope, 0);
	str_release(&speedscope.text);
	str_release(&speedscope.name);
}

static const struct tree_form form = { "speedscope", speedscope_write };

struct sink *
speedscope_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &form);
}
