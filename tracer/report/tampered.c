/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A function that gets its result from xtrace is not run. The thread is at its
 * first instruction, so it has done nothing yet that would have to be undone:
 *
 *	entry -----------------> slot --> ... --> return address
 *	   `---- result, errno, pc and sp as after a return ----^
 *
 * The return address has a trap, so the end of the call is seen as every other
 * end is. Nothing of this stays in the program: if xtrace is killed before, the
 * function runs, and if it is killed after, the call was changed.
 */
#include "tracer/report/tampered.h"

#include "conf/filter/tampering.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "process/regs.h"
#include "process/wait.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan.h"
#include "tracer/report/thread_errno.h"

/* ---- which calls ----------------------------------------------------------
 */

struct tampering *
tampered_call(const struct session *session, uint64_t tamperings)
{
	struct tampering *found = NULL;

	/* Each tampering counts its own calls. So every tampering is asked,
	 * even after one was found that changes this call. */
	for (size_t i = 0; i < session->options->tamperings.count; i++) {
		struct tampering *tampering =
			session->options->tamperings.at[i];

		if (tamperings & UINT64_C(1) << i &&
		    tampering_takes(tampering) && !found)
			found = tampering;
	}
	return found;
}

struct tampering *
tampered_entry(const struct hit *hit)
{
	uint64_t tamperings = 0;

	if (hit->record->silent || !site_owned(hit->site, SITE_OWNER_CALL))
		return NULL;
	for (const struct tracepoint *tracepoint = hit->site->user; tracepoint;
	     tracepoint = tracepoint->next)
		tamperings |= tracepoint->tamperings;
	return tamperings ? tampered_call(hit->session, tamperings) : NULL;
}

/* ---- the result -----------------------------------------------------------
 */

static void
say_once(struct session *session, const char *name, const char *why)
{
	cleanup(freep) char *key = xasprintf("inject %s", name);

	if (say_first(session, key))
		say("--inject: %s", why);
}

/* Is the result of this prototype an integer, so that it can be set in a
 * register? */
static bool
is_settable(const struct proto *proto)
{
	const struct type *type = proto ? proto->returns : NULL;

	return !type || type->kind == TYPE_VOID || type->kind == TYPE_INT ||
	       type->kind == TYPE_POINTER;
}

static const struct tracepoint *
tampered_tracepoint(const struct hit *hit)
{
	const struct tracepoint *tracepoint = hit->site->user;

	while (!tracepoint->tamperings)
		tracepoint = tracepoint->next;
	return tracepoint;
}

/* Says why the function is not changed; NULL: it can be. */
static char *
refusal(const struct hit *hit, const struct tracepoint *tracepoint)
{
	if (site_owned(hit->site, SITE_OWNER_GUARD))
		return xasprintf("%s is run: xtrace must see what it does",
				 tracepoint->name);
	if (tracepoint->proto_known && !is_settable(tracepoint->proto))
		return xasprintf("%s is run: its result is neither an integer "
				 "nor a pointer",
				 tracepoint->name);
	return NULL;
}

void
tampered_mark(struct thread_record *record, const struct tampering *tampering)
{
	struct calls *calls = &record->calls;
	struct event_call *event;

	if (calls->live.count == 0)
		return;
	event = &calls->live.at[calls->live.count - 1]->event;
	event->injected = tampering->has_result || tampering->error;
	event->delayed = tampering->delay > 0;
}

static void
set_result(struct hit *hit, const struct tampering *tampering)
{
	struct thread *thread = hit->record->thread;
	const struct regs *now = thread_regs(&hit->session->table, thread);
	const struct arch_calling *calling = hit_calling(hit);
	struct regs regs;
	addr_t back;

	if (!now ||
	    calling->return_address(&hit->regs, program_memory(hit->program),
				    &back) < 0)
		return;
	if (tampering->error &&
	    thread_set_errno(hit->program, now, tampering->error) < 0)
		say_once(hit->session, "errno",
			 "errno is not set: its place is not known");
	regs = *now;
	calling->finish(&regs, back, (uint64_t)tampering->result);
	thread_set_regs(thread, &regs);
}

void
tampered_apply(struct hit *hit, const struct tampering *tampering)
{
	const struct tracepoint *tracepoint = tampered_tracepoint(hit);
	cleanup(freep) char *why =
		tampering->has_result ? refusal(hit, tracepoint) : NULL;

	if (why) {
		say_once(hit->session, tracepoint->name, why);
		return;
	}
	tampered_mark(hit->record, tampering);
	if (tampering->has_result)
		set_result(hit, tampering);
}

/* ---- the delay ------------------------------------------------------------
 */

bool
tampered_delay(struct session *session, const struct stop *stop,
	       const struct tampering *tampering)
{
	return tampering->delay &&
	       wait_delay(&session->table, stop, tampering->delay) == 0;
}
