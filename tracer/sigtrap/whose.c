/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Does a SIGTRAP belong to xtrace or to the program? It is ours if our table
 * has a site just before the pc. The kernel marks a trap with an si_code of
 * its own (struct arch_trap). xtrace reads that mark only if the pc alone does
 * not decide: at a site that was lifted meanwhile, or whose slot returns right
 * behind the trap; in a thread that the program single-steps; and in a program
 * that survives a SIGTRAP sent by kill(2). Every other SIGTRAP is the program's
 * and is delivered.
 *
 * If a SIGTRAP is sent to a thread just when the thread hits a trap, it
 * replaces the trap's signal (kernel/signal.c, legacy_queue). The pc alone does
 * not distinguish it from a SIGTRAP that found the thread behind the site's
 * first instruction; xtrace assumes the latter only if code nearby jumps there.
 * In the former case xtrace moves the thread back before the trap, and it traps
 * again after the program has handled the signal. If the thread blocks SIGTRAP,
 * the signal was pending and must stay so: xtrace handles the trap, blocks
 * SIGTRAP again and then sends the signal once more.
 */
#include "tracer/report/metering.h"
#include "tracer/sigtrap/whose.h"

#include "arch/code.h"
#include "breakpoints/jumps.h"
#include "breakpoints/step.h"
#include "process/regs.h"
#include "process/siginfo.h"
#include "tracer/sigtrap/sigtrap.h"

/* How far from a site to search for jumps to the address behind it. */
#define JUMPS_WITHIN 8192

enum whose { WHOSE_OURS, WHOSE_PROGRAM, WHOSE_BOTH, WHOSE_BOTH_HELD };

static bool
comes_by(struct program *program, const struct thread_record *record,
	 const struct site *site)
{
	addr_t behind = site->address + program->space->arch->trap.behind;
	addr_t from = site->address - JUMPS_WITHIN;
	uint8_t bytes[2 * JUMPS_WITHIN];
	long have;

	if (record->interrupted_at == behind)
		return true;
	have = reader_some(program_memory(program), from, bytes, sizeof(bytes));
	if (have <= 0) {
		from = site->address;
		have = reader_some(program_memory(program), from, bytes,
				   JUMPS_WITHIN);
	}
	return have > 0 &&
	       program->space->arch->code->may_jump_to(
		       &(struct code){ bytes, (size_t)have, from }, behind);
}

static enum whose
whose_trap(struct program *program, struct thread_record *record,
	   const struct site *site, siginfo_t *ret_held)
{
	siginfo_t info;

	if (thread_siginfo(record->thread, &info) < 0)
		return WHOSE_PROGRAM;
	if (info.si_code == program->space->arch->trap.code)
		return WHOSE_OURS;
	/* A SIGTRAP that was sent to the process does not replace the signal of
	 * a trap: both are pending. The exception is a signal that xtrace has
	 * held and the thread has sent to itself again. */
	if (info.si_code > SI_USER ||
	    (info.si_code == SI_USER && !record->sigtrap->resent))
		return WHOSE_PROGRAM;
	if (sigtrap_waited(program, record, site->planted)) {
		*ret_held = info;
		return WHOSE_BOTH_HELD;
	}
	if (!site->planted)
		return WHOSE_PROGRAM;
	return comes_by(program, record, site) ? WHOSE_PROGRAM : WHOSE_BOTH;
}

/*
 * A thread comes to the pc behind the trap of a check only by that trap. So the
 * SIGTRAP is ours, or one of the program's own has come in its place.
 */
static enum whose
whose_check(struct program *program, struct thread_record *record,
	    siginfo_t *ret_held)
{
	siginfo_t info;

	if (thread_siginfo(record->thread, &info) < 0)
		return WHOSE_PROGRAM;
	if (info.si_code == program->space->arch->trap.code)
		return WHOSE_OURS;
	if (!sigtrap_waited(program, record, true))
		return WHOSE_BOTH;
	*ret_held = info;
	return WHOSE_BOTH_HELD;
}

