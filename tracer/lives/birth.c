/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The flags of a clone tell what it creates. xtrace reads them from the parent
 * while the parent is in the call (clone(2)):
 *
 * 	CLONE_THREAD	a thread of the same process: always traced
 * 	CLONE_VM	another process in the same space (vfork, posix_spawn):
 * 			its traps are the parent's, so it stays traced until it
 * 			execs or ends; without -f it is silent
 * 	neither		a copy of the space with its traps: with -f the sites
 * 			are copied, without it the bytes are restored before
 * 			the child runs
 * 	CLONE_CLEAR_SIGHAND
 * 			without its parent's SIGTRAP handler, and without ours
 */
#include "tracer/lives/birth.h"

#include "arch/syscall.h"
#include "base/log.h"
#include "conf/model/type.h"
#include "process/attach.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/lives/clean.h"
#include "tracer/lives/newborn.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"
#include "tracer/model/rooms.h"
#include "tracer/model/say.h"
#include "tracer/report/inherited.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdlib.h>

/* The flags of the system call that made the child. The parent is stopped in
 * it. -ESRCH if the parent was killed since, for example by an exec. */
static int
flags_of_call(struct session *session, struct thread *parent,
	      uint64_t *ret_flags)
{
	const struct space *space = parent->process->space;
	const struct arch_system_call *call = space->arch->system_call;
	const struct regs *regs = thread_regs(&session->table, parent);
	long number;

	if (!regs)
		return -ESRCH;
	number = call->number(regs);
	if (number == call->clone) {
		*ret_flags = (uint32_t)call->argument(regs, 0);
		return 0;
	}
	switch (number) {
	case SYS_vfork:
		*ret_flags = CLONE_VM | CLONE_VFORK;
		return 0;
	case SYS_clone3:
		/* The flags are the first member of struct clone_args. */
		return reader_u64(&parent->process->space->reader,
				  call->argument(regs, 0), ret_flags);
	default:
		*ret_flags = 0;
		return 0;
	}
}

/* The flags that the child itself shows. -ESRCH if it has ended. */
static int
flags_of_child(const struct process *parent, pid_t tid, uint64_t *ret_flags)
{
	struct status status;

	if (status_read(tid, &status) < 0)
		return -ESRCH;
	*ret_flags = 0;
	if (status.pid != tid)
		*ret_flags = CLONE_THREAD | CLONE_VM | CLONE_SIGHAND;
	else if (!attach_same_space(parent->pid, tid))
		return 0;
	else if (attach_same_actions(parent->pid, tid))
		*ret_flags = CLONE_VM | CLONE_SIGHAND;
	else if (status.caught & TRAP_BIT)
		*ret_flags = CLONE_VM;
	else
		*ret_flags = CLONE_VM | CLONE_CLEAR_SIGHAND;
	return 0;
}

/* Waits for the newborn's first stop if it has not come. False if the newborn
 * has ended. */
static bool
await_newborn(struct session *session, struct thread *thread)
{
	enum newborn newborn = newborn_take(session, thread->tid);
	struct stop stop;

	if (newborn == NEWBORN_GONE)
		return false;
	if (newborn == NEWBORN_HELD) {
		thread->state = THREAD_STOPPED;
		return true;
	}
	return wait_thread(&session->table, thread, &stop) == 0 &&
	       stop.kind != STOP_GONE;
}

/* Ends a program whose memory no process that xtrace knows uses any more. A
 * vfork child may still use the memory if its parent could not report the
 * birth, because the parent was killed or another thread has execed. So the
 * traps are lifted. If there is no such child, the first write fails. */
static void
end_program(struct program *program)
{
	program_lift(program);
	program_free(program);
}

void
birth_forget(struct session *session, struct thread *thread)
{
	struct process *process = thread->process;
	struct space *space = process->space;
	bool last_user = process->thread_count == 1 && space->users == 1;
	struct thread_record *record =
		map_remove(&session->records, (uint64_t)thread->tid);
	struct program *program = session_program(session, space);

	if (record && program)
		program_thread_ends(program, record);
	if (record)
		session_drop_record(session, record);
	if (last_user && program)
		end_program(program);
	thread_remove(&session->table, thread);
}

/* Resumes the parent or the child after a birth. The child has the mask that
 * the parent had in the kernel at the birth, so while xtrace leaves, the
 * virtual mask of each of the two ends here, and not before the birth. */
static void
resume_task(struct session *session, struct thread *thread)
{
	if (session->leaving)
		virtual_mask_end(session_record(session, thread));
	virtual_mask_resume(session, thread);
}

/* A forked copy without -f: xtrace removes its traps and lets it go. */
static void
let_copy_go(struct session *session, struct program *parent,
	    struct thread *thread, bool threaded, bool cleared)
{
	struct program *copy =
		program_fork(parent, thread->process->space, threaded);

	program_lift(copy);
	if (cleared && sigtrap_cleared(copy) < 0)
		debug("%d vanished at its birth", thread->tid);
	if (program_clean(copy, thread, true) < 0)
		debug("%d keeps our slots", thread->tid);
	virtual_mask_end(session_record(session, thread));
	thread_detach(&session->table, thread, 0);
	birth_forget(session, thread);
}

