/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * At a hit, the thread first gets the pc at which it continues. Then the owners
 * of the site act: they may map slots with this very thread as host, and the
 * host must know where to return to.
 */
#include "tracer/run/trap.h"

#include "base/log.h"
#include "breakpoints/jumps.h"
#include "breakpoints/step.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "tracer/attach/arrival.h"
#include "tracer/attach/plant.h"
#include "tracer/loader/modules.h"
#include "tracer/model/say.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/heat.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"
#include "tracer/report/tampered.h"
#include "tracer/report/where.h"
#include "tracer/sampler/all_stacks.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"
#include "tracer/sigtrap/whose.h"

#include <errno.h>
#include <signal.h>

/* A return site is given up after this many hits in a row that are no return of
 * a traced call. */
#define IDLE_HITS 16
/* If there were IDLE_HITS_SHARED such hits between two returns of traced calls,
 * the site is lifted at each of the next LIFTS returns, and planted again for
 * each call. All calls that libffi makes return to the same address, so most of
 * these returns are of calls that are not traced. After LIFTS returns the site
 * stays planted, which shows whether there are still such hits. */
#define IDLE_HITS_SHARED 4
#define LIFTS 64

/*
 * Behind a call that never returns, an exception handler may begin exactly at
 * the return address. The unwinder passes the exception in the register of a
 * function's result: a struct _Unwind_Exception, which begins with its language
 * ("GNUC" "C++\0" and so on, the Itanium C++ ABI, 2.2.1).
 */
static bool
carries_exception(const struct hit *hit)
{
	/* the compilers' marks: "GNU", "CLN", "MOZ" */
	static const uint32_t makers[] = { 0x474e55, 0x434c4e, 0x4d4f5a };
	addr_t object = hit_result(hit);
	uint64_t class;

	if (object % 16 != 0 ||
	    reader_u64(program_memory(hit->program), object, &class) < 0)
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (class >> 40 == makers[i])
			return true;
	}
	return false;
}

/*
 * Was the site reached by a jump and not by a return? A return leaves its
 * return address in memory, just below the stack pointer. A thread that comes
 * from an exception handler has called functions in it, which have overwritten
 * that word, unless the handler begins exactly at the site. A longjmp may leave
 * the word unchanged, but xtrace has seen the call of longjmp().
 */
static bool
landed(const struct hit *hit)
{
	const struct site *site = hit->site;
	unsigned pushed = hit_calling(hit)->pushed;
	addr_t below = regs_sp(&hit->regs) - pushed;
	uint64_t word;

	if (site->reached_by & REACHED_BY_JUMP && hit->record->jumped)
		return true;
	if (site->reached_by & REACHED_BY_CATCH && !pushed)
		return carries_exception(hit);
	return site->reached_by & REACHED_BY_CATCH &&
	       reader_word(program_memory(hit->program), below, pushed,
			   &word) == 0 &&
	       (word != site->address || carries_exception(hit));
}

/* Lifts the trap if no call waits to return to it. */
static bool
lift(struct hit *hit)
{
	if (hit->site->awaited > 0 ||
	    session_repeats(hit->session, hit->record->thread->process))
		return false;
	sites_disown(&hit->program->sites, hit->site, SITE_OWNER_RETURN);
	return true;
}

/* A call has returned to the site: is the trap lifted until the next call? */
static void
lift_shared(struct hit *hit)
{
	struct site *site = hit->site;

	if (site->idle >= IDLE_HITS_SHARED)
		site->lifts = LIFTS;
	site->idle = 0;
	if (site->lifts > 0 && lift(hit))
		site->lifts--;
}

static int
hit_return(struct hit *hit)
{
	struct site *site = hit->site;

	if (site->reached_by && landed(hit)) {
		calls_landed(&hit->record->calls, regs_sp(&hit->regs));
		hit->record->jumped = false;
		return 0;
	}
	hit->record->jumped = false;
	if (calls_return(&hit->record->calls, regs_sp(&hit->regs),
			 site->address,
			 hit_calling(hit)->preserved(&hit->regs))) {
		int r = metering_returned(hit);

		if (r == 0)
			lift_shared(hit);
		return r;
	}
	if (++site->idle >= IDLE_HITS)
		(void)lift(hit);
	return 0;
}

static int
hit_entry(struct hit *hit)
{
	int r;

	if (left_out_lifts(hit))
		return 0;
	r = report_entry(hit);
	return r == 0 ? metering_entered(hit) : r;
}

static int
hit_loader(struct hit *hit)
{
	int r = modules_changed(hit->program, hit->record->thread);

	if (r == 0)
		where_prepare_later(hit->program);
	return r;
}

