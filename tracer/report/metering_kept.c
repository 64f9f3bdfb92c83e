/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call that a meter has selected, or whose end xtrace will see, is told from
 * its beginning. Its integer arguments were kept, and its texts copied. Other
 * memory may have changed since its entry.
 */
#include "tracer/report/metering_parts.h"

#include "process/regs.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/report.h"

void
metering_registers(struct hit *hit, const struct meter_open *open,
		   const struct meter_kept *kept, addr_t entry)
{
	hit->regs = (struct regs){ 0 };
	regs_set_pc(&hit->regs, entry);
	regs_set_sp(&hit->regs, open->sp);
	for (unsigned i = 0; i < array_size(kept->arguments); i++)
		hit_calling(hit)->set_argument(&hit->regs, i,
					       kept->arguments[i]);
}

void
metering_begin_query(struct hit *hit, struct call *call,
		     const struct metered_text *texts, size_t count)
{
	struct open_call *of = report_open(call);

	of->kept = true;
	call_arguments_fetch_kept(hit, call, texts, count);
	hit->session->rooms->behaviours[of->tracepoint->kind].begun(hit, call);
}

void
metering_tell_selected(struct hit *hit, struct call *call,
		       const struct metered_text *texts, size_t count)
{
	struct open_call *of = report_open(call);

	of->held = hit->session->wants.ends;
	of->kept = true;
	call_arguments_fetch_kept(hit, call, texts, count);
	if (!of->held)
		report_tell(hit->session, of->pid, of->tid, call, EVENT_ENTRY,
			    call->event.began);
	capture_seal(&of->entry);
}