static void
new_process(struct session *session, const struct stop *stop, uint64_t flags)
{
	struct process *parent = stop->thread->process;
	struct program *program = session_program(session, parent->space);
	pid_t pid = (pid_t)stop->message;
	bool shared = flags & CLONE_VM, cleared = flags & CLONE_CLEAR_SIGHAND;
	struct space *space = shared ? space_ref(parent->space)
				     : space_new(pid, &session->table.tally);
	struct process *process;
	struct thread *thread;

	space->arch = parent->space->arch;
	process = process_add(&session->table, pid, space);
	thread = thread_add(&session->table, process, pid);
	process->parent = parent->pid;
	if (!await_newborn(session, thread)) {
		birth_forget(session, thread);
		return;
	}
	if (!shared && space_open(space, NULL) < 0)
		debug("%d: its memory cannot be opened", pid);
	if ((!session->options->follow || session->leaving) && !shared) {
		virtual_mask_born(NULL, session_record(session, stop->thread),
				  session_record(session, thread));
		let_copy_go(session, program, thread, parent->thread_count > 1,
			    cleared);
		return;
	}
	if (!shared)
		program_fork(program, space, parent->thread_count > 1);
	sigtrap_born(session_program(session, space),
		     session_record(session, stop->thread),
		     session_record(session, thread),
		     shared && !(flags & CLONE_SIGHAND));
	virtual_mask_born(NULL, session_record(session, stop->thread),
			  session_record(session, thread));
	if (!(flags & CLONE_SIGHAND) &&
	    sigtrap_copied(session_program(session, space),
			   session_record(session, thread), cleared) < 0)
		debug("%d vanished at its birth", pid);
	virtual_mask_vforked(session_program(session, space),
			     session_record(session, thread));
	if (session->options->follow) {
		report_program(session, EVENT_START, thread);
		inherited_take(session, session_record(session, thread),
			       session_record(session, stop->thread));
	} else {
		session_set_silent(session_record(session, thread), true);
	}
	resume_task(session, thread);
}

static void
new_thread(struct session *session, const struct stop *stop)
{
	struct process *process = stop->thread->process;
	pid_t tid = (pid_t)stop->message;
	enum newborn newborn = newborn_take(session, tid);
	struct thread *thread;

	if (newborn == NEWBORN_GONE || table_thread(&session->table, tid))
		return;
	thread = thread_add(&session->table, process, tid);
	session_set_silent(session_record(session, thread),
			   session_record(session, stop->thread)->silent);
	sigtrap_born(session_program(session, process->space),
		     session_record(session, stop->thread),
		     session_record(session, thread), false);
	virtual_mask_born(session_program(session, process->space),
			  session_record(session, stop->thread),
			  session_record(session, thread));
	report_plain(session, EVENT_THREAD_START, thread, 0, NULL);
	if (newborn == NEWBORN_HELD) {
		thread->state = THREAD_STOPPED;
		resume_task(session, thread);
	}
}

void
birth_of_task(struct session *session, const struct stop *stop)
{
	pid_t tid = (pid_t)stop->message;
	uint64_t flags;
	int r = flags_of_call(session, stop->thread, &flags);

	if (r < 0)
		r = flags_of_child(stop->thread->process, tid, &flags);
	/* A vfork child has its parent's thread pointer and stack, so it uses
	 * the parent's block of the meters. The parent's calls are taken out of
	 * that block first. */
	metering_stopped(session, session_record(session, stop->thread),
			 METER_NOTHING);
	/* The C library blocks all signals around a clone, so the thread's mask
	 * is read again. */
	sigtrap_mask_changed(session_record(session, stop->thread));
	if (tid == 0 || r < 0)
		debug("a child without a tid, or that has ended: %d", tid);
	else if (flags & CLONE_THREAD)
		new_thread(session, stop);
	else if (!table_process(&session->table, tid))
		new_process(session, stop, flags);
	resume_task(session, stop->thread);
}

static struct process *
find_sharer(const struct session *session, pid_t pid)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->table.processes, &cursor, NULL, &item))
		if (attach_same_space(((struct process *)item)->pid, pid))
			return item;
	return NULL;
}

bool
birth_unannounced(struct session *session, pid_t tid)
{
	struct stop stop = { .message = (unsigned long)tid };
	struct process *parent;
	struct status status;
	uint64_t flags;

	if (status_read(tid, &status) < 0)
		return false;
	parent = status.pid == tid ? find_sharer(session, tid)
				   : table_process(&session->table, status.pid);
	if (!parent || flags_of_child(parent, tid, &flags) < 0)
		return false;
	debug("%d was not announced: it shares memory with %d", tid,
	      parent->pid);
	stop.thread = process_speaker(&session->table, parent);
	if (flags & CLONE_THREAD)
		new_thread(session, &stop);
	else
		new_process(session, &stop, flags);
	return true;
}

