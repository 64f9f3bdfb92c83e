/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel forces the SIGTRAP of a trap: if the thread blocks or ignores it,
 * the action becomes the default one and the signal is unblocked
 * (kernel/signal.c, force_sig_info_to_task). At the stop the mask has already
 * changed, so xtrace needs another way to know it:
 *
 * 	belief    Whether the thread blocks SIGTRAP. Sources: SigBlk at the
 * 	          attach and at an exec, the parent's belief at a birth, and
 * 	          the arguments of pthread_sigmask() and of sigaction() for a
 * 	          handler.
 * 	evidence  xtrace sets its own action before it plants any trap. That
 * 	          action is lost at a hit (SigCgt in /proc) only if SIGTRAP was
 * 	          blocked: in this thread, or in another thread that has
 * 	          trapped since the action was last seen to be set.
 *
 * Certain evidence determines the belief. If the action is set and was not
 * restored since the last observation of this thread, the thread does not block
 * SIGTRAP. If it is lost and no other thread can have lost it, the thread does.
 * Between these two cases the belief decides (the table is in
 * tracer/sigtrap/belief.c). If the action was lost, xtrace sets it and blocks
 * SIGTRAP again before it resumes the thread.
 *
 * An observation costs a few microseconds, so not every hit gets one. xtrace
 * observes a thread's first hits; after a signal was delivered to it or it has
 * cloned, until some observations in a row find nothing; while it is believed
 * to block SIGTRAP; and otherwise at increasing intervals.
 */
#include "tracer/sigtrap/sigtrap_parts.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/shown_mask.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>

int
sigtrap_put_back_mask(struct program *program, struct thread_record *record)
{
	uint64_t mask;
	int r = thread_signal_mask(record->thread, &mask);

	program->session->table.tally.masks_restored++;
	if (r < 0 || virtual_mask_keep(program, record, mask))
		return r;
	return thread_set_signal_mask(record->thread, mask | TRAP_BIT);
}

bool
sigtrap_hold_again(struct program *program, struct thread *thread,
		   const siginfo_t *info)
{
	uint64_t mask;
	int r;

	virtual_mask_end(session_record(program->session, thread));
	if (thread_signal_mask(thread, &mask) < 0 || !(mask & TRAP_BIT))
		return false;
	r = action_send_again(&program->sites, thread, info);
	if (r < 0)
		debug("%d: a SIGTRAP that it blocks is lost: %d", thread->tid,
		      r);
	return true;
}

static bool
is_handler(uint64_t handler)
{
	return handler != (uint64_t)(uintptr_t)SIG_IGN &&
	       handler != (uint64_t)(uintptr_t)SIG_DFL;
}

/* ---- putting back ----------------------------------------------------------
 */

/*
 * May the thread have lost the action, by a trap since the action was last seen
 * to be set? The kernel resets the action and makes the signal pending in one
 * step under a lock; it also clears the pending signal and stops the thread in
 * one step. So no trap is missed if xtrace first looks for a pending signal and
 * then for a stop. The mask of a thread that has not trapped is the program's.
 */
static enum others
may_have_lost(struct program *program, struct thread *thread)
{
	struct session *session = program->session;
	struct sigtrap *sigtrap = session_record(session, thread)->sigtrap;
	enum shown_mask shown;
	struct status status;
	bool trapped;

	/* A trap of a nudged thread loses nothing; /proc does not show its
	 * mask. */
	if (sigtrap->apart || thread->nudged ||
	    status_read(thread->tid, &status) < 0 ||
	    virtual_mask_holds(&sigtrap->mask, status.blocked))
		return OTHERS_NONE;
	trapped =
		sigtrap_unserved(&session->table, thread->tid, &status) ||
		standing_current(&program->sigtrap->standing, sigtrap->unseen);
	shown = trapped ? SHOWN_OPEN : shown_mask(program, thread, &status);
	if (shown != SHOWN_OPEN)
		sigtrap_learn(sigtrap, shown == SHOWN_PERHAPS
					       ? EVIDENCE_OBSERVED_PERHAPS
					       : EVIDENCE_OBSERVED_BLOCKED);
	return belief_suspect(sigtrap_belief(sigtrap, status.blocked), trapped,
			      sigtrap_blocks_the_rest(status.blocked));
}