/* Is the pc enough to tell whose SIGTRAP it is? */
static bool
certain(const struct program *program, const struct thread_record *record,
	const struct regs *regs)
{
	return !regs_stepping(regs) &&
	       !belief_blocks(record->sigtrap->belief) &&
	       !sigtrap_wanted(program);
}

struct site *
trap_site(struct session *session, struct thread_record *record,
	  siginfo_t *ret_held)
{
	struct thread *thread = record->thread;
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);
	enum whose whose;
	struct site *site;
	bool check;
	addr_t trap;

	ret_held->si_signo = 0;
	if (!regs || !program)
		return NULL;
	trap = regs_pc(regs) - program->space->arch->trap.behind;
	site = sites_find(&program->sites, trap);
	check = !site;
	if (check)
		site = jumps_stopped_at(&program->sites, trap);
	if (!site)
		return NULL;
	if (certain(program, record, regs) &&
	    (check || (site->planted && !site->ambiguous)))
		return site;
	whose = check ? whose_check(program, record, ret_held)
		      : whose_trap(program, record, site, ret_held);
	if (whose == WHOSE_BOTH)
		thread_set_pc(thread, site->address);
	return whose == WHOSE_OURS || whose == WHOSE_BOTH_HELD ? site : NULL;
}

bool
trap_boundary(struct session *session, struct thread_record *record,
	      struct boundary *ret_boundary)
{
	struct program *program =
		session_program(session, record->thread->process->space);
	const struct regs *regs = thread_regs(&session->table, record->thread);
	struct boundary boundary = { NULL, 0, 0, false };
	siginfo_t info;

	if (!program || !regs)
		return false;
	boundary.site =
		jumps_inner_at(&program->sites,
			       regs_pc(regs) -
				       program->space->arch->trap.behind,
			       &boundary.pc, &boundary.slot);
	if (!boundary.site || thread_siginfo(record->thread, &info) < 0)
		return false;
	boundary.ours = info.si_code == program->space->arch->trap.code;
	/* If the trap is not xtrace's and no jump has begun, the thread may be
	 * at the next instruction, where a SIGTRAP of the program's own has
	 * found it. */
	if (!boundary.ours && !jumps_begun(boundary.site))
		return false;
	*ret_boundary = boundary;
	return true;
}

bool
trap_undo(struct session *session, struct thread *thread, siginfo_t *ret_held)
{
	struct thread_record *record = session_record(session, thread);
	struct site *site = trap_site(session, record, ret_held);
	struct boundary boundary;

	if (site) {
		thread_set_pc(thread, site->address);
		return true;
	}
	if (!trap_boundary(session, record, &boundary))
		return false;
	thread_set_pc(thread, boundary.pc);
	return boundary.ours;
}

void
trap_before_signal(struct session *session, struct thread *thread, int signal)
{
	struct program *program =
		session_program(session, thread->process->space);
	struct thread_record *record = session_record(session, thread);
	const struct regs *regs;
	struct site *site;
	bool moved;
	addr_t pc;

	if (!program || program->sites.slots.regions.count == 0)
		return;
	regs = thread_regs(&session->table, thread);
	if (!regs)
		return;
	if (signal)
		sigtrap_delivered(program, record, signal, regs_sp(regs));
	pc = regs_pc(regs);
	moved = step_unslot(&program->sites, thread, &site);
	metering_stopped(session, record, program->sites.undone.written);
	if (!moved)
		return;
	/* The thread will trap at the site again. Its hit has been shown
	 * already, so that rehit is not shown. */
	if (site)
		rehits_add(&record->rehits, &thread->regs);
	else
		record->interrupted_at = regs_pc(&thread->regs);
	/* The address that a fault reports must be the program's own, too. */
	if (signal == SIGILL || signal == SIGFPE || signal == SIGTRAP)
		thread_move_fault(thread, pc, regs_pc(&thread->regs));
}
