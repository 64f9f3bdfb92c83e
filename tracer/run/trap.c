/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whose is a SIGTRAP? Ours where our table has a site just before the pc. The
 * kernel marks an int3 with SI_KERNEL (arch/x86/kernel/traps.c), and is asked
 * only where the pc alone leaves it open: at a site that was lifted meanwhile,
 * or whose slot comes back right behind the trap, in a thread that the program
 * has step by itself, and in a program that does not die of a SIGTRAP which
 * somebody sends. Everything else is the program's, and is delivered.
 *
 * A SIGTRAP that was sent to a thread which runs into a trap just then takes
 * the trap's place (kernel/signal.c, legacy_queue). It is told from one that
 * found the thread behind the first instruction by whether anything jumps
 * there. Its thread is put back before the trap, and runs into it again when
 * the program has dealt with the signal. Where the thread blocks SIGTRAP, the
 * signal has waited, and is to wait on: the trap is dealt with, and when
 * SIGTRAP is blocked again it is sent once more.
 *
 * A thread is first given the pc where it goes on, and then what the hit means
 * is dealt with: that may map slots by borrowing this very thread, which must
 * know where to return to.
 */
#include "tracer/trap.h"

#include "arch/x86_64_branch.h"
#include "base/log.h"
#include "breakpoints/step.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "tracer/borrow.h"
#include "tracer/modules.h"
#include "tracer/program.h"
#include "tracer/report.h"
#include "tracer/say.h"
#include "tracer/sigtrap.h"

#include <errno.h>
#include <signal.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

#define TRAP_LENGTH 1
/* Hits of a return site in a row that no call of ours returned to. */
#define IDLE_HITS 16

/* How far from a site jumps to behind it are looked for. */
#define JUMPS_WITHIN 8192

enum whose { WHOSE_OURS, WHOSE_PROGRAM, WHOSE_BOTH, WHOSE_BOTH_HELD };

static bool
comes_by(struct program *program, const struct actor *actor,
	 const struct site *site)
{
	addr_t behind = site->address + TRAP_LENGTH;
	addr_t from = site->address - JUMPS_WITHIN;
	uint8_t bytes[2 * JUMPS_WITHIN];
	long have;

	if (actor->interrupted_at == behind)
		return true;
	have = reader_some(program_memory(program), from, bytes, sizeof(bytes));
	if (have <= 0) {
		from = site->address;
		have = reader_some(program_memory(program), from, bytes,
				   JUMPS_WITHIN);
	}
	return have > 0 && branch_goes_to(bytes, (size_t)have, from, behind);
}

static enum whose
whose_trap(struct program *program, struct actor *actor,
	   const struct site *site, siginfo_t *ret_held)
{
	siginfo_t info;

	if (thread_siginfo(actor->thread, &info) < 0)
		return WHOSE_PROGRAM;
	if (info.si_code == SI_KERNEL)
		return WHOSE_OURS;
	/* One sent to the process waits beside the trap's. */
	if (info.si_code >= 0)
		return WHOSE_PROGRAM;
	if (sigtrap_waited(program, actor, site->planted)) {
		*ret_held = info;
		return WHOSE_BOTH_HELD;
	}
	if (!site->planted)
		return WHOSE_PROGRAM;
	return comes_by(program, actor, site) ? WHOSE_PROGRAM : WHOSE_BOTH;
}

/* The site that the stopped thread has trapped at, or NULL. In the trap's place
 * may be a SIGTRAP that was held for it: held has a signal then. */
static struct site *
site_of_trap(struct session *session, struct actor *actor, siginfo_t *ret_held)
{
	struct thread *thread = actor->thread;
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);
	enum whose whose;
	struct site *site;

	ret_held->si_signo = 0;
	if (!regs || !program)
		return NULL;
	site = sites_find(&program->sites, regs_pc(regs) - TRAP_LENGTH);
	if (!site)
		return NULL;
	if (site->planted && !site->ambiguous && !regs_stepping(regs) &&
	    !actor->sigtrap.blocked && !sigtrap_wanted(program))
		return site;
	whose = whose_trap(program, actor, site, ret_held);
	if (whose == WHOSE_BOTH)
		thread_set_pc(thread, site->address);
	return whose == WHOSE_OURS || whose == WHOSE_BOTH_HELD ? site : NULL;
}

