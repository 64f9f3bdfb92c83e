/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A caller pushes the receiver and the arguments on the stack of values, and
 * its stack pointer then stays below them while the method runs:
 *
 *	caller's sp -> receiver, parameter 1, parameter 2, ..., other variables
 *
 * The body of an instruction sequence knows how many parameters the method has.
 * The caller's control frame follows the method's frame. If a block has moved
 * the variables of the method to the heap, the stack still has the values with
 * which the method was called.
 *
 * (vm_insnhelper.c, vm_call_iseq_setup_normal(); the same from 2.7 to 3.4.)
 */
#include "stacks/ruby_call.h"

#define FRAME_PC 0
#define FRAME_SP 8
#define FRAME_ISEQ 16
#define ISEQ_BODY 16
#define BODY_PARAMETERS 20

#define PARAMETERS_MOST 64u

bool
ruby_call_state(struct peek *peek, const struct ruby_layout *layout,
		addr_t frame, struct source_frame_state *ret_state)
{
	addr_t iseq = peek_u64(peek, frame + FRAME_ISEQ);
	addr_t body = iseq ? peek_u64(peek, iseq + ISEQ_BODY) : 0;
	addr_t sp = peek_u64(peek, frame + layout->frame_size + FRAME_SP);
	struct source_frame_state state = {
		.position = peek_u64(peek, frame + FRAME_PC),
	};
	uint32_t count;

	if (!body || !state.position || !sp)
		return false;
	count = peek_u32(peek, body + BODY_PARAMETERS);
	for (uint32_t i = 1; i <= count && i <= PARAMETERS_MOST; i++)
		state.arguments =
			(state.arguments ^ peek_u64(peek, sp + 8 * i)) *
			UINT64_C(0x100000001b3);
	if (peek_failed(peek))
		return false;
	*ret_state = state;
	return true;
}
