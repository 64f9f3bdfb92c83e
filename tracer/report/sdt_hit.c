/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An SDT probe is in the middle of a function. Its hit is shown inside of the
 * traced calls of the thread, like a system call that the function makes. */
#include "tracer/report/sdt_hit.h"

#include "tracer/plan/ruby_core.h"
#include "tracer/report/report.h"

int
sdt_entered(struct hit *hit, struct tracepoint *tracepoint,
	    addr_t return_address)
{
	(void)return_address;
	ruby_core_mend(hit->program, tracepoint->sdt);
	report_begin_inside(hit, tracepoint);
	calls_end_last(&hit->record->calls, CALL_ENTRY_ONLY);
	return 0;
}
