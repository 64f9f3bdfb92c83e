/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seizes all threads of a process. A thread that is created while we go through
 * the list is either in the next reading of the list, or is seized by its
 * parent's PTRACE_O_TRACECLONE. We read the list until a reading has no new
 * thread.
 *
 * The checks use facts from ptrace(2), "Ptrace access mode checking", and
 * proc(5): a kernel thread has no VmSize, a zombie has no VmSize and the state
 * Z, and TracerPid is the process's present tracer.
 */
#include "process/attach.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * The parent of all kernel threads. A missing memory does not identify a kernel
 * thread, because a process that has ended has none either.
 */
#define KTHREADD 2

#define OPTIONS                                                             \
	(PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | \
	 PTRACE_O_TRACEVFORK | PTRACE_O_TRACEVFORKDONE | PTRACE_O_TRACEEXEC)

long
attach_options(const struct table *table)
{
	return table->announces_exits ? OPTIONS | PTRACE_O_TRACEEXIT : OPTIONS;
}

static bool
has_ended(const struct status *status)
{
	return status->state == 'Z' || status->state == 'X';
}

/*
 * Reads the status of a thread of the process that has not ended. If the leader
 * has ended and another thread calls execve(2), this thread takes over the
 * leader's id, perhaps before its status is read. Its former id then belongs to
 * no thread, or to the former leader.
 */
static int
read_living(pid_t pid, struct status *ret_status)
{
	pid_t living = status_living(pid);
	int r = status_read(living, ret_status);

	if (living != pid && (r == -ESRCH || (r == 0 && has_ended(ret_status))))
		r = status_read(status_living(pid), ret_status);
	return r;
}

/* Finds out which kind of program the process runs. -ENOTSUP unless xtrace
 * knows this kind and its addresses have `word` bytes. */
static int
check_word(pid_t pid, unsigned word, const struct arch **ret_arch,
	   struct err *err)
{
	const struct arch *arch = status_arch(pid);

	if (!arch)
		return err_set(err, -ENOTSUP,
			       "process %d is a program of a kind that is not "
			       "supported",
			       pid);
	if (arch->word == word) {
		*ret_arch = arch;
		return 0;
	}
	return err_set(err, -ENOTSUP,
		       "process %d is a %u-bit program, but this run of xtrace "
		       "traces %u-bit programs",
		       pid, 8u * arch->word, 8 * word);
}

int
attach_check(pid_t pid, unsigned word, struct err *err)
{
	const struct arch *arch;
	struct status status;
	char name[64];
	int r = read_living(pid, &status);

	if (r == -ESRCH)
		return err_set(err, r, "no process %d", pid);
	if (r < 0)
		return err_set(err, r, "process %d: %s", pid, strerror(-r));
	if (status.pid == getpid())
		return err_set(err, -EPERM, "process %d is this xtrace itself",
			       pid);
	if (has_ended(&status))
		return err_set(err, -ESRCH, "process %d has ended (a zombie)",
			       pid);
	if (!status.has_memory && status.parent != KTHREADD && pid != KTHREADD)
		return err_set(err, -ESRCH, "process %d has ended", pid);
	if (!status.has_memory)
		return err_set(err, -ENOTSUP, "process %d is a kernel thread",
			       pid);
	if (status.tracer) {
		/* TracerPid is the id of a thread; the message shows the id of
		 * its process. */
		pid_t tracer = status.tracer;

		if (status_read(tracer, &status) == 0)
			tracer = status.pid;
		status_name(tracer, name, sizeof(name));
		return err_set(err, -EBUSY,
			       "process %d is already traced, by %s (%d)", pid,
			       name, tracer);
	}
	return check_word(pid, word, &arch, err);
}

/* Says how the user can get the permission to trace. */
static const char *
permission_hint(void)
{
	cleanup(freep) char *scope = NULL;

	if (geteuid() == 0)
		return "this container or security policy does not let root "
		       "trace; add the CAP_SYS_PTRACE capability";
	if (fd_read_file("/proc/sys/kernel/yama/ptrace_scope", &scope, NULL) ==
		    0 &&
	    scope[0] != '0')
		return "run as root or with CAP_SYS_PTRACE, or set "
		       "kernel.yama.ptrace_scope to 0";
	return "run as root, as the process's user, or with CAP_SYS_PTRACE";
}

/* attach_poked() needs these and has no argument. They are thread-local,
 * because another thread may attach at the same time. */
static _Thread_local volatile sig_atomic_t seizing;
static _Thread_local sigjmp_buf broken_off;