static enum others
who_else(struct program *program, const struct thread *thread)
{
	const struct table *table = &program->session->table;
	const struct standing *standing = &program->sigtrap->standing;
	enum others found = standing_current(standing, standing->ended)
				    ? OTHERS_PERHAPS
				    : OTHERS_NONE;

	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *other = table->everyone.at[i];
		enum others one = OTHERS_NONE;

		if (other != thread && other->process->space == program->space)
			one = may_have_lost(program, other);
		if (one > found)
			found = one;
	}
	return found;
}

/* Was our action lost since the last observation of the thread? The thread
 * may have trapped while it blocked SIGTRAP. */
static bool
is_shaken(const struct program *program, const struct thread_record *record)
{
	struct status status;

	return record->sigtrap->losses != program->sigtrap->standing.losses ||
	       (status_read(record->thread->tid, &status) == 0 &&
		!(status.caught & TRAP_BIT));
}

bool
sigtrap_is_open(const struct thread_record *record)
{
	const struct sigtrap *sigtrap = record->sigtrap;

	return sigtrap->belief == BELIEF_OPEN && !sigtrap->apart &&
	       !sigtrap->handler && !sigtrap->call.sp;
}

/* A SIGTRAP that was pending at the trap confirms the belief SEEN. */
bool
sigtrap_waited(const struct program *program, struct thread_record *record,
	       bool planted)
{
	struct sigtrap *sigtrap = record->sigtrap;

	if (!belief_blocks(sigtrap->belief) ||
	    !(planted || is_shaken(program, record)))
		return false;
	sigtrap_learn(sigtrap, EVIDENCE_WAITED);
	return true;
}

int
sigtrap_restore(struct program *program, const struct thread_record *record)
{
	debug("%d: SIGTRAP was blocked", record->thread->tid);
	if (!record->sigtrap->apart)
		program->sigtrap->standing.losses++;
	program->session->table.tally.actions_restored++;
	if (program->sigtrap->disarmed)
		return sigtrap_disarm(program, record->thread);
	return action_restore(&program->sites, record->thread);
}

/* A process that has its own copy of the actions can lose them only by its own
 * traps. */
static int
look_apart(struct program *program, struct thread_record *record,
	   const struct status *status)
{
	bool lost = !(status->caught & TRAP_BIT);
	int r = lost ? sigtrap_restore(program, record) : 0;

	record->sigtrap->pace.clean =
		lost ? 0 : record->sigtrap->pace.clean + 1;
	sigtrap_learn(record->sigtrap,
		      lost && !sigtrap_blocks_the_rest(status->blocked)
			      ? EVIDENCE_SURELY_BLOCKED
			      : EVIDENCE_SURELY_OPEN);
	if (r == 0 && lost && !(status->blocked & TRAP_BIT))
		r = sigtrap_put_back_mask(program, record);
	return r;
}

/* Draws a conclusion about the thread's mask from what /proc says of the thread
 * at this stop. If the SIGTRAP action was reset, another thread's trap may have
 * reset it, so the other threads are examined then. */
static enum belief_action
conclude(struct program *program, const struct thread_record *record,
	 const struct glance *seen)
{
	struct sigtrap *sigtrap = record->sigtrap;
	enum others others = belief_asks_others(sigtrap->belief, seen)
				     ? who_else(program, record->thread)
				     : OTHERS_SURELY;
	struct conclusion conclusion =
		belief_conclude(sigtrap->belief, belief_evidence(seen, others));

	sigtrap->belief = conclusion.belief;
	return conclusion.action;
}