/* The other threads of a process that execs end without any event. */
static void
drop_other_threads(struct session *session, struct thread *survivor)
{
	list_each(link, after, &survivor->process->threads) {
		struct thread *thread = list_item(link, struct thread, sibling);
		struct thread_record *record;

		if (thread == survivor)
			continue;
		record = session_record(session, thread);
		calls_end_all(&record->calls, CALL_NO_RETURN);
		birth_forget(session, thread);
	}
}

/* The thread that execs gets the leader's tid. NULL if the table has neither,
 * because xtrace has let both go. */
static struct thread *
survivor_of_exec(struct session *session, const struct stop *stop)
{
	struct thread *thread =
		table_thread(&session->table, (pid_t)stop->message);
	struct thread_record *record;

	if (!thread || thread->tid == stop->tid)
		return stop->thread;
	drop_other_threads(session, thread);
	record = map_remove(&session->records, (uint64_t)thread->tid);
	if (record)
		map_put(&session->records, (uint64_t)stop->tid, record);
	thread_rename(&session->table, thread, stop->tid);
	return thread;
}

/* Says that the program which the thread runs now is not supported. arch: the
 * architecture of this program, or NULL if it is unknown. */
static void
say_not_supported(const struct session *session, const struct thread *thread,
		  const struct arch *arch)
{
	char name[64];

	status_name(thread->tid, name, sizeof(name));
	if (arch)
		say("process %d (%s) runs a %u-bit program now: it is not "
		    "traced any more, because this run of xtrace traces %u-bit "
		    "programs",
		    thread->tid, name, 8u * arch->word, 8u * session->word);
	else
		say("process %d (%s) runs a program now of a kind that is not "
		    "supported: it is not traced any more",
		    thread->tid, name);
}

/* xtrace does not trace what the thread runs now. Its new memory contains
 * nothing of xtrace. */
static bool
leaves_at_exec(struct session *session, const struct thread_record *record,
	       const struct arch *arch)
{
	struct thread *thread = record->thread;

	if (record->silent)
		return true;
	if (!session->leaving && arch && arch->word == session->word)
		return false;
	if (!session->leaving) {
		report_program(session, EVENT_EXEC, thread);
		say_not_supported(session, thread, arch);
		left_out_process_ends(session, thread->process->pid);
	}
	report_plain(session, EVENT_LEAVE, thread, 0, NULL);
	return true;
}

static void
tell_execed(struct session *session, struct thread_record *record)
{
	for (const struct life *const *life = session->rooms->lives; *life;
	     life++)
		if ((*life)->execed)
			(*life)->execed(record);
}

void
birth_exec(struct session *session, const struct stop *stop)
{
	struct thread *thread = survivor_of_exec(session, stop);
	struct process *process;
	struct program *old, *program;
	struct thread_record *record;
	const struct arch *arch;
	struct space *space;
	bool ignored;

	if (!thread)
		return;
	process = thread->process;
	old = session_program(session, process->space);
	record = session_record(session, thread);
	arch = status_arch(process->pid);
	ignored = old && sigtrap_ignored(old, record);
	drop_other_threads(session, thread);
	tell_execed(session, record);
	calls_end_all(&record->calls, CALL_NO_RETURN);
	virtual_mask_end(record);
	if (leaves_at_exec(session, record, arch)) {
		thread_detach(&session->table, thread, 0);
		birth_forget(session, thread);
		return;
	}
	if (old && process->space->users == 1)
		end_program(old);
	space = space_new(process->pid, &session->table.tally);
	space->arch = arch;
	process_set_space(process, space);
	if (space_open(space, NULL) < 0)
		debug("%d: its memory cannot be opened", process->pid);
	record->stack_known = false;
	record->rehits.count = 0;
	program = program_new(session, space);
	sigtrap_begin(program, record, ignored);
	report_program(session, EVENT_EXEC, thread);
	if (modules_begin(program, thread) < 0 ||
	    (program->loader.absent && guards_plant(program, thread) < 0))
		debug("%d vanished at its exec", process->pid);
	thread_resume(&session->table, thread, 0);
}

static void
say_end(struct session *session, struct thread *thread, const struct stop *stop)
{
	/* While xtrace leaves, the end of a process is not reported, because
	 * for a process that was already left it is not reported either. */
	if (!session->leaving)
		left_out_process_ends(session, thread->process->pid);
	if (stop->signal && !session->leaving)
		report_plain(session, EVENT_KILLED, thread, stop->signal, NULL);
	else if (!session->leaving)
		report_plain(session, EVENT_EXITED, thread, stop->status, NULL);
	if (thread->process->pid != session->command.started)
		return;
	session->command.runs = false;
	session->command.exit_status =
		stop->signal ? 128 + stop->signal : stop->status;
}

void
birth_gone(struct session *session, const struct stop *stop)
{
	struct thread *thread = stop->thread;
	struct thread_record *record = session_record(session, thread);
	/* The leader ends last, unless it had ended before the attach. */
	bool last = thread->tid == thread->process->pid ||
		    thread->process->thread_count == 1;

	calls_end_all(&record->calls, CALL_NO_RETURN);
	if (!record->silent && last)
		say_end(session, thread, stop);
	else if (!record->silent)
		report_plain(session, EVENT_THREAD_END, thread, stop->status,
			     NULL);
	birth_forget(session, thread);
}
