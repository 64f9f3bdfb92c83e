/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * waitid(2) with WNOWAIT. Its siginfo means for a ptracer:
 *
 *	si_code CLD_TRAPPED   si_status = signal | event << 8
 *	si_code CLD_EXITED    si_status = exit status
 *	si_code CLD_KILLED, CLD_DUMPED   si_status = signal
 *
 * (kernel/exit.c, wait_task_stopped and wait_task_zombie.)
 * PTRACE_O_TRACESYSGOOD is always set, so a system-call stop is SIGTRAP | 0x80.
 *
 * The kernel searches the tracees in a fixed order. If many of them stop all
 * the time, the first would be served again and again. Therefore we first poll
 * the busy threads, which stop often, in turn, and use P_ALL only if none of
 * them has stopped. Now and then we poll a thread that is not busy, because it
 * could not become busy otherwise. With a single busy thread none of this costs
 * a system call.
 */
#include "process/wait.h"

#include "arch/syscall.h"
#include "base/clock.h"
#include "base/log.h"
#include "process/delay.h"
#include "process/nudge.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/status.h"
#include "process/stop_times.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#define SYSCALL_STOP (SIGTRAP | 0x80)

const char *
stop_kind_name(enum stop_kind kind)
{
	static const char *const names[STOP_KINDS] = {
		"trap",	 "step",      "signal", "group",      "syscall",
		"clone", "fork",      "vfork",	"vfork-done", "exec",
		"exit",	 "interrupt", "gone",
	};

	return names[kind];
}

static enum stop_kind
kind_of_event(int event, int signal)
{
	switch (event) {
	case PTRACE_EVENT_CLONE:
		return STOP_CLONE;
	case PTRACE_EVENT_FORK:
		return STOP_FORK;
	case PTRACE_EVENT_VFORK:
		return STOP_VFORK;
	case PTRACE_EVENT_VFORK_DONE:
		return STOP_VFORK_DONE;
	case PTRACE_EVENT_EXEC:
		return STOP_EXEC;
	case PTRACE_EVENT_EXIT:
		return STOP_EXIT;
	default: /* PTRACE_EVENT_STOP */
		return signal == SIGTRAP ? STOP_INTERRUPT : STOP_GROUP;
	}
}

static void
decode_trapped(int status, struct stop *stop)
{
	int signal = status & 0xff, event = status >> 8;

	stop->signal = signal;
	if (event)
		stop->kind = kind_of_event(event, signal);
	else if (signal == SYSCALL_STOP)
		stop->kind = STOP_SYSCALL;
	else
		stop->kind = signal == SIGTRAP ? STOP_TRAP : STOP_SIGNAL;
}

static bool
carries_message(enum stop_kind kind)
{
	return kind == STOP_CLONE || kind == STOP_FORK || kind == STOP_VFORK ||
	       kind == STOP_EXEC || kind == STOP_EXIT;
}

static void
decode_gone(const siginfo_t *info, struct stop *stop)
{
	stop->kind = STOP_GONE;
	if (info->si_code == CLD_EXITED)
		stop->status = info->si_status;
	else
		stop->signal = info->si_status;
}

static bool
is_stop(const siginfo_t *info)
{
	return info->si_code == CLD_TRAPPED || info->si_code == CLD_STOPPED;
}

/* What the kernel has counted for the thread. waitid(2) gives the counts of a
 * whole process, so they are known only if the process has one thread. */
static struct held_count
count_of(const struct table *table, const struct thread *thread,
	 const struct rusage *usage)
{
	const struct timeval *user = &usage->ru_utime, *own = &usage->ru_stime;

	return (struct held_count){
		.known =
			table->lag.wanted && thread->process->thread_count == 1,
		.cpu = (uint64_t)(user->tv_sec + own->tv_sec) * CLOCK_SECOND +
		       (uint64_t)(user->tv_usec + own->tv_usec) * 1000,
		.waits = (uint64_t)usage->ru_nvcsw,
		.preempts = (uint64_t)usage->ru_nivcsw,
		.waiting = table->waiting,
	};
}

/* Reads the CPU time and the context switches again after the thread was
 * switched out. A ptrace(2) request waits for this (kernel/ptrace.c,
 * ptrace_check_attach). */
static struct held_count
count_again(struct table *table, const struct thread *thread)
{
	struct rusage usage = { 0 };
	siginfo_t info;
	unsigned long message;

	table->tally.ptraces++;
	table->tally.waits++;
	if (ptrace(PTRACE_GETEVENTMSG, thread->tid, NULL, &message) < 0 ||
	    system_call(SYS_waitid, P_PID, thread->tid, (long)&info,
			WSTOPPED | WEXITED | WNOWAIT | WNOHANG | __WALL |
				__WNOTHREAD,
			(long)&usage) < 0)
		return (struct held_count){ 0 };
	return count_of(table, thread, &usage);
}