static int
observe(struct program *program, struct thread_record *record)
{
	struct standing *standing = &program->sigtrap->standing;
	struct sigtrap *sigtrap = record->sigtrap;
	enum belief_action action;
	struct status status;
	struct glance seen;
	int r = 0;

	if (status_read(record->thread->tid, &status) < 0)
		return -ESRCH;
	sigtrap_found_mask(sigtrap, status.blocked);
	if (sigtrap->apart)
		return look_apart(program, record, &status);
	seen = (struct glance){
		.is_set = status.caught & TRAP_BIT,
		.blocked = status.blocked & TRAP_BIT ||
			   virtual_mask_holds(&sigtrap->mask, status.blocked),
		.all = sigtrap_blocks_the_rest(status.blocked),
		.shaken = sigtrap->losses != standing->losses,
	};
	action = conclude(program, record, &seen);
	program->session->table.tally.masks_unknown += action == BELIEF_COUNT;
	standing->observations++;
	if (!seen.is_set)
		r = sigtrap_restore(program, record);
	sigtrap->losses = standing->losses;
	if (seen.is_set && !seen.shaken)
		sigtrap->pace.clean++;
	else
		pace_restart(&sigtrap->pace);
	if (r == 0 && action == BELIEF_BLOCK)
		r = sigtrap_put_back_mask(program, record);
	return r;
}

/* The smallest frame that the kernel writes for a handler (psABI 3.2.2, the red
 * zone; struct rt_sigframe). */
#define FRAME_LEAST 512

/* A stack pointer above the handler's frame means that sigreturn(2) has
 * restored the mask. */
static void
after_handler(struct sigtrap *sigtrap, addr_t sp)
{
	if (!sigtrap->handler || sp + FRAME_LEAST < sigtrap->handler)
		return;
	sigtrap->handler = 0;
	sigtrap->belief = sigtrap->outside;
	sigtrap->blocks_all = sigtrap->outside_all;
}

/* If a signal's handler runs between a guard at pthread_sigmask() and the
 * system call, the belief is true only after the handler. Then interrupts_ask()
 * returns true, and sets the belief to the mask that the thread has now. */
static bool
interrupts_ask(struct thread_record *record, int signal)
{
	struct sigtrap *sigtrap = record->sigtrap;
	struct status status;
	uint64_t mask;

	if (!sigtrap->asking || sigtrap->handler ||
	    status_read(record->thread->tid, &status) < 0 ||
	    !(status.caught >> (signal - 1) & 1) ||
	    thread_signal_mask(record->thread, &mask) < 0)
		return false;
	sigtrap->outside = sigtrap->belief;
	sigtrap->outside_all = sigtrap->blocks_all;
	sigtrap->blocks_all = false;
	sigtrap_learn(sigtrap, mask & TRAP_BIT ? EVIDENCE_SURELY_BLOCKED
					       : EVIDENCE_SURELY_OPEN);
	return true;
}

void
sigtrap_delivered(const struct program *program, struct thread_record *record,
		  int signal, addr_t sp)
{
	struct sigtrap *sigtrap = record->sigtrap;

	sigtrap_mask_changed(record);
	virtual_mask_end(record);
	if (interrupts_ask(record, signal))
		sigtrap->handler = sp;
	if (!(program->sigtrap->masking >> (signal - 1) & 1))
		return;
	if (!sigtrap->handler) {
		sigtrap->handler = sp;
		sigtrap->outside = belief_outside(sigtrap->belief);
		sigtrap->outside_all = sigtrap->blocks_all;
	}
	sigtrap_learn(sigtrap, EVIDENCE_SURELY_BLOCKED);
}

