/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The format of callgrind_annotate and kcachegrind (the Valgrind manual,
 * "Callgrind Format Specification"). It has functions with their own costs at
 * lines, and calls between functions with the cost of all inner calls. A reader
 * adds everything that the file says about a function in several places.
 * Therefore each node of the tree is written separately:
 *
 *	fl=(2) user.py
 *	fn=(3) find			the node
 *	42 0 0				its own cost, if it has one
 *	cfl=(1) ???
 *	cfn=(4) mysql_real_query	an inner node
 *	calls=12 0
 *	42 1523 12			with all of its inner nodes
 *
 * The line is the line of the script if it is known, else 0. A name is written
 * with a number at its first use, and later as the number only.
 */
#include "base/escape.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/out.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"

#include <stdio.h>
#include <stdlib.h>

struct costs {
	uint64_t weights[LOOK_WEIGHTS];
};

struct callgrind {
	struct out *out;
	struct str text;
	/* name -> the number that was given to it, as a pointer */
	struct strmap files, functions;
	size_t file_count, function_count;
	struct costs *within; /* indexed by the node's number */
	bool bytes;
};

static void
spill(struct callgrind *callgrind)
{
	out_write(callgrind->out, callgrind->text.text, callgrind->text.length);
	out_flush(callgrind->out, true);
	str_clear(&callgrind->text);
}

static void
sum_costs(struct callgrind *callgrind, const struct tree *tree)
{
	const struct tree_node **nodes =
		xcalloc(tree->node_count, sizeof(*nodes));

	callgrind->within =
		xcalloc(tree->node_count, sizeof(*callgrind->within));
	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node)) {
		nodes[node->number] = node;
		for (unsigned by = 0; by < LOOK_WEIGHTS; by++)
			callgrind->within[node->number].weights[by] =
				tree_weight(node, by);
	}
	/* Inner nodes have higher numbers than their outer nodes. */
	for (size_t i = tree->node_count - 1; i > 0; i--) {
		uint32_t outer = nodes[i]->outer->number;

		for (unsigned by = 0; by < LOOK_WEIGHTS; by++)
			callgrind->within[outer].weights[by] +=
				callgrind->within[i].weights[by];
	}
	free(nodes);
}

static void
add_name(struct callgrind *callgrind, const char *key, const char *name,
	 struct strmap *names, size_t *count)
{
	size_t number = (size_t)(uintptr_t)strmap_get(names, name);

	str_addf(&callgrind->text, "%s=", key);
	if (number > 0) {
		str_addf(&callgrind->text, "(%zu)\n", number);
		return;
	}
	strmap_put(names, name, (void *)(uintptr_t)++ * count);
	str_addf(&callgrind->text, "(%zu) ", *count);
	escape_name(&callgrind->text, name);
	str_add_char(&callgrind->text, '\n');
}

/* Adds the lines fl= and fn= of a node, or cfl= and cfn= of an inner node. */
static void
add_function(struct callgrind *callgrind, const char *prefix,
	     const struct tree_label *label)
{
	const char *file = label && label->file ? label->file : "???";
	const char *function = !label		 ? "all"
			       : label->function ? label->function
						 : label->name;
	char key[8];

	snprintf(key, sizeof(key), "%sfl", prefix);
	add_name(callgrind, key, file, &callgrind->files,
		 &callgrind->file_count);
	snprintf(key, sizeof(key), "%sfn", prefix);
	add_name(callgrind, key, function, &callgrind->functions,
		 &callgrind->function_count);
}

static void
add_costs(struct callgrind *callgrind, const uint64_t *weights)
{
	str_addf(&callgrind->text, " %lu %lu", weights[LOOK_WEIGHT_TIME],
		 weights[LOOK_WEIGHT_CALLS]);
	if (callgrind->bytes)
		str_addf(&callgrind->text, " %lu", weights[LOOK_WEIGHT_BYTES]);
	str_add_char(&callgrind->text, '\n');
}

static unsigned
line_of(const struct tree_node *node)
{
	return node->label ? node->label->line : 0;
}

static void
add_call(struct callgrind *callgrind, const struct tree_node *node)
{
	const struct costs *within = &callgrind->within[node->number];
	uint64_t calls = tree_weight(node, LOOK_WEIGHT_CALLS);

	/* How often a frame was entered is not known; the number of calls
	 * within it is taken instead. */
	if (calls == 0)
		calls = within->weights[LOOK_WEIGHT_CALLS];
	add_function(callgrind, "c", node->label);
	str_addf(&callgrind->text, "calls=%lu %u\n%u", calls, line_of(node),
		 line_of(node->outer));
	add_costs(callgrind, within->weights);
}

static void
add_node(struct callgrind *callgrind, const struct tree_node *node)
{
	uint64_t own[LOOK_WEIGHTS];

	str_add_char(&callgrind->text, '\n');
	add_function(callgrind, "", node->label);
	str_addf(&callgrind->text, "%u", line_of(node));
	for (unsigned by = 0; by < LOOK_WEIGHTS; by++)
		own[by] = tree_weight(node, by);
	add_costs(callgrind, own);
	for (const struct tree_node *inner = node->inner; inner;
	     inner = inner->next)
		add_call(callgrind, inner);
	spill(callgrind);
}

static void
callgrind_write(const struct tree *tree, const struct look *look,
		struct out *out)
{
	struct callgrind callgrind = {
		.out = out, .bytes = look->weight == LOOK_WEIGHT_BYTES
	};

	strmap_init(&callgrind.files);
	strmap_init(&callgrind.functions);
	sum_costs(&callgrind, tree);
	str_addf(&callgrind.text,
		 "# callgrind format\nversion: 1\ncreator: xtrace\n"
		 "cmd: %s\npositions: line\nevents: us calls%s\nsummary:",
		 tree->root.inner ? tree->root.inner->label->name : "-",
		 callgrind.bytes ? " bytes" : "");
	add_costs(&callgrind, callgrind.within[0].weights);
	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node))
		add_node(&callgrind, node);
	str_add(&callgrind.text, "\ntotals:");
	add_costs(&callgrind, callgrind.within[0].weights);
	spill(&callgrind);
	free(callgrind.within);
	strmap_release(&callgrind.files);
	strmap_release(&callgrind.functions);
	str_release(&callgrind.text);
}

static const struct tree_form form = { "callgrind", callgrind_write };

struct sink *
callgrind_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &form);
}