static struct held_count
with_delay(struct table *table, const struct thread *thread,
	   struct held_count count)
{
	count.delay_known =
		delays_read(&table->delays, thread->process->pid, thread->tid,
			    &table->tally, &count.delay) == 0;
	return count;
}

/* The lag of stops of this kind, at a trap or at a system call. A trial stop at
 * a system call ends with an interrupt. */
static struct lag *
lag_of(struct table *table, const struct stop *stop)
{
	bool tried = stop->kind == STOP_INTERRUPT &&
		     stop->thread->held.run == HELD_TRIES;

	return stop->kind == STOP_SYSCALL || tried ? &table->lag_calls
						   : &table->lag;
}

static void
decode(struct table *table, const siginfo_t *info, const struct rusage *usage,
       struct stop *ret_stop)
{
	uint64_t seen = clock_now(), now = seen;
	struct held_count count;
	struct stop stop = { .tid = info->si_pid };

	stop.thread = table_thread(table, stop.tid);
	if (stop.thread && stop.thread->held.run != HELD_TRIES)
		now = stop_times_of(stop.tid, stop.thread->held.resumed, seen);
	if (is_stop(info))
		decode_trapped(info->si_status, &stop);
	else
		decode_gone(info, &stop);
	/* After an exec in another thread than the leader, ptrace knows the
	 * thread under its new id only once the stop was reaped (Linux 5.13,
	 * kernel/ptrace.c, looks_like_a_spurious_pid). */
	if (stop.kind == STOP_EXEC)
		wait_reap(table, stop.tid);
	if (carries_message(stop.kind)) {
		ptrace(PTRACE_GETEVENTMSG, stop.tid, NULL, &stop.message);
		table->tally.ptraces++;
	}
	if (stop.kind == STOP_GONE)
		wait_reap(table, stop.tid);
	delay_drop(table, stop.tid);
	if (stop.thread) {
		struct lag *lag = lag_of(table, &stop);

		count = count_of(table, stop.thread, usage);
		if (stop.kind != STOP_GONE &&
		    held_is_early(&stop.thread->held, lag, now, &count))
			count = count_again(table, stop.thread);
		if (held_is_odd(&stop.thread->held, lag, now, &count))
			count = with_delay(table, stop.thread, count);
		held_seen(&stop.thread->held, lag, now, &count);
		held_seen_late(&stop.thread->held, seen - now);
		stop.thread->ask_again =
			stop.kind == STOP_SYSCALL && stop.thread->asked;
		thread_has_stopped(stop.thread);
		if (stop.thread->nudged)
			nudge_over(table, &stop);
	}
	table->tally.stops[stop.kind]++;
	debug("%d: %s signal %d message %lu", stop.tid,
	      stop_kind_name(stop.kind), stop.signal, stop.message);
	*ret_stop = stop;
}

void
wait_keep(struct table *table, const struct stop *stop)
{
	/* No stop of this thread may be kept already: two stops of one thread
	 * would be served in the wrong order. */
	for (size_t i = 0; i < table->kept.count; i++)
		assert(table->kept.at[i].tid != stop->tid);
	vec_push(&table->kept, *stop);
}

int
wait_delay(struct table *table, const struct stop *stop, uint64_t ns)
{
	int r = thread_store_regs(table, stop->thread);

	if (r < 0)
		return r;
	wait_reap(table, stop->tid);
	delay_add(table, stop, ns);
	return 0;
}

static bool
take_kept(struct table *table, idtype_t which, pid_t tid, struct stop *ret_stop)
{
	for (size_t i = 0; i < table->kept.count; i++) {
		if (which == P_PID && table->kept.at[i].tid != tid)
			continue;
		*ret_stop = table->kept.at[i];
		ret_stop->thread = table_thread(table, ret_stop->tid);
		vec_remove(&table->kept, i);
		return true;
	}
	return false;
}

static int
wait_for(struct table *table, idtype_t which, pid_t tid, int flags,
	 struct stop *ret_stop)
{
	struct rusage usage = { 0 };
	siginfo_t info;
	long r;

	if (take_kept(table, which, tid, ret_stop) ||
	    delay_take(table, which == P_PID ? tid : 0, ret_stop))
		return 0;
	info.si_pid = 0;
	table->tally.waits++;
	table->waiting = table->lag.wanted ? clock_now() : 0;
	r = system_call(SYS_waitid, which, tid, (long)&info,
			WSTOPPED | WEXITED | WNOWAIT | __WALL | __WNOTHREAD |
				flags,
			table->lag.wanted ? (long)&usage : 0);
	if (r < 0)
		return (int)r;
	if (info.si_pid == 0)
		return -EAGAIN;
	decode(table, &info, &usage, ret_stop);
	return 0;
}