int
sigtrap_after_hit(struct hit *hit)
{
	struct sigtrap *sigtrap = hit->record->sigtrap;
	struct program *program = hit->program;
	int r = 0;

	sigtrap_learn(sigtrap, EVIDENCE_HIT);
	sigtrap->asking = false;
	after_handler(sigtrap, regs_sp(&hit->regs));
	if (!sigtrap->own && pace_due(&sigtrap->pace, sigtrap->belief))
		r = observe(program, hit->record);
	else
		sigtrap->unseen = standing_mark(&program->sigtrap->standing);
	if (r == 0 && program->sigtrap->unclaimed && !sigtrap->apart)
		r = sigtrap_claim(program, hit->record->thread);
	return r;
}

int
sigtrap_after_undo(struct program *program, struct thread_record *record)
{
	return record->sigtrap->own ? 0 : observe(program, record);
}

void
sigtrap_mask_changed(struct thread_record *record)
{
	pace_restart(&record->sigtrap->pace);
	record->sigtrap->mask.blocked = 0;
}

/* ---- what is known to begin with -------------------------------------------
 */

void
sigtrap_read_mask(struct program *program, struct thread *thread)
{
	static const enum evidence evidence[] = {
		[SHOWN_OPEN] = EVIDENCE_READ_OPEN,
		[SHOWN_BLOCKED] = EVIDENCE_READ_BLOCKED,
		[SHOWN_PERHAPS] = EVIDENCE_READ_PERHAPS,
	};
	struct session *session = program->session;
	struct status status;

	if (status_read(thread->tid, &status) < 0)
		return;
	program->sigtrap->unclaimed =
		program->sigtrap->unclaimed || status.state != 'S';
	if (sigtrap_unserved(&session->table, thread->tid, &status))
		return;
	sigtrap_learn(session_record(session, thread)->sigtrap,
		      evidence[shown_mask(program, thread, &status)]);
}

void
sigtrap_read(struct program *program, const struct thread *except)
{
	const struct table *table = &program->session->table;
	struct status status;

	if (!program->sites.survive.code &&
	    status_read(program->space->pid, &status) == 0)
		program->sites.survive.ignored = status.ignored & TRAP_BIT;
	program->sigtrap->unclaimed = false;
	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *thread = table->everyone.at[i];

		if (thread != except &&
		    thread->process->space == program->space)
			sigtrap_read_mask(program, thread);
	}
}

void
sigtrap_read_again(struct program *program)
{
	who_else(program, NULL);
}

void
sigtrap_born(struct program *program, const struct thread_record *parent,
	     struct thread_record *child, bool apart)
{
	*child->sigtrap = (struct sigtrap){
		.belief = belief_inherited(parent->sigtrap->belief),
		.blocks_all = parent->sigtrap->blocks_all,
		.after_all = parent->sigtrap->after_all,
		.apart = parent->sigtrap->apart || apart,
		.own = parent->sigtrap->own,
		.losses = program ? program->sigtrap->standing.losses : 0,
	};
}

int
sigtrap_cleared(struct program *program)
{
	program->sigtrap->masking = 0;
	return program->sites.survive.code ? action_clear(&program->sites) : 0;
}

/*
 * The child's copy of the actions may have been made while another thread had
 * lost ours. Any later loss is the child's own doing. If the handlers were
 * cleared, ours was cleared too. Our action is set in the child only if what we
 * note about the program is true of the child as well: if it has memory of its
 * own, or if its parent has no handler.
 */
int
sigtrap_copied(struct program *program, struct thread_record *child,
	       bool cleared)
{
	struct sigtrap *sigtrap = child->sigtrap;
	const struct survive *survive;
	struct status status;
	int r;

	if (!program || !program->sites.survive.code)
		return 0;
	survive = &program->sites.survive;
	if (cleared && child->thread->process->pid == program->space->pid) {
		r = sigtrap_cleared(program);
		if (r < 0)
			return r;
		sigtrap->own = false;
	} else if (cleared && is_handler(survive->header.program.handler)) {
		sigtrap->own = true;
	}
	if (sigtrap->own)
		return 0;
	if (status_read(child->thread->tid, &status) < 0)
		return -ESRCH;
	if (status.caught & TRAP_BIT)
		return 0;
	return action_restore(&program->sites, child->thread);
}