void
attach_poked(void)
{
	if (!seizing)
		return;
	seizing = false;
	siglongjmp(broken_off, 1);
}

/*
 * If another thread of the process is in execve(2), the kernel blocks us and
 * restarts the call after each signal (cred_guard_mutex in ptrace_attach(),
 * -ERESTARTNOINTR). Returns -EINTR if the call was interrupted, perhaps after
 * it succeeded.
 */
static int
seize_at_once(pid_t tid, long options)
{
	int r;

	if (sigsetjmp(broken_off, 0) != 0)
		return -EINTR;
	seizing = true;
	r = ptrace(PTRACE_SEIZE, tid, NULL, options) < 0 ? -errno : 0;
	seizing = false;
	return r;
}

/* Reaps the ended threads of the process, because an exec in it waits for them.
 * The leader is left out: an exec does not wait for its end to be reaped. */
static void
take_ended(struct table *table, pid_t pid)
{
	struct pids tids = { 0 };

	if (status_threads(pid, &tids) < 0)
		debug("%d has ended", pid);
	for (size_t i = 0; i < tids.list.count; i++)
		if (tids.list.at[i] != pid)
			wait_ended(table, tids.list.at[i]);
	vec_release(&tids.list);
}

static int
try_to_seize(struct table *table, pid_t pid, pid_t tid, long options)
{
	struct status status;
	int code;

	while ((code = -seize_at_once(tid, options)) == EINTR)
		take_ended(table, pid);
	if (code == 0)
		return 0;
	if (status_read(tid, &status) < 0 || status.state == 'Z' ||
	    status.state == 'X')
		return -ESRCH;
	/* The kernel also refuses a thread that we trace already, because of
	 * its parent's clone. */
	if (status.tracer == gettid())
		return 0;
	return -code;
}

/* Tries twice if the error is EPERM. The kernel refuses an ended leader with
 * the same error as a process that we may not trace. The second try succeeds if
 * an exec has meanwhile given the leader's id to another thread. */
static int
seize(struct table *table, pid_t pid, pid_t tid, long options)
{
	int r = try_to_seize(table, pid, tid, options);

	return r == -EPERM ? try_to_seize(table, pid, tid, options) : r;
}

/*
 * Seizes threads that were renamed by an exec. A thread that was in execve(2)
 * itself is seized when the exec is over (kernel/ptrace.c waits for
 * cred_guard_mutex), and is the leader by then. If a thread that we had not
 * seized yet has called exec, the leader that we had seized has vanished
 * silently, and nobody traces the thread that has its id now. Returns how many
 * such threads were seized, or -errno.
 */
static int
follow_renamed(struct table *table, struct process *process)
{
	int fresh = 0, r = 0;

	list_each(link, after, &process->threads) {
		struct thread *thread = list_item(link, struct thread, sibling);
		struct status status;
		int found = status_read(thread->tid, &status);

		if (found == -ESRCH && process->thread_count > 1)
			thread_remove(table, thread);
		if (found < 0 || r < 0 || status.tracer == gettid() ||
		    status.state == 'Z' || status.state == 'X')
			continue;
		r = seize(table, process->pid, thread->tid,
			  attach_options(table));
		fresh += r == 0;
	}
	return r == -ESRCH || r == 0 ? fresh : r;
}

/* Seizes the threads that are not in the table, and adds them to it. Returns
 * how many, or -errno. */
static int
seize_new(struct table *table, struct process *process)
{
	struct pids tids = { 0 };
	int fresh = 0, r = status_threads(process->pid, &tids);

	for (size_t i = 0; i < tids.list.count && r >= 0; i++) {
		pid_t tid = tids.list.at[i];

		if (table_thread(table, tid))
			continue;
		r = seize(table, process->pid, tid, attach_options(table));
		if (r == 0) {
			thread_add(table, process, tid);
			fresh++;
		} else if (r == -ESRCH) {
			r = 0;
		}
	}
	vec_release(&tids.list);
	return r < 0 ? r : fresh;
}

unsigned
attach_untraced(struct table *table, struct process *process)
{
	struct pids tids = { 0 };
	unsigned fresh = 0;

	if (status_threads(process->pid, &tids) < 0)
		debug("%d has ended", process->pid);
	for (size_t i = 0; i < tids.list.count; i++) {
		pid_t tid = tids.list.at[i];
		struct status status;

		/* A thread that we trace already is not in the table if the
		 * event of its clone is still to come. */
		if (table_thread(table, tid) || status_read(tid, &status) < 0 ||
		    status.tracer == gettid() ||
		    seize(table, process->pid, tid, attach_options(table)) < 0)
			continue;
		thread_add(table, process, tid);
		fresh++;
	}
	vec_release(&tids.list);
	return fresh;
}

