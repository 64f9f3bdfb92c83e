/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * To 3.3 a script's frame has its label. From 3.4 on the label is only the
 * method's name; its class is the owner of the method that the frame runs. The
 * label of a block is made of its method's label and how deep the block is
 * nested (vm_backtrace.c).
 *
 * The frame's environment tells which method the frame runs: ep[-2] is the
 * method entry, a special variable that contains it, or something else. In the
 * last case ep[-1] leads to the enclosing environment, and so on to the
 * environment of the method, which is marked as local.
 *
 *	method entry	  { defined_class 8, definition 16, owner 32 }
 *	its definition	  { original_id 32 }
 *	special variable  { the entry 8 }
 */
#include "stacks/ruby_label.h"

#define FLAG_LOCAL 0x2u
#define ENVIRONMENTS_MOST 64u
#define LEVELS_MOST 64u

#define ISEQ_BODY 16
#define BODY_LABEL 80 /* location.label */

#define FLAG_SINGLETON (UINT64_C(1) << 13)

/* Types of the bodies of instruction sequences (iseq.h: rb_iseq_type). */
enum body_type {
	BODY_TOP,
	BODY_METHOD,
	BODY_BLOCK,
	BODY_CLASS,
	BODY_RESCUE,
	BODY_ENSURE,
	BODY_EVAL,
	BODY_MAIN,
	BODY_PLAIN,
};

/* The method entry of the frame, 0 if it runs no method. */
static addr_t
method_entry(struct peek *peek, addr_t ep)
{
	for (unsigned i = 0; i < ENVIRONMENTS_MOST && !peek->fault; i++) {
		addr_t entry = peek_u64(peek, ep - 16);
		bool local = peek_u64(peek, ep) & FLAG_LOCAL;

		if (entry && ruby_type(peek, entry) == RUBY_INTERNAL &&
		    ruby_internal(peek, entry) == RUBY_SVAR)
			entry = peek_u64(peek, entry + 8);
		if (entry && ruby_type(peek, entry) == RUBY_INTERNAL &&
		    ruby_internal(peek, entry) == RUBY_METHOD_ENTRY)
			return entry;
		if (local)
			break;
		ep = peek_u64(peek, ep - 8) & ~UINT64_C(3);
	}
	return 0;
}

/* ---- classes ---------------------------------------------------------------
 */

static bool
is_class(struct peek *peek, addr_t object)
{
	enum ruby_type type = ruby_type(peek, object);

	return type == RUBY_CLASS || type == RUBY_MODULE;
}

static const char *
class_name(struct peek *peek, const struct ruby_layout *layout, addr_t class,
	   struct arena *arena)
{
	addr_t path = 0;

	if (is_class(peek, class))
		path = peek_u64(peek, class + layout->class_path);
	return path ? ruby_text(peek, layout, path, arena) : NULL;
}

/* The name of a method with its class: "User#find", or "User.find" if the class
 * is a singleton class. If the class has no name, the name alone. */
static const char *
with_class(struct peek *peek, const struct ruby_layout *layout, addr_t owner,
	   const char *name, struct arena *arena)
{
	const char *class;
	char mark = '#';

	if (!layout->class_path || !owner || !name)
		return name;
	if (ruby_type(peek, owner) == RUBY_CLASS &&
	    peek_u64(peek, owner) & FLAG_SINGLETON) {
		owner = peek_u64(peek, owner + layout->class_attached);
		mark = '.';
	}
	class = class_name(peek, layout, owner, arena);
	if (peek_failed(peek) || !class)
		return name;
	return arena_printf(arena, "%s%c%s", class, mark, name);
}

static addr_t
owner_of(struct peek *peek, addr_t ep)
{
	addr_t entry = method_entry(peek, ep);

	return entry ? peek_u64(peek, entry + 32) : 0;
}

/* ---- labels ----------------------------------------------------------------
 */

static addr_t
body_of(struct peek *peek, addr_t iseq)
{
	return peek_u64(peek, iseq + ISEQ_BODY);
}

static enum body_type
type_of(struct peek *peek, addr_t iseq)
{
	return (enum body_type)peek_u32(peek, body_of(peek, iseq));
}

bool
ruby_is_rescue(struct peek *peek, addr_t iseq)
{
	enum body_type type = type_of(peek, iseq);

	return type == BODY_RESCUE || type == BODY_ENSURE;
}

static addr_t
parent_of(struct peek *peek, const struct ruby_layout *layout, addr_t iseq)
{
	return peek_u64(peek, body_of(peek, iseq) + layout->local_iseq - 8);
}

/* Finds the code around the block that is in no block: that of a method, a
 * class or a file. Counts how deep the block is nested in it. */
static addr_t
around_block(struct peek *peek, const struct ruby_layout *layout, addr_t iseq,
	     unsigned *ret_levels)
{
	addr_t local = peek_u64(peek, body_of(peek, iseq) + layout->local_iseq);
	unsigned levels = 0;

	for (unsigned i = 0; i < LEVELS_MOST && iseq != local; i++) {
		addr_t parent = parent_of(peek, layout, iseq);

		if (!parent || peek->fault)
			break;
		levels += type_of(peek, iseq) == BODY_BLOCK;
		iseq = parent;
	}
	*ret_levels = levels;
	return iseq;
}

static const char *
label_with_class(struct peek *peek, const struct ruby_layout *layout,
		 addr_t iseq, addr_t owner, struct arena *arena)
{
	unsigned levels = 0;
	const char *label;
	bool block;

	for (unsigned i = 0; i < LEVELS_MOST; i++) {
		enum body_type type = type_of(peek, iseq);

		if (type != BODY_RESCUE && type != BODY_ENSURE &&
		    type != BODY_EVAL)
			break;
		iseq = parent_of(peek, layout, iseq);
	}
	block = type_of(peek, iseq) == BODY_BLOCK ||
		type_of(peek, iseq) == BODY_PLAIN;
	if (block)
		iseq = around_block(peek, layout, iseq, &levels);
	label = ruby_text(peek, layout,
			  peek_u64(peek, body_of(peek, iseq) + BODY_LABEL),
			  arena);
	if (type_of(peek, iseq) == BODY_METHOD)
		label = with_class(peek, layout, owner, label, arena);
	if (!block || !label)
		return label;
	if (levels <= 1)
		return arena_printf(arena, "block in %s", label);
	return arena_printf(arena, "block (%u levels) in %s", levels, label);
}

const char *
ruby_script_label(struct peek *peek, const struct ruby_layout *layout,
		  addr_t iseq, addr_t ep, struct arena *arena)
{
	if (layout->class_path)
		return label_with_class(peek, layout, iseq, owner_of(peek, ep),
					arena);
	return ruby_text(peek, layout,
			 peek_u64(peek, body_of(peek, iseq) + BODY_LABEL),
			 arena);
}

const char *
ruby_method_label(struct peek *peek, const struct ruby_layout *layout,
		  struct ruby_names *names, addr_t ep, struct arena *arena)
{
	addr_t entry = method_entry(peek, ep), definition;
	const char *name;
	uint64_t id;

	if (!entry)
		return NULL;
	definition = peek_u64(peek, entry + 16);
	id = peek_u64(peek, definition + 32);
	if (peek->fault)
		return NULL;
	name = ruby_name(peek, layout, names, id);
	if (name)
		name = arena_strdup(arena, name);
	return with_class(peek, layout, peek_u64(peek, entry + 32), name,
			  arena);
}