/* Another thread may find later that the ended thread has lost our action. */
static void
thread_ends(struct program *program, const struct thread_record *record)
{
	struct standing *standing = &program->sigtrap->standing;

	if (standing_current(standing, record->sigtrap->unseen))
		standing->ended = standing_mark(standing);
}

void
sigtrap_begin(struct program *program, struct thread_record *record,
	      bool ignored)
{
	struct status status = { 0 };

	virtual_mask_end(record);
	*record->sigtrap = (struct sigtrap){ 0 };
	if (status_read(record->thread->tid, &status) == 0 &&
	    status.blocked & TRAP_BIT)
		sigtrap_learn(record->sigtrap, EVIDENCE_READ_BLOCKED);
	program->sites.survive.ignored = ignored || status.ignored & TRAP_BIT;
	/* The action counts as lost, because traps are hit before our action is
	 * set, and each of them may lose the program's action. */
	program->sigtrap->standing.losses++;
}

bool
sigtrap_ignored(const struct program *program,
		const struct thread_record *record)
{
	const struct survive *survive = &program->sites.survive;

	return survive->code && !record->sigtrap->own &&
	       survive->header.program.handler == (uint64_t)(uintptr_t)SIG_IGN;
}

bool
sigtrap_wanted(const struct program *program)
{
	const struct survive *survive = &program->sites.survive;

	return !survive->code ||
	       survive->header.program.handler != (uint64_t)(uintptr_t)SIG_DFL;
}

/* Does the program die of this SIGTRAP? Our handler decides so, by the action
 * in its own memory: it resets that action if the program has set SA_RESETHAND
 * (breakpoints/outlive/inside/handler.c, chain). */
static bool
is_deadly(struct program *program, const siginfo_t *info)
{
	struct inside_action own;

	if (action_of_program(&program->sites, &own) < 0)
		return false;
	return own.handler == (uint64_t)(uintptr_t)SIG_DFL ||
	       (own.handler == (uint64_t)(uintptr_t)SIG_IGN &&
		info->si_code > 0);
}

bool
sigtrap_passed_on(struct program *program, struct thread_record *record)
{
	struct sigtrap *sigtrap = record->sigtrap;
	bool died = sigtrap->dies;
	siginfo_t info;

	sigtrap->dies = false;
	if (sigtrap->apart || sigtrap->own ||
	    thread_siginfo(record->thread, &info) < 0)
		return false;
	sigtrap->dies = is_deadly(program, &info);
	return died && info.si_code == SI_TKILL;
}

int
sigtrap_disarm(struct program *program, struct thread *thread)
{
	struct sites *sites = &program->sites;

	if (!sites->survive.code)
		return 0;
	if (!program->scratch)
		return -ENOENT;
	program->sigtrap->disarmed = true;
	return survive_disarm(&sites->survive, sites->table, thread,
			      program->scratch);
}

static void
sigtrap_program_born(struct program *program)
{
	program->sigtrap = xcalloc(1, sizeof(*program->sigtrap));
}

static void
sigtrap_program_copied(struct program *child, const struct program *parent)
{
	sigtrap_program_born(child);
	child->sigtrap->masking = parent->sigtrap->masking;
}

static void
sigtrap_program_gone(struct program *program)
{
	free(program->sigtrap);
}

static void
sigtrap_thread_born(struct thread_record *record)
{
	record->sigtrap = xcalloc(1, sizeof(*record->sigtrap));
}

static void
sigtrap_thread_gone(struct thread_record *record)
{
	free(record->sigtrap);
}

const struct life sigtrap_life = {
	.born = sigtrap_program_born,
	.copied = sigtrap_program_copied,
	.gone = sigtrap_program_gone,
	.thread_ends = thread_ends,
	.thread_born = sigtrap_thread_born,
	.thread_gone = sigtrap_thread_gone,
};
