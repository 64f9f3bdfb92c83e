/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Perl's operations. An operation that begins a statement (a COP) has a file
 * and a line.
 *
 * Offsets of struct op and struct cop: op.h and cop.h, the same in Perl 5.26 to
 * 5.42. The numbers of operations differ: the interpreter's own table of their
 * names (PL_op_name) tells them.
 */
#ifndef STACKS_PERL_OPS_H
#define STACKS_PERL_OPS_H

#include "base/arena.h"
#include "stacks/peek.h"

struct perl_optable {
	addr_t names; /* PL_op_name */
	unsigned nextstate, dbstate, entereval;
	/*
	 * true: a COP has the name of its file; false: it has a glob for the
	 * file
	 */
	bool threaded;
};

/* Reads PL_op_name; returns false if an operation is not in it. */
must_check bool perl_ops_find(struct peek *peek, addr_t names,
			      struct perl_optable *ops);

/* Does the operation at the address seem to begin a statement? */
bool perl_is_cop(struct peek *peek, const struct perl_optable *ops, addr_t at);

unsigned perl_line(struct peek *peek, addr_t cop);
/* The file of a COP, as a text in the arena; NULL if there is none. */
const char *perl_file(struct peek *peek, const struct perl_optable *ops,
		      addr_t cop, struct arena *arena);

/* What an operation may do with the innermost context. */
enum perl_passage { PERL_UNKNOWN, PERL_ENTERS, PERL_LEAVES };

enum perl_passage perl_passage(struct peek *peek,
			       const struct perl_optable *ops, addr_t op);

/*
 * The last statement that begins before op, in the tree of operations that
 * follows cop. Statements that were merged into one tree, such as the condition
 * of an elsif, leave an operation at their beginning that has their line.
 * is_after: op is not the operation that runs but the next one. Returns cop
 * itself if nothing better is found.
 */
addr_t perl_closest_cop(struct peek *peek, const struct perl_optable *ops,
			addr_t cop, addr_t op, bool is_after);

#endif
