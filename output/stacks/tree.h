/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tree of stacks: one node for each function in each stack, with its own
 * weight. Stacks share their outer frames, and all calls from one place share a
 * node, so memory grows with the number of different stacks and not of calls.
 * The number and the depth of nodes are limited: if a further node is needed,
 * its outer node is used instead, which keeps the sums and loses a name.
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

/* The most nodes of a tree. They take about 50 MB with their labels and the
 * map. */
#define TREE_NODES_MOST (1u << 18)
#define TREE_DEPTH_MOST 500u

enum tree_kind {
	TREE_OTHER, /* a name in a file that another program has written */
	TREE_PROCESS,
	TREE_THREAD,
	TREE_CALL,
	TREE_FRAME, /* a frame of a stack (-w) */
};

/* The name of a node, shared by all nodes with this name. */
struct tree_label {
	const char *name; /* without ';', escaped by escape_name() */
	enum tree_kind kind;
	/* For a TREE_FRAME: the parts of the name; NULL and 0 if unknown. */
	const char *function;
	const char *file;
	unsigned line;
	/* For a TREE_CALL: the function's name in the symbol table. */
	const char *symbol;
	/* module of a call or a native frame; NULL if unknown */
	const char *module;
	uint32_t number; /* index in tree.labels */
};

struct tree_node {
	const struct tree_label *label; /* NULL: the root */
	struct tree_node *outer;
	struct tree_node *inner; /* the node's first inner node */
	struct tree_node *next;	 /* the next inner node of `outer` */
	uint32_t number;	 /* the node's number; the root has 0 */
	unsigned depth;		 /* the root has 0 */
	/* The node's own weight, by enum look_weight: nanoseconds, calls,
	 * bytes. Errors of measurement may make the nanoseconds negative. */
	int64_t self[LOOK_WEIGHTS];
};

struct tree {
	struct arena arena;
	struct tree_node root;
	struct map nodes;      /* outer and label -> node */
	struct strmap by_name; /* name -> struct tree_label */
	vec_of(const struct tree_label *) labels;
	size_t node_count;     /* how many nodes there are, with the root */
	size_t node_most;      /* TREE_NODES_MOST, unless changed */
	uint64_t began, ended; /* clock_now() of the first and last event */
	struct str scratch;
};

void tree_init(struct tree *tree);
void tree_release(struct tree *tree);

/*
 * The node below outer with label->name. label is copied; of several labels
 * with one name the first is kept. label->number is ignored.
 */
struct tree_node *tree_within(struct tree *tree, struct tree_node *outer,
			      const struct tree_label *label);
/* The node below outer whose label has this name, which is taken from another
 * node; NULL: there is none. */
const struct tree_node *tree_find(const struct tree *tree,
				  const struct tree_node *outer,
				  const char *name);
/* Makes a node that cannot be reached from the root. Nodes below it are in no
 * picture until they are moved. */
struct tree_node *tree_apart(struct tree *tree);
/* True if node has this name. */
bool tree_is_called(const struct tree_node *node, const char *name);

/* The own weight of node in the units of a file: time in microseconds, which is
 * at least 1 if the node has calls, so that no call is missing in a file. */
uint64_t tree_weight(const struct tree_node *node, enum look_weight weight);

/* The next node, outer before inner ones. Begins with the root; NULL at the
 * end. */
struct tree_node *tree_next(const struct tree_node *node);

#endif