/* Threads that are polled in a row before P_ALL is used. */
#define ASK_MOST 4
/* After this many polls without a stop, a thread is not busy any more. */
#define MISSES_MOST 8
/* After how many stops a thread that is not busy is polled. */
#define SWEEP_EVERY 64

static void
make_busy(struct table *table, struct thread *thread)
{
	thread->misses = 0;
	if (thread->busy)
		return;
	thread->busy = true;
	vec_push(&table->busy, thread);
}

static int
ask(struct table *table, struct thread *thread, struct stop *ret_stop)
{
	int r = delay_waits(table, thread->tid)
			? -EAGAIN
			: wait_for(table, P_PID, thread->tid, WNOHANG,
				   ret_stop);

	if (r == 0 || ++thread->misses < MISSES_MOST || !thread->busy)
		return r;
	thread->busy = false;
	for (size_t i = 0; i < table->busy.count; i++) {
		if (table->busy.at[i] == thread) {
			vec_remove(&table->busy, i);
			break;
		}
	}
	return r;
}

/* Each call takes the next thread of the table, and polls it if it is not
 * busy. */
static int
sweep(struct table *table, struct stop *ret_stop)
{
	struct thread *thread;

	table->sweep = (table->sweep + 1) % table->everyone.count;
	thread = table->everyone.at[table->sweep];
	return thread->busy ? -EAGAIN : ask(table, thread, ret_stop);
}

static int
ask_in_turn(struct table *table, struct stop *ret_stop)
{
	if (table->everyone.count > 1 && ++table->stops % SWEEP_EVERY == 0 &&
	    sweep(table, ret_stop) == 0)
		return 0;
	for (unsigned i = 0; i < ASK_MOST && table->busy.count > 1; i++) {
		table->next_busy = (table->next_busy + 1) % table->busy.count;
		if (ask(table, table->busy.at[table->next_busy], ret_stop) == 0)
			return 0;
	}
	return -EAGAIN;
}

int
wait_any(struct table *table, struct stop *ret_stop)
{
	int r = ask_in_turn(table, ret_stop);

	if (r < 0)
		r = wait_for(table, P_ALL, 0, 0, ret_stop);
	if (r == 0 && ret_stop->thread &&
	    (ret_stop->kind == STOP_TRAP || ret_stop->kind == STOP_SYSCALL)) {
		make_busy(table, ret_stop->thread);
		cpu_stopped(&table->cpu, ret_stop->tid, &table->tally);
	}
	return r;
}

static char
state_of(const struct thread *thread)
{
	struct status status;

	return status_read(thread->tid, &status) == 0 ? status.state : 'X';
}

/*
 * The kernel reports the end of a leader only after the ends of all its other
 * threads were reaped (kernel/exit.c, delay_group_leader). Until then the
 * leader is a zombie that never stops. To wait only for it would block forever.
 */
static bool
ends_last(const struct thread *thread)
{
	return thread->tid == thread->process->pid &&
	       thread->process->thread_count > 1;
}

/*
 * A running thread stops within microseconds, and for that time we poll without
 * a pause. If the thread waits for a CPU, we sleep between polls. A task that
 * wakes up gets the CPU soon, while a task that calls sched_yield(2) comes
 * after all others.
 */
#define LOOK_NS 30000
/* After this time we check whether a leader has ended. */
#define LEADER_LOOK_NS 1000000
/* An interrupt wakes a sleeping thread at once, and a stop is reported at once.
 * A thread that still sleeps, or is stopped without a report, after this time
 * needs another treatment. */
#define ASLEEP_NS 100000000

static void
pause_looking(uint64_t since)
{
	const struct timespec nap = { .tv_nsec = 50000 };

	if (clock_now() - since > LOOK_NS)
		nanosleep(&nap, NULL);
}

/* How long the user waits at most while we wait for one thread. */
#define HURRY_NS CLOCK_SECOND
/* A wait is reported when it has lasted for this long, and again after as
 * long. */
#define TELL_NS CLOCK_SECOND

/* How long a wait for one thread has lasted. */
struct patience {
	uint64_t since, told;
};

static void
tell_of_wait(const struct thread *thread, struct patience *patience)
{
	uint64_t now = clock_now();
	char where[STATUS_PLACE];

	if (now - patience->told < TELL_NS)
		return;
	patience->told = now;
	status_place(thread->process->pid, thread->tid, where, sizeof(where));
	debug("%d: its stop is awaited for %" PRIu64 " ms: %s", thread->tid,
	      (now - patience->since) / 1000000, where);
}

bool
wait_late(struct table *table)
{
	if (!table->deadline && table->hurry && atomic_load(table->hurry))
		table->deadline = clock_now() + HURRY_NS;
	return table->deadline && clock_now() >= table->deadline;
}

