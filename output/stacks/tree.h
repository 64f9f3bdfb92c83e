/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of stacks: a node for each function under each stack, with what it
 * weighs by itself. Many stacks share their outer frames and all calls from
 * one place share a node, so memory grows with the number of different stacks
 * and not of calls. It is bounded: a node that would be one too many, or too
 * deep, is its outer one instead, which keeps the sums and loses a name.
 */
#ifndef OUTPUT_STACKS_TREE_H
#define OUTPUT_STACKS_TREE_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "output/look.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* With their labels and the map about 50 MB. */
#define TREE_NODES_MOST (1u << 18)
#define TREE_DEPTH_MOST 500u

enum tree_kind {
	TREE_OTHER, /* of a file that somebody else wrote */
	TREE_PROCESS,
	TREE_THREAD,
	TREE_CALL,
	TREE_FRAME, /* of a stack (-w) */
};

/* What a node is called; one for all nodes that are called the same. */
struct tree_label {
	const char *name; /* without ';', as escape_name() has it */
	enum tree_kind kind;
	/* Of a TREE_FRAME: the parts of the name, NULL and 0 where unknown. */
	const char *function;
	const char *file;
	unsigned line;
	uint32_t number; /* its place in tree.labels */
};

struct tree_node {
	const struct tree_label *label; /* NULL: the root */
	struct tree_node *outer;
	struct tree_node *inner; /* the first one; */
	struct tree_node *next;	 /* its siblings */
	uint32_t number;	 /* from 0, the root */
	unsigned depth;		 /* of the root 0 */
	/* Of its own, by enum look_weight: nanoseconds, calls, bytes. */
	uint64_t self[LOOK_WEIGHTS];
};

struct tree {
	struct arena arena;
	struct tree_node root;
	struct map nodes;      /* outer and label -> node */
	struct strmap by_name; /* name -> struct tree_label */
	vec_of(const struct tree_label *) labels;
	size_t node_count; /* with the root */
	size_t node_most;  /* TREE_NODES_MOST, unless changed */
	struct str scratch;
};

void tree_init(struct tree *tree);
void tree_release(struct tree *tree);

/*
 * The node that is called label->name within outer. label is copied, and of
 * those of one name the first is kept; its number is not looked at.
 */
struct tree_node *tree_within(struct tree *tree, struct tree_node *outer,
			      const struct tree_label *label);
/* A node of its own, which is not to be found from the root: what is within it
 * is in no picture until it is put elsewhere. */
struct tree_node *tree_apart(struct tree *tree);
/* Is that the name of node? */
bool tree_is_called(const struct tree_node *node, const char *name);

/* What node weighs by itself, as it is written: time in microseconds. */
uint64_t tree_weight(const struct tree_node *node, enum look_weight weight);

/* The next node, outer ones first, beginning with the root; NULL at the end. */
struct tree_node *tree_next(const struct tree_node *node);

#endif
