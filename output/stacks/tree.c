/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Labels and nodes are numbered and are in one arena. A single map finds a node
 * by the numbers of its outer node and its label, so that a node needs no map
 * of its own.
 *
 * In a name, ';' becomes ',' and a newline becomes a space, because both have a
 * meaning in the folded format: two different stacks here would become the same
 * line there. Characters that a terminal would obey are escaped here for all
 * forms of a tree.
 */
#include "output/stacks/tree.h"

#include "base/escape.h"
#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

void
tree_init(struct tree *tree)
{
	*tree = (struct tree){
		.node_count = 1,
		.node_most = TREE_NODES_MOST,
	};
	arena_init(&tree->arena);
	map_init(&tree->nodes);
	strmap_init(&tree->by_name);
	str_init(&tree->scratch);
}

void
tree_release(struct tree *tree)
{
	map_release(&tree->nodes);
	strmap_release(&tree->by_name);
	vec_release(&tree->labels);
	str_release(&tree->scratch);
	arena_release(&tree->arena);
}

static bool
is_safe(const char *name)
{
	return !strchr(name, ';') && escape_spares(name, strlen(name));
}

static void
add_safe(struct str *to, const char *name)
{
	for (;;) {
		size_t length = strcspn(name, ";\n");

		escape_name_bytes(to, name, length);
		if (!name[length])
			return;
		str_add_char(to, name[length] == ';' ? ',' : ' ');
		name += length + 1;
	}
}

static const char *
safe_name(struct tree *tree, const char *name)
{
	if (is_safe(name))
		return name;
	str_clear(&tree->scratch);
	add_safe(&tree->scratch, name);
	return str_text(&tree->scratch);
}

static const char *
keep(struct tree *tree, const char *text)
{
	return text ? arena_strdup(&tree->arena, text) : NULL;
}

static const struct tree_label *
label_kept(struct tree *tree, const char *name, const struct tree_label *from)
{
	struct tree_label *label =
		arena_alloc(&tree->arena, sizeof(struct tree_label));

	*label = *from;
	label->name = keep(tree, name);
	label->function = keep(tree, from->function);
	label->file = keep(tree, from->file);
	label->symbol = keep(tree, from->symbol);
	label->module = keep(tree, from->module);
	label->number = (uint32_t)tree->labels.count;
	vec_push(&tree->labels, label);
	strmap_put(&tree->by_name, name, label);
	return label;
}

static uint64_t
key_of(const struct tree_node *outer, const struct tree_label *label)
{
	return (uint64_t)outer->number << 32 | label->number;
}

struct tree_node *
tree_apart(struct tree *tree)
{
	struct tree_node *node =
		arena_zalloc(&tree->arena, sizeof(struct tree_node));

	node->number = (uint32_t)tree->node_count++;
	return node;
}

static struct tree_node *
node_new(struct tree *tree, struct tree_node *outer,
	 const struct tree_label *label)
{
	struct tree_node *node = tree_apart(tree);

	node->label = label;
	node->outer = outer;
	node->next = outer->inner;
	outer->inner = node;
	node->depth = outer->depth + 1;
	map_put(&tree->nodes, key_of(outer, label), node);
	return node;
}

struct tree_node *
tree_within(struct tree *tree, struct tree_node *outer,
	    const struct tree_label *from)
{
	const char *name = safe_name(tree, from->name);
	const struct tree_label *label = strmap_get(&tree->by_name, name);
	struct tree_node *node =
		label ? map_get(&tree->nodes, key_of(outer, label)) : NULL;

	if (node)
		return node;
	if (tree->node_count == tree->node_most ||
	    outer->depth == TREE_DEPTH_MOST)
		return outer;
	if (!label)
		label = label_kept(tree, name, from);
	return node_new(tree, outer, label);
}

const struct tree_node *
tree_find(const struct tree *tree, const struct tree_node *outer,
	  const char *name)
{
	const struct tree_label *label = strmap_get(&tree->by_name, name);

	return label ? map_get(&tree->nodes, key_of(outer, label)) : NULL;
}

bool
tree_is_called(const struct tree_node *node, const char *name)
{
	const char *have = node->label ? node->label->name : "";
	struct str safe = { 0 };
	bool same;

	if (is_safe(name))
		return strcmp(have, name) == 0;
	add_safe(&safe, name);
	same = strcmp(have, str_text(&safe)) == 0;
	str_release(&safe);
	return same;
}

uint64_t
tree_weight(const struct tree_node *node, enum look_weight weight)
{
	uint64_t self =
		node->self[weight] > 0 ? (uint64_t)node->self[weight] : 0;

	if (weight != LOOK_WEIGHT_TIME)
		return self;
	if (self < 1000)
		return node->self[LOOK_WEIGHT_CALLS] > 0 || self >= 500;
	return (self + 500) / 1000;
}

struct tree_node *
tree_next(const struct tree_node *node)
{
	if (node->inner)
		return node->inner;
	while (node && !node->next)
		node = node->outer;
	return node ? node->next : NULL;
}