/* Polls for a stop instead of blocking in the kernel: for a leader, and for any
 * thread if there is a deadline. */
static int
wait_looking(struct table *table, struct thread *thread, struct stop *ret_stop)
{
	struct patience patience = { .since = clock_now() };

	patience.told = patience.since;
	for (;;) {
		int r = wait_poll(table, thread->tid, ret_stop);

		if (r != -EAGAIN || wait_late(table))
			return r;
		pause_looking(patience.since);
		tell_of_wait(thread, &patience);
		if (ends_last(thread) &&
		    clock_now() - patience.since > LEADER_LOOK_NS &&
		    state_of(thread) == 'Z') {
			r = wait_poll(table, thread->tid, ret_stop);
			return r == -EAGAIN ? -ESRCH : r;
		}
	}
}

int
wait_thread(struct table *table, struct thread *thread, struct stop *ret_stop)
{
	int r;

	do {
		wait_late(table);
		if (table->deadline || ends_last(thread))
			r = wait_looking(table, thread, ret_stop);
		else
			r = wait_for(table, P_PID, thread->tid, 0, ret_stop);
	} while (r == -EINTR);
	return r == -ECHILD ? -ESRCH : r;
}

/*
 * The thread has not stopped, and /proc shows it in this state. Returns 0 if
 * the caller should wait longer.
 */
static int
asked_in_vain(struct table *table, struct thread *thread, char state)
{
	uint64_t now = clock_now();

	if (state != thread->asked_state) {
		thread->asked_state = state;
		thread->asked_since = now;
	}
	if (state == 'D')
		return -EBUSY;
	if (now - thread->asked_since <= ASLEEP_NS)
		return 0;
	/* The thread is in a stop that was reaped before. */
	if (state == 't') {
		debug("%d is stopped, but not reported", thread->tid);
		return -ETIMEDOUT;
	}
	/* A thread that still sleeps was not interrupted, although we believed
	 * so. */
	if (state == 'S') {
		debug("%d still sleeps, interrupting again", thread->tid);
		thread->asked = thread->trap_comes = false;
		thread->asked_since = now;
		return thread_interrupt(table, thread);
	}
	return 0;
}

int
wait_asked_until(struct table *table, struct thread *thread, uint64_t until,
		 struct stop *ret_stop)
{
	struct patience patience = { .since = clock_now() };

	patience.told = patience.since;
	for (;;) {
		int r = wait_poll(table, thread->tid, ret_stop);
		char state = r == -EAGAIN ? state_of(thread) : 0;

		/* The thread may have stopped after the poll and before its
		 * state was read. */
		if (state == 'D' || state == 'Z')
			r = wait_poll(table, thread->tid, ret_stop);
		if (r == -ECHILD || (r == -EAGAIN && state == 'Z'))
			return -ESRCH;
		if (r != -EAGAIN)
			return r;
		r = asked_in_vain(table, thread, state);
		if (r < 0)
			return r;
		if (wait_late(table) || (until && clock_now() >= until))
			return -EAGAIN;
		pause_looking(patience.since);
		tell_of_wait(thread, &patience);
	}
}

int
wait_asked(struct table *table, struct thread *thread, struct stop *ret_stop)
{
	return wait_asked_until(table, thread, 0, ret_stop);
}

int
wait_poll(struct table *table, pid_t tid, struct stop *ret_stop)
{
	return wait_for(table, P_PID, tid, WNOHANG, ret_stop);
}

void
wait_ended(struct table *table, pid_t tid)
{
	siginfo_t info;

	/* The kernel reports the stop of a tracee whatever the flags are
	 * (kernel/exit.c, wait_task_stopped). Without WNOWAIT, the stop of a
	 * thread that is alive would be reaped and never be reported again. */
	info.si_pid = 0;
	table->tally.waits++;
	if (system_call(SYS_waitid, P_PID, tid, (long)&info,
			WEXITED | WNOWAIT | WNOHANG | __WALL | __WNOTHREAD,
			0) == 0 &&
	    info.si_pid == tid && !is_stop(&info))
		wait_reap(table, tid);
	else
		debug("%d: its end was not reaped", tid);
}

bool
wait_trapped(struct table *table, pid_t tid)
{
	siginfo_t info;

	info.si_pid = 0;
	table->tally.waits++;
	return system_call(SYS_waitid, P_PID, tid, (long)&info,
			   WSTOPPED | WNOWAIT | WNOHANG | __WALL | __WNOTHREAD,
			   0) == 0 &&
	       info.si_pid == tid && info.si_status == SIGTRAP;
}

void
wait_reap(struct table *table, pid_t tid)
{
	siginfo_t info;

	table->tally.waits++;
	waitid(P_PID, (id_t)tid, &info, WSTOPPED | WEXITED | WNOHANG | __WALL);
}