static int
hit_once(struct hit *hit)
{
	sites_disown(&hit->program->sites, hit->site, SITE_OWNER_ONCE);
	return modules_relocated(hit->program, hit->record->thread);
}

static int
hit_tripwire(struct hit *hit)
{
	return inject_at_tripwire(hit->program, hit->record->thread);
}

static int
hit_arrival(struct hit *hit)
{
	arrival_hit(hit->program, hit->site);
	return 0;
}

/* What each owner of the site does at a hit: 0, or -ESRCH. */
static const struct {
	int (*act)(struct hit *hit);
	/* True for owners that report calls. They are skipped at a rehit, and
	 * in a thread whose calls are not shown. */
	bool calls;
} owners[SITE_OWNERS] = {
	[SITE_OWNER_LOADER] = { .act = hit_loader },
	[SITE_OWNER_ONCE] = { .act = hit_once },
	[SITE_OWNER_TRIPWIRE] = { .act = hit_tripwire },
	[SITE_OWNER_ARRIVAL] = { .act = hit_arrival },
	[SITE_OWNER_RETURN] = { .act = hit_return, .calls = true },
	[SITE_OWNER_CALL] = { .act = hit_entry, .calls = true },
	/* guards_after_hit() checks each hit itself. */
	[SITE_OWNER_GUARD] = { .act = NULL },
};

static int
hit_owners(struct hit *hit, bool again)
{
	int r = 0;

	for (int i = 0; i < SITE_OWNERS && r == 0; i++) {
		if (!owners[i].act ||
		    !site_owned(hit->site, (enum site_owner)i))
			continue;
		if (!owners[i].calls || !(again || hit->record->silent))
			r = owners[i].act(hit);
	}
	return r;
}

/* Tells the user that a function is not traced: its site can never get a slot,
 * so the original bytes were restored. */
static void
say_given_up(const struct hit *hit, int why)
{
	const struct tracepoint *tracepoint = hit->site->user;

	if (!tracepoint)
		return;
	hit->session->counts.refused++;
	say_refused(hit->session, tracepoint->name,
		    tracepoint->module ? tracepoint->module : "?",
		    why == -EPERM
			    ? "its seccomp policy leaves no room for slots"
			    : "no room for its displaced instruction");
}

static bool
was_seen(const struct hit *hit)
{
	struct thread_record *record = hit->record;

	return rehits_take(&record->rehits, &hit->regs, record->calls.own_low,
			   record->calls.own_high);
}

/*
 * Resumes a thread after a rehit: a signal handler has returned to the site. If
 * signals come faster than xtrace serves stops, the next signal is already
 * pending, and the handler and the hit would repeat without end. So the thread
 * executes the site's instruction before it takes the next signal.
 */
static void
send_on_surely(const struct hit *hit)
{
	struct thread *thread = hit->record->thread;

	if (step_nudge(&hit->program->sites, thread) == -EBUSY)
		thread_resume(&hit->session->table, thread, 0);
}

/* Delivers a SIGTRAP of the program, at which the thread has stopped. */
static void
deliver(struct session *session, struct thread *thread)
{
	struct program *program =
		session_program(session, thread->process->space);
	struct thread_record *record = session_record(session, thread);

	if (sigtrap_hold_virtual(record)) {
		thread_resume(&session->table, thread, SIGTRAP);
		return;
	}
	if (sigtrap_hold_nested(program, record)) {
		thread_resume(&session->table, thread, 0);
		return;
	}
	trap_before_signal(session, thread, SIGTRAP);
	if (!program || !sigtrap_passed_on(program, record))
		report_plain(session, EVENT_SIGNAL, thread, SIGTRAP, NULL);
	sigtrap_deliver(session, thread->tid);
}

/* ---- trial stops (process/held.h) ------------------------------------------
 */

/* True if all owners of this site report calls. */
static bool
only_reports(const struct site *site)
{
	for (int i = 0; i < SITE_OWNERS; i++)
		if (!owners[i].calls && site_owned(site, (enum site_owner)i))
			return false;
	return true;
}

static bool
is_trial(const struct hit *hit, const siginfo_t *held)
{
	return hit->site->planted && !jumps_begun(hit->site) &&
	       only_reports(hit->site) && !held->si_signo &&
	       sigtrap_is_open(hit->record) &&
	       lag_asks(&hit->session->table.lag);
}

/*
 * The hit is handled, and then the thread is sent into the trap once more. So
 * the stop takes as long as others do: xtrace's work has used the CPU's caches
 * before it.
 */
