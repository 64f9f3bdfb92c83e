/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The window of a jmp rel32: whole instructions, until five bytes are covered.
 * If the flow ends earlier (ret, jmp), the rest must be the no-ops that
 * compilers put between functions; no thread executes them, but they count as
 * instructions.
 *
 * These windows would be correct, because a thread that arrives at a boundary
 * traps and continues; but threads would trap there often:
 *
 *	a call that ends before the fifth byte	its return traps each time
 *	a branch to a boundary			the same, if it is taken
 *
 * Branches from outside of the window are not searched for. If threads arrive
 * at a boundary by one, the site becomes a trap again (JUMP_INNER_MOST).
 */
#include "arch/x86_64/window.h"

#include "arch/x86_64/insn.h"
#include "arch/x86_64/relocate.h"

#include <errno.h>
#include <string.h>

static int
refuse(const char **ret_why, const char *why)
{
	if (ret_why)
		*ret_why = why;
	return -ENOTSUP;
}

static bool
is_call(enum insn_kind kind)
{
	return kind == INSN_CALL || kind == INSN_CALL_INDIRECT ||
	       kind == INSN_CALL_WORD;
}

static bool
aims_at_boundary(const struct insn *insn, addr_t at, uint8_t boundaries)
{
	bool direct = insn->kind == INSN_JUMP || insn->kind == INSN_BRANCH ||
		      insn->kind == INSN_LOOP || insn->kind == INSN_CALL;
	addr_t distance = insn->target - at;

	return direct && distance < COVER_MOST && boundaries & 1u << distance;
}

/* Refuses a window if its own branches lead, or its own calls return, to a
 * boundary. */
static int
judge(const struct code *from, const struct relocated *slot,
      struct window *window, const char **ret_why)
{
	for (size_t at = 0; at < slot->displaced;) {
		struct insn insn;

		if (insn_decode(from->bytes + at, from->length - at,
				from->at + at, &insn) < 0)
			return refuse(ret_why, "not an instruction");
		at += insn.length;
		window->calls = is_call(insn.kind);
		if (window->calls && at < JUMP_LENGTH)
			return refuse(ret_why, "a call returns into it");
		if (aims_at_boundary(&insn, from->at, slot->boundaries))
			return refuse(ret_why, "a branch leads into it");
	}
	return 0;
}

/* Adds no-ops behind the end of the flow until five bytes are covered. */
static int
add_padding(const struct code *from, struct window *window,
	    const char **ret_why)
{
	while (window->length < JUMP_LENGTH) {
		size_t at = window->length;
		struct insn insn;

		if (insn_decode(from->bytes + at, from->length - at,
				from->at + at, &insn) < 0 ||
		    insn.kind != INSN_NOTHING)
			return refuse(ret_why, "it is too short");
		window->boundaries |= (uint8_t)(1u << at);
		window->length = (uint8_t)(at + insn.length);
	}
	return 0;
}

int
x86_64_window(const struct code *from, const struct relocate_limits *limits,
	      struct window *ret_window, const char **ret_why)
{
	struct relocate_limits covering = { .cover = JUMP_LENGTH };
	struct window window = { 0 };
	struct relocated slot;
	int r;

	covering.shadow_stack = limits && limits->shadow_stack;
	r = x86_64_relocate(from, from->at, &covering, &slot, ret_why);
	if (r == 0)
		r = judge(from, &slot, &window, ret_why);
	window.length = r == 0 ? slot.displaced : 0;
	window.boundaries = r == 0 ? slot.boundaries : 0;
	if (r == 0)
		r = add_padding(from, &window, ret_why);
	if (r < 0)
		return r;
	memcpy(window.bytes, from->bytes,
	       window.length < JUMP_MOST ? window.length : JUMP_MOST);
	*ret_window = window;
	return 0;
}
