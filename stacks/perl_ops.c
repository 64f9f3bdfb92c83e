/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The statement that is being executed is found as caller() and warn() find it:
 * by a search of the operations that follow the last COP. A budget bounds the
 * cost of a damaged tree.
 */
#include "stacks/perl_ops.h"

#include "stacks/perl_text.h"

#define NAMES_MOST 1024u
#define SEARCH_MOST 3000u
#define DEPTH_MOST 60u

enum {
	OP_NEXT = 0,
	OP_SIBLING = 8,
	OP_TARGET = 24,
	OP_BITS = 32,
	OP_FLAGS = 34,
	OP_SIZE = 40, /* size of an operation without kids */
	OP_FIRST = 40,
	COP_LINE = 36,
	COP_FILE = 48,
};

#define BITS_TYPE 0x1ffu
#define BITS_MORE_SIBLINGS 0x4000u
#define FLAG_KIDS 0x04u
#define OP_NULL 0u

bool
perl_ops_find(struct peek *peek, addr_t names, struct perl_optable *ops)
{
	static const char wanted[][12] = { "nextstate", "dbstate",
					   "entereval" };
	unsigned found[array_size(wanted)] = { 0 };
	char name[sizeof(wanted[0])];

	for (unsigned i = 0; i < NAMES_MOST; i++) {
		addr_t at = peek_u64(peek, names + 8 * (addr_t)i);

		if (!at || !peek_bytes(peek, at, name, sizeof(name)))
			break;
		for (size_t k = 0; k < array_size(wanted); k++) {
			if (!strncmp(name, wanted[k], sizeof(name)))
				found[k] = i;
		}
	}
	peek_failed(peek);
	ops->names = names;
	ops->nextstate = found[0];
	ops->dbstate = found[1];
	ops->entereval = found[2];
	return found[0] && found[1] && found[2];
}

static unsigned
type_of(struct peek *peek, addr_t op)
{
	return peek_u16(peek, op + OP_BITS) & BITS_TYPE;
}

/* A COP whose operation was optimized away still has its line. */
static bool
was_cop(struct peek *peek, const struct perl_optable *ops, addr_t op)
{
	return type_of(peek, op) == OP_NULL &&
	       peek_u64(peek, op + OP_TARGET) == ops->nextstate;
}

bool
perl_is_cop(struct peek *peek, const struct perl_optable *ops, addr_t at)
{
	unsigned type = type_of(peek, at);

	return type == ops->nextstate || type == ops->dbstate ||
	       was_cop(peek, ops, at);
}

unsigned
perl_line(struct peek *peek, addr_t cop)
{
	return peek_u32(peek, cop + COP_LINE);
}

const char *
perl_file(struct peek *peek, const struct perl_optable *ops, addr_t cop,
	  struct arena *arena)
{
	addr_t file = peek_u64(peek, cop + COP_FILE);
	const char *name;

	if (!file)
		return NULL;
	if (ops->threaded)
		return perl_text(peek, file, arena);
	name = perl_glob_name(peek, file, arena);
	return name && name[0] == '_' && name[1] == '<' ? name + 2 : name;
}

/*
 * An operation that calls (entersub, entereval, require) may be entering the
 * innermost context, or its callee has thrown and the context is being left. So
 * its passage is unknown.
 */
enum perl_passage
perl_passage(struct peek *peek, const struct perl_optable *ops, addr_t op)
{
	static const struct {
		const char *name;
		bool whole;
		enum perl_passage passage;
	} passages[] = {
		{ "leave", false, PERL_LEAVES },
		{ "return", true, PERL_LEAVES },
		{ "die", true, PERL_LEAVES },
		{ "entersub", true, PERL_UNKNOWN },
		{ "entereval", true, PERL_UNKNOWN },
		{ "enter", false, PERL_ENTERS },
	};
	addr_t at = peek_u64(peek, ops->names + 8 * (addr_t)type_of(peek, op));
	char name[12] = "";

	if (!op || !peek_bytes(peek, at, name, sizeof(name)))
		return PERL_UNKNOWN;
	for (size_t i = 0; i < array_size(passages); i++) {
		if (!strncmp(name, passages[i].name,
			     strlen(passages[i].name) + passages[i].whole))
			return passages[i].passage;
	}
	return PERL_UNKNOWN;
}

/* ---- which statement -------------------------------------------------------
 */

struct op_search {
	struct peek *peek;
	const struct perl_optable *ops;
	addr_t wanted;
	bool is_after;
	unsigned budget, depth;
};

/* An operation, with what the search needs of it. */
struct op {
	addr_t next, sibling, target;
	uint16_t bits;
	uint8_t flags;
};

/* Reads the operation at once, because a search reads hundreds. */
static struct op
read_op(struct peek *peek, addr_t at)
{
	uint8_t bytes[OP_SIZE];
	struct op op;

	peek_bytes(peek, at, bytes, sizeof(bytes));
	memcpy(&op.next, bytes + OP_NEXT, sizeof(op.next));
	memcpy(&op.sibling, bytes + OP_SIBLING, sizeof(op.sibling));
	memcpy(&op.target, bytes + OP_TARGET, sizeof(op.target));
	memcpy(&op.bits, bytes + OP_BITS, sizeof(op.bits));
	memcpy(&op.flags, bytes + OP_FLAGS, sizeof(op.flags));
	if (!(op.bits & BITS_MORE_SIBLINGS))
		op.sibling = 0;
	return op;
}

static bool
is_wanted(const struct op_search *search, addr_t at, const struct op *op)
{
	return at == search->wanted ||
	       (search->is_after && op->next == search->wanted);
}

static addr_t find_among(struct op_search *search, addr_t cop, addr_t first);

/* The last COP before the wanted operation, in the tree below op; 0 if the
 * tree does not contain it. */
static addr_t
find_below(struct op_search *search, addr_t cop, addr_t at, const struct op *op)
{
	addr_t found;

	if (is_wanted(search, at, op))
		return cop;
	if (!(op->flags & FLAG_KIDS) || search->depth == DEPTH_MOST)
		return 0;
	search->depth++;
	found = find_among(search, cop, peek_u64(search->peek, at + OP_FIRST));
	search->depth--;
	return found;
}

static addr_t
find_among(struct op_search *search, addr_t cop, addr_t first)
{
	addr_t found = 0;
	struct op op;

	for (addr_t kid = first; kid && !found && search->budget > 0;
	     kid = op.sibling) {
		search->budget--;
		op = read_op(search->peek, kid);
		if (search->peek->fault)
			break;
		if ((op.bits & BITS_TYPE) == OP_NULL &&
		    op.target == search->ops->nextstate)
			cop = kid;
		found = find_below(search, cop, kid, &op);
	}
	return found;
}

addr_t
perl_closest_cop(struct peek *peek, const struct perl_optable *ops, addr_t cop,
		 addr_t op, bool is_after)
{
	struct op_search search = {
		.peek = peek,
		.ops = ops,
		.wanted = op,
		.is_after = is_after,
		.budget = SEARCH_MOST,
	};
	addr_t first = read_op(peek, cop).sibling, found = 0;
	struct op begin;

	if (op && first && op != first) {
		begin = read_op(peek, first);
		found = find_below(&search, cop, first, &begin);
	}
	peek_failed(peek);
	return found ? found : cop;
}