/*
 * Behind a call that never returns, handlers begin right where it would return
 * to. The unwinder hands them the exception where a function's result is: a
 * struct _Unwind_Exception, which begins with its language ("GNUC" "C++\0" and
 * so on, the Itanium C++ ABI, 2.2.1).
 */
static bool
carries_exception(const struct moment *moment)
{
	static const uint32_t makers[] = { 0x474e55, 0x434c4e, 0x4d4f5a };
	addr_t object = regs_result(&moment->regs);
	uint64_t class;

	if (object % 16 != 0 ||
	    reader_u64(program_memory(moment->program), object, &class) < 0)
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++) {
		if (class >> 40 == makers[i]) /* "GNU", "CLN", "MOZ" */
			return true;
	}
	return false;
}

/*
 * Was the place reached by a jump rather than by a return? A `ret` leaves the
 * return address behind, just below the stack pointer; an exception's handler
 * has called functions of its own since, unless it begins here. A longjmp
 * leaves it too, but was seen.
 */
static bool
landed(const struct moment *moment)
{
	const struct site *site = moment->site;
	addr_t below = regs_sp(&moment->regs) - sizeof(addr_t);
	uint64_t word;

	if (site->doubt & DOUBT_JUMP && moment->actor->jumped)
		return true;
	return site->doubt & DOUBT_CATCH &&
	       reader_u64(program_memory(moment->program), below, &word) == 0 &&
	       (word != site->address || carries_exception(moment));
}

static void
hit_return(struct moment *moment)
{
	struct site *site = moment->site;

	if (site->doubt && landed(moment)) {
		calls_landed(&moment->actor->calls, regs_sp(&moment->regs));
		moment->actor->jumped = false;
		return;
	}
	moment->actor->jumped = false;
	if (calls_return(&moment->actor->calls, regs_sp(&moment->regs),
			 site->address, regs_preserved(&moment->regs))) {
		site->idle = 0;
		return;
	}
	if (++site->idle >= IDLE_HITS && site->awaited == 0)
		sites_disown(&moment->program->sites, site, SITE_OWNER_RETURN);
}

static int
hit_once(struct moment *moment)
{
	sites_disown(&moment->program->sites, moment->site, SITE_OWNER_ONCE);
	return modules_relocated(moment->program, moment->actor->thread);
}

static int
hit_owners(struct moment *moment, bool again)
{
	struct site *site = moment->site;
	struct actor *actor = moment->actor;
	int r = 0;

	if (site_owned(site, SITE_OWNER_LOADER))
		r = modules_changed(moment->program, actor->thread);
	if (r == 0 && site_owned(site, SITE_OWNER_ONCE))
		r = hit_once(moment);
	if (r == 0 && site_owned(site, SITE_OWNER_AMBUSH))
		r = borrow_ambushed(moment->program, actor->thread);
	if (again || actor->silent)
		return r;
	if (r == 0 && site_owned(site, SITE_OWNER_RETURN))
		hit_return(moment);
	if (r == 0 && site_owned(site, SITE_OWNER_CALL))
		r = report_entry(moment);
	return r;
}

/* There is no slot for it, and never will be: the byte is back. */
static void
say_given_up(const struct moment *moment, int why)
{
	const struct traced *traced = moment->site->user;

	if (!traced)
		return;
	moment->session->refused++;
	say_refused(moment->session, traced->name,
		    traced->module ? traced->module : "?",
		    why == -EPERM
			    ? "its seccomp policy leaves no room for slots"
			    : "no room for its displaced instruction");
}