static void
let_go(struct table *table, struct process *process)
{
	list_each(link, after, &process->threads) {
		struct thread *thread = list_item(link, struct thread, sibling);
		bool last = process->thread_count == 1;

		/* A seized thread that never stopped is detached when xtrace
		 * exits. */
		thread_remove(table, thread);
		if (last)
			return;
	}
}

static int
refused(pid_t pid, int r, struct err *err)
{
	if (r == -EPERM || r == -EACCES)
		return err_set(err, r,
			       "process %d: not permitted to trace it: %s", pid,
			       permission_hint());
	if (r == -ESRCH)
		return err_set(err, r, "process %d: %s", pid, strerror(-r));
	return err_set(err, r, "process %d: cannot trace it: ptrace: %s", pid,
		       strerror(-r));
}

int
attach_thread(struct table *table, struct process *process, pid_t tid,
	      struct thread **ret_thread, struct err *err)
{
	int r = seize(table, process->pid, tid, 0);

	if (r < 0)
		return refused(process->pid, r, err);
	*ret_thread = thread_add(table, process, tid);
	return 0;
}

static bool
same(pid_t one, pid_t other, int what)
{
	return syscall(SYS_kcmp, status_living(one), other, what, 0, 0) == 0;
}

bool
attach_same_space(pid_t one, pid_t other)
{
	return same(one, other, KCMP_VM);
}

bool
attach_same_actions(pid_t one, pid_t other)
{
	return same(one, other, KCMP_SIGHAND);
}

/* True if pid was created after its parent was seized. We trace it then, and
 * its parent's event is still to come. If we took it for an older process, it
 * would run on and exec, and the later event would treat it as a sharer of its
 * parent's memory again. */
static bool
newborn(pid_t pid)
{
	struct status status;

	return status_read(pid, &status) == 0 && status.tracer == gettid();
}

/* Seizes the threads of process pid, which runs in the space. False if they
 * cannot be seized: the process has ended, or another tracer has it. */
static bool
attach_sharer(struct table *table, struct space *space, pid_t pid)
{
	struct process *process = process_add(table, pid, space_ref(space));

	while (seize_new(table, process) > 0)
		;
	if (process->thread_count)
		return true;
	map_remove(&table->processes, (uint64_t)pid);
	space_unref(space);
	free(process);
	return false;
}

void
attach_sharers(struct table *table, const struct process *process,
	       struct pids *ret_pids)
{
	pid_t parent = process->pid;

	for (size_t i = 0; parent; i++) {
		struct pids children = { 0 };

		status_children(parent, &children);
		for (size_t c = 0; c < children.list.count; c++) {
			pid_t pid = children.list.at[c];

			if (!table_process(table, pid) && !newborn(pid) &&
			    attach_same_space(process->pid, pid) &&
			    attach_sharer(table, process->space, pid))
				vec_push(&ret_pids->list, pid);
		}
		vec_release(&children.list);
		parent = i < ret_pids->list.count ? ret_pids->list.at[i] : 0;
	}
	if (ret_pids->list.count)
		debug("%d: %zu others in its space", process->pid,
		      ret_pids->list.count);
}

int
attach_process(struct table *table, pid_t pid, unsigned word,
	       struct process **ret_process, struct err *err)
{
	struct process *process;
	int r;

	process = process_add(table, pid, space_new(pid, &table->tally));
	do {
		r = seize_new(table, process);
		if (r == 0)
			r = follow_renamed(table, process);
	} while (r > 0);
	if (r == 0 && process->thread_count == 0)
		r = -ESRCH;
	if (r < 0)
		refused(pid, r, err);
	/* The program may have been replaced since attach_check(). From now on
	 * an exec is an event. */
	if (r == 0)
		r = check_word(pid, word, &process->space->arch, err);
	if (r == 0)
		r = space_open(process->space, err);
	if (r < 0 && process->thread_count) {
		let_go(table, process);
		return r;
	}
	if (r < 0) {
		map_remove(&table->processes, (uint64_t)pid);
		space_unref(process->space);
		free(process);
		return r;
	}
	debug("seized %u threads of %d", process->thread_count, pid);
	*ret_process = process;
	return 0;
}

int
attach_announce_exit(const struct thread *thread)
{
	return ptrace(PTRACE_SETOPTIONS, thread->tid, NULL,
		      OPTIONS | PTRACE_O_TRACEEXIT) < 0
		       ? -ESRCH
		       : 0;
}
