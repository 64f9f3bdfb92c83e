/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which rooms each announcement calls, and in which order: see
 * tracer/model/rooms.h. */
#include "tracer/run/rooms.h"

#include "tracer/allocs/allocs.h"
#include "tracer/allocs/grown.h"
#include "tracer/lives/other_tracer.h"
#include "tracer/loader/modules.h"
#include "tracer/plan/plan.h"
#include "tracer/queries/awaited.h"
#include "tracer/queries/connecting.h"
#include "tracer/queries/poll_traps.h"
#include "tracer/queries/probed.h"
#include "tracer/queries/probes.h"
#include "tracer/queries/request_coroutines.h"
#include "tracer/queries/request_frames.h"
#include "tracer/queries/socket_calls.h"
#include "tracer/queries/socket_map.h"
#include "tracer/queries/sockets.h"
#include "tracer/queries/transactions.h"
#include "tracer/report/findings.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"
#include "tracer/report/sdt_hit.h"
#include "tracer/run/dispatch.h"
#include "tracer/run/ending.h"
#include "tracer/run/heap_end.h"
#include "tracer/sampler/sampler.h"
#include "tracer/scripts/script_calls.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"
#include "tracer/system_calls/system_calls.h"

static const struct life *const lives[] = {
	&loader_life,
	&plan_life,
	&findings_life,
	&metering_life,
	&guards_life,
	&sigtrap_life,
	&probes_life,
	&sockets_life,
	&connecting_life,
	&request_frames_life,
	&transactions_life,
	&system_calls_life,
	&sampler_life,
	&allocs_life,
	&left_out_life,
	&heap_end_life,
	&ending_life,
	&poll_traps_life,
	NULL,
};

static void (*const additions[])(struct batch *batch) = {
	socket_calls_add,
	grown_add,
	heap_end_add,
	NULL,
};

static void
walked(struct program *program, struct thread_record *record,
       const struct stack *stack, struct call *call)
{
	if (program->session->options->request_frame)
		request_frames_walked(program, record, stack, call);
	else
		request_coroutines_walked(program, stack, call);
}

#define SHOWN                                                     \
	{                                                         \
		report_call_entered, NULL, NULL, report_call_over \
	}

const struct rooms rooms = {
	.behaviours = {
		[TRACEPOINT_ENTRY] = SHOWN,
		[TRACEPOINT_GATE] = SHOWN,
		[TRACEPOINT_CALLEE] = SHOWN,
		[TRACEPOINT_JUMP] = { .after = report_jump },
		[TRACEPOINT_RESOLVER] = { report_resolver_entered, NULL, NULL,
				      report_resolver_over },
		[TRACEPOINT_SOCKET] = { sockets_entered, NULL, NULL, sockets_over },
		[TRACEPOINT_FILLED] = { .after = report_filled },
		[TRACEPOINT_SDT] = { sdt_entered, NULL, NULL, report_call_over },
		[TRACEPOINT_SCRIPT] = { scripts_hit, NULL, NULL, report_call_over },
		[TRACEPOINT_GROWTH] = { grown_entered, NULL, NULL, grown_over },
		[TRACEPOINT_HEAP_END] = { .entered = heap_end_entered },
		[TRACEPOINT_SYSTEM_CALL] = { .over = system_call_over },
		[TRACEPOINT_PROBED] = { .entered = probed_entered,
					.begun = probed_begun,
					.over = probed_over },
	},
	.lives = lives,
	.call_over = report_end,
	.additions = additions,
	.blocks = awaited_find,
	.walked = walked,
	.follows_queries = probed_follows,
	.follows_handle = probed_follows_handle,
	.queries_open = probes_open,
	.ptrace_entered = other_tracer_enter,
	.serve = dispatch,
};