static bool
was_seen(const struct moment *moment)
{
	struct actor *actor = moment->actor;

	return rehits_take(&actor->rehits, &moment->regs, actor->calls.own_low,
			   actor->calls.own_high);
}

/*
 * A signal has thrown the thread back here once. When signals come faster than
 * we deal with stops the next one is there already, and so on for ever: this
 * time it gets past its site first.
 */
static void
send_on_surely(const struct moment *moment)
{
	struct thread *thread = moment->actor->thread;

	if (step_nudge(&moment->program->sites, thread) == -EBUSY)
		thread_resume(&moment->session->table, thread, 0);
}

/* Our handler had it already, and makes it what the program's default is. */
static bool
passed_on(struct session *session, struct thread *thread)
{
	const struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);

	return program && regs && sigtrap_passed_on(program, regs_pc(regs));
}

/* The program's own SIGTRAP, at the stop of its thread. */
static void
deliver(struct session *session, struct thread *thread)
{
	trap_before_signal(session, thread, SIGTRAP);
	if (!passed_on(session, thread))
		report_plain(session, EVENT_SIGNAL, thread, SIGTRAP, NULL);
	sigtrap_deliver(session, thread->tid);
}

/* held: a SIGTRAP of the program's own, which is to wait on. */
static void
hit(struct session *session, struct actor *actor, struct site *site,
    const siginfo_t *held)
{
	struct thread *thread = actor->thread;
	struct moment moment = {
		.session = session,
		.program = session_program(session, thread->process->space),
		.actor = actor,
		.site = site,
		.regs = *thread_regs(&session->table, thread),
		.when = session_now(session),
	};
	bool again;
	int r;

	moment.regs.gpr.rip = site->address;
	again = was_seen(&moment);
	r = step_past(&moment.program->sites, site, thread);
	say_confined(moment.program);
	if (r < 0 && r != -ESRCH)
		say_given_up(&moment, r);
	if (r != -ESRCH)
		r = hit_owners(&moment, again);
	if (r != -ESRCH)
		r = guards_after_hit(&moment);
	if (r == GUARDS_LET_GO)
		return;
	if (r == -ESRCH)
		debug("%d vanished at its trap", thread->tid);
	if (held->si_signo && !sigtrap_hold_again(moment.program, thread, held))
		deliver(session, thread);
	else if (again && r == 0)
		send_on_surely(&moment);
	else
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
	struct actor *actor = session_actor(session, stop->thread);
	siginfo_t held;
	struct site *site = site_of_trap(session, actor, &held);

	if (site)
		hit(session, actor, site, &held);
	else
		deliver(session, stop->thread);
}

bool
trap_undo(struct session *session, struct thread *thread, siginfo_t *ret_held)
{
	struct site *site =
		site_of_trap(session, session_actor(session, thread), ret_held);

	if (site)
		thread_set_pc(thread, site->address);
	return site != NULL;
}

void
trap_before_signal(struct session *session, struct thread *thread, int signal)
{
	struct program *program =
		session_program(session, thread->process->space);
	struct actor *actor = session_actor(session, thread);
	const struct regs *regs;
	struct site *site;
	addr_t pc;

	if (!program || program->sites.slots.regions.count == 0)
		return;
	regs = thread_regs(&session->table, thread);
	if (!regs)
		return;
	if (signal)
		sigtrap_delivered(program, actor, signal, regs_sp(regs));
	pc = regs_pc(regs);
	if (!step_unslot(&program->sites, thread, &site))
		return;
	/* It traps there again, and was shown already. */
	if (site)
		rehits_add(&actor->rehits, &thread->regs);
	else
		actor->interrupted_at = regs_pc(&thread->regs);
	/* A fault's address is the program's own, too. */
	if (signal == SIGILL || signal == SIGFPE || signal == SIGTRAP)
		thread_move_fault(thread, pc, regs_pc(&thread->regs));
}
