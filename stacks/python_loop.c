/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop makes a record on its C stack and fills it in an order that the
 * compiler chose (Python/ceval.c, _PyEval_EvalFrameDefault):
 *
 *	state -> record { frame, previous } -> record of the caller -> ...
 *				-> the root, which is within the state
 *
 * Three intervals follow each other:
 *
 *	before	the record is the caller's, and complete
 *	window	the record is the new one, and its words are what another
 *		function left there on the stack
 *	after	the record is complete, but its frame may not lead to the
 *		caller's yet
 *
 * The loop's code tells where the window is, and which register has the
 * caller's record or frame there (python_code.c). A record is used if it looks
 * complete: the addresses of records grow along the chain up to the root, and
 * the frames of each record lead to the frame of the record before it.
 */
#include "stacks/python_loop.h"

#include "stacks/cycle_guard.h"

/* The root is at the end of the thread's state, which has 360 bytes in 3.11. */
#define STATE_MOST 512u
/* How many frames one run of the loop may have. */
#define RUN_MOST 1000u

addr_t
python_frame_code(struct peek *peek, const struct python_layout *layout,
		  addr_t code_type, addr_t frame)
{
	/* From 3.14 on the lowest bits are flags (_PyStackRef). */
	addr_t code = peek_u64(peek, frame + layout->frame_code) & ~UINT64_C(7);
	addr_t type = 0;

	if (code)
		type = peek_u64(peek, code + layout->object_type);
	return type == code_type ? code : 0;
}

static addr_t
frame_of(struct python_loop *loop, addr_t record)
{
	return peek_u64(loop->peek, record + loop->layout->cframe);
}

static addr_t
previous_of(struct python_loop *loop, addr_t record)
{
	return peek_u64(loop->peek,
			record + loop->layout->cframe + sizeof(addr_t));
}

/* Does the first frame of the run point to the frame of the record before? */
static bool
leads_to(struct python_loop *loop, addr_t frame, addr_t previous)
{
	const struct python_layout *layout = loop->layout;
	addr_t first = frame;

	for (unsigned i = 0; i < RUN_MOST && !loop->peek->fault; i++) {
		if (peek_u8(loop->peek, first + layout->frame_run) == 1)
			break;
		first = peek_u64(loop->peek, first + layout->frame_back);
	}
	return peek_u64(loop->peek, first + layout->frame_back) ==
	       frame_of(loop, previous);
}

/* ---- is the record or the frame valid? -------------------------------------
 */

static bool
is_in_state(struct python_loop *loop, addr_t at)
{
	return at > loop->state && at - loop->state < STATE_MOST;
}

static bool
chain_ends_at_root(struct python_loop *loop, addr_t record, addr_t below)
{
	struct cycle_guard guard = { 0 };

	while (!is_in_state(loop, record)) {
		if (record % sizeof(addr_t) || record <= below ||
		    loop->peek->fault || !cycle_guard_step(&guard, record))
			return false;
		below = record;
		record = previous_of(loop, record);
	}
	return previous_of(loop, record) == 0;
}

static bool
is_frame(struct python_loop *loop, addr_t frame)
{
	bool is = frame % sizeof(addr_t) == 0 && frame != 0 &&
		  python_frame_code(loop->peek, loop->layout, loop->code_type,
				    frame) != 0;

	return !peek_failed(loop->peek) && is;
}

/* Is this a record that is above `below` on the stack, or the root? */
static bool
is_record(struct python_loop *loop, addr_t record, addr_t below)
{
	bool is = chain_ends_at_root(loop, record, below);
	addr_t frame = is ? frame_of(loop, record) : 0;

	if (frame && loop->layout->runs == PYTHON_RUN_FLAG)
		is = leads_to(loop, frame, previous_of(loop, record));
	if (peek_failed(loop->peek) || !is)
		return false;
	return is_in_state(loop, record) ? !frame : is_frame(loop, frame);
}

/* ---- the window ------------------------------------------------------------
 */

/* The first loop of a thread has no caller. */
static bool
take_frame(struct python_loop *loop, addr_t frame, addr_t *ret_frame)
{
	if (peek_failed(loop->peek) || (frame && !is_frame(loop, frame)))
		return false;
	*ret_frame = frame;
	return true;
}

static bool
frame_of_caller(struct python_loop *loop, addr_t record, addr_t *ret_frame)
{
	addr_t value;

	switch (python_window_held(loop->peek->memory, loop->code, loop->regs,
				   loop->state, &value)) {
	case PYTHON_HELD_CALLER:
		return take_frame(loop, value, ret_frame);
	case PYTHON_HELD_FRAME:
		value = peek_u64(loop->peek, value + loop->layout->frame_back);
		return take_frame(loop, value, ret_frame);
	case PYTHON_HELD_RECORD:
		if (!is_record(loop, value, record))
			return false;
		*ret_frame = frame_of(loop, value);
		return true;
	case PYTHON_HELD_NOTHING:
		break;
	}
	return false;
}

bool
python_loop_frame(struct python_loop *loop, addr_t record, addr_t *ret_frame)
{
	addr_t within = regs_pc(loop->regs) - loop->code->loop;
	addr_t frame, before;

	if (!loop->code->loop || within >= PYTHON_LOOP_BEGINNING) {
		*ret_frame = frame_of(loop, record);
		return true;
	}
	if (within >= loop->window.begin && within < loop->window.end)
		return frame_of_caller(loop, record, ret_frame);
	frame = frame_of(loop, record);
	before = previous_of(loop, record);
	/* If no window is known, the record may contain anything. */
	if (frame && !loop->window.end && !is_record(loop, before, record))
		return false;
	if (frame && loop->layout->runs == PYTHON_RUN_FLAG &&
	    !leads_to(loop, frame, before))
		frame = frame_of(loop, before);
	*ret_frame = frame;
	return true;
}
