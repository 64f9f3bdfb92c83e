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
 *	before	the record is the caller's, and whole
 *	window	the record is the new one, and its words are what another
 *		function left there on the stack
 *	after	the record is whole, but its frame may not lead to the
 *		caller's yet
 *
 * Where the window is python_x86_64 reads from the loop's code. In the window
 * the loop has the caller's record in a register until it has loaded the
 * caller's frame from it, and then has that frame in a register until it has
 * stored it in its own. So the registers are asked, the likelier first, and
 * what they say is believed only if it is as a living record or frame is:
 * records ascend on the stack up to the root, and the frames of each lead to
 * the frame of the record before it.
 */
#include "stacks/python_loop.h"

#include "arch/arch.h"
#include "stacks/trail.h"

/* The root is at the end of the thread's state, of some hundred bytes. */
#define STATE_MOST 4096u
/* Frames of one run of the loop until the first. */
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

/* Does the first frame of the run lead to the frame of the record before? */
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

/* ---- is it one that lives? -------------------------------------------------
 */

static bool
is_in_state(struct python_loop *loop, addr_t at)
{
	return at > loop->state && at - loop->state < STATE_MOST;
}

static bool
chain_ends_at_root(struct python_loop *loop, addr_t record)
{
	struct trail trail = { 0 };
	addr_t below = regs_sp(loop->regs);

	while (!is_in_state(loop, record)) {
		if (record % sizeof(addr_t) || record <= below ||
		    loop->peek->fault || !trail_step(&trail, record))
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

static bool
is_record(struct python_loop *loop, addr_t record)
{
	bool is = chain_ends_at_root(loop, record);
	addr_t frame = is ? frame_of(loop, record) : 0;

	if (frame && loop->layout->runs == PYTHON_RUN_FLAG)
		is = leads_to(loop, frame, previous_of(loop, record));
	if (peek_failed(loop->peek) || !is)
		return false;
	return !frame || is_frame(loop, frame);
}

/* ---- the window ------------------------------------------------------------
 */

/* Of several records the youngest: the older ones are its callers'. */
static addr_t
record_in_registers(struct python_loop *loop, addr_t record,
		    const uint64_t *values)
{
	addr_t found = 0;

	for (unsigned i = 0; i < PYTHON_REGISTERS; i++) {
		if ((values[i] > record || is_in_state(loop, values[i])) &&
		    (!found || is_in_state(loop, found) || values[i] < found) &&
		    is_record(loop, values[i]))
			found = values[i];
	}
	return found;
}

static addr_t
frame_in_registers(struct python_loop *loop, const uint64_t *values)
{
	addr_t ours = arch_of_host()->calling->argument(loop->regs,
							loop->peek->memory, 1);

	for (unsigned i = 0; i < PYTHON_REGISTERS; i++) {
		if (values[i] != ours && is_frame(loop, values[i]))
			return values[i];
	}
	return 0;
}

static bool
frame_of_caller(struct python_loop *loop, addr_t record, addr_t *ret_frame)
{
	uint64_t values[PYTHON_REGISTERS];
	addr_t before, frame;

	python_registers(loop->regs, values);
	before = record_in_registers(loop, record, values);
	if (!before) {
		frame = frame_in_registers(loop, values);
		if (frame) {
			*ret_frame = frame;
			return true;
		}
		before = previous_of(loop, record);
		if (before <= record && !is_in_state(loop, before))
			return false;
		if (!is_record(loop, before))
			return false;
	}
	*ret_frame = frame_of(loop, before);
	return !peek_failed(loop->peek);
}

/* ---- the beginning as a whole ----------------------------------------------
 */

static bool
is_in_window(const struct python_loop *loop, addr_t pc)
{
	return pc - loop->loop >= loop->window.begin &&
	       pc - loop->loop < loop->window.end;
}

bool
python_loop_frame(struct python_loop *loop, addr_t record, addr_t *ret_frame)
{
	addr_t pc = regs_pc(loop->regs), frame, before;

	if (loop->loop && is_in_window(loop, pc))
		return frame_of_caller(loop, record, ret_frame);
	frame = frame_of(loop, record);
	if (frame && loop->loop && pc - loop->loop < PYTHON_LOOP_BEGINNING &&
	    loop->layout->runs == PYTHON_RUN_FLAG) {
		before = previous_of(loop, record);
		/* Without a window the record may be anything. */
		if (!loop->window.end && !is_record(loop, before))
			return frame_of_caller(loop, record, ret_frame);
		if (!leads_to(loop, frame, before))
			frame = frame_of(loop, before);
	}
	*ret_frame = frame;
	return true;
}