static void
try(struct hit *hit)
{
	struct thread *thread = hit->record->thread;
	struct table *table = &hit->session->table;
	addr_t address = hit->site->address;
	const struct site *site;
	int r;

	thread_set_pc(thread, address);
	hit->trial = true;
	r = hit_owners(hit, false);
	if (r == -ESRCH)
		debug("%d vanished at its trap", thread->tid);
	site = sites_find(&hit->program->sites, address);
	if (r < 0 || !site || !site->planted) {
		thread_resume(table, thread, 0);
		return;
	}
	rehits_add(&hit->record->rehits, &hit->regs);
	hit->record->tried = true;
	thread_resume_to_trap(table, thread, address);
}

/* Is the thread delayed before it runs on? Its stop is then as if xtrace had
 * interrupted it. */
static bool
delays(const struct hit *hit, const struct tampering *tampering)
{
	struct stop stop = { .kind = STOP_INTERRUPT,
			     .thread = hit->record->thread,
			     .tid = hit->record->thread->tid };

	return tampering && tampered_delay(hit->session, &stop, tampering);
}

/* held: a SIGTRAP of the program's own that must stay pending. */
static void
take_hit(struct session *session, struct thread_record *record,
	 struct site *site, const siginfo_t *held)
{
	struct thread *thread = record->thread;
	struct hit hit = {
		.session = session,
		.program = session_program(session, thread->process->space),
		.record = record,
		.site = site,
		.regs = *thread_regs(&session->table, thread),
		.when = session_now(session),
	};
	bool again, tried = record->tried;
	struct tampering *tampering;
	int r;

	record->tried = false;
	hot_sites_stopped(session, site);
	regs_set_pc(&hit.regs, site->address);
	all_stacks_trapped(session, thread, &hit.regs);
	metering_hit(&hit);
	again = was_seen(&hit);
	tampering = again ? NULL : tampered_entry(&hit);
	if (!again && !tampering && is_trial(&hit, held)) {
		try(&hit);
		return;
	}
	r = step_past(&hit.program->sites, site, thread);
	say_confined(hit.program);
	if (r < 0 && r != -ESRCH)
		say_given_up(&hit, r);
	if (r != -ESRCH)
		r = hit_owners(&hit, again);
	if (r != -ESRCH)
		r = guards_after_hit(&hit);
	if (r == GUARDS_LET_GO)
		return;
	if (r == -ESRCH)
		debug("%d vanished at its trap", thread->tid);
	else
		metering_resume(&hit);
	if (r != -ESRCH && tampering)
		tampered_apply(&hit, tampering);
	if (held->si_signo && !sigtrap_hold_again(hit.program, thread, held))
		deliver(session, thread);
	else if (again && !tried && r == 0)
		send_on_surely(&hit);
	else if (r == -ESRCH || !delays(&hit, tampering))
		virtual_mask_resume(session, thread);
}

/* Serves a trap at a boundary of a jump. The thread continues with the
 * displaced instruction. */
static void
take_boundary(struct session *session, struct thread_record *record,
	      const struct boundary *boundary)
{
	struct thread *thread = record->thread;
	struct hit hit = {
		.session = session,
		.program = session_program(session, thread->process->space),
		.record = record,
		.site = boundary->site,
		.regs = *thread_regs(&session->table, thread),
		.when = session_now(session),
	};
	int r;

	if (!boundary->ours) {
		/* The thread traps once more after it has got the signal. */
		thread_set_pc(thread, boundary->pc);
		deliver(session, thread);
		return;
	}
	thread_set_pc(thread, boundary->slot);
	regs_set_pc(&hit.regs, boundary->pc);
	all_stacks_trapped(session, thread, &hit.regs);
	r = guards_after_hit(&hit);
	if (r == GUARDS_LET_GO)
		return;
	if (r != -ESRCH)
		heat_boundary(hit.program, boundary->site, thread);
	thread_resume(&session->table, thread, 0);
}

void
trap_stepped(struct session *session, const struct stop *stop)
{
	struct thread *thread = stop->thread;
	struct program *program =
		session_program(session, thread->process->space);

	if (!program || !step_unfinished(&program->sites, thread) ||
	    step_nudge(&program->sites, thread) == -EBUSY)
		thread_resume(&session->table, thread, 0);
}

void
trap_taken(struct session *session, const struct stop *stop)
{
	struct thread_record *record = session_record(session, stop->thread);
	siginfo_t held;
	struct site *site = trap_site(session, record, &held);
	struct boundary boundary;

	left_out_stopped(session, record, site);
	if (site)
		take_hit(session, record, site, &held);
	else if (trap_boundary(session, record, &boundary))
		take_boundary(session, record, &boundary);
	else
		deliver(session, stop->thread);
}
