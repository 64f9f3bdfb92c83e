/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a walk needs lies in few places: the innermost part of the thread's
 * stack, and the pages that the walks before have needed, which are the
 * interpreter's frames and the code of the functions. All of it is read by one
 * system call while the thread is stopped.
 */
#include "tracer/sampler/sampled.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "process/maps.h"
#include "process/space.h"
#include "process/system_call.h"
#include "tracer/sampler/moment.h"
#include "tracer/sampler/sample.h"
#include "tracer/sampler/seldom.h"

#include <errno.h>
#include <stdlib.h>

/* How much of the stack is copied. What lies further out is copied if the walks
 * before have needed it. */
#define STACK_COPIED UINT64_C(12288)

struct sampled *
sampled_new(struct thread_record *record)
{
	const struct thread *thread = record->thread;
	struct sampled *sampled = xcalloc(1, sizeof(*sampled));

	sampled->record = record;
	activity_init(&sampled->activity, thread->process->pid, thread->tid);
	if (activity_times(&sampled->activity, &sampled->times) < 0) {
		sampled_free(sampled);
		return NULL;
	}
	sampled->judged_at = clock_now();
	sampled->judged_cpu = sampled->times.cpu;
	sampled->runs_on = true;
	return sampled;
}

void
sampled_free(struct sampled *sampled)
{
	if (!sampled)
		return;
	activity_release(&sampled->activity);
	if (sampled->copy)
		read_cache_release(sampled->copy);
	free(sampled->copy);
	sample_free(sampled->last);
	free(sampled);
}

/*
 * The times of a running thread do not tell whether it has run since the last
 * round: the kernel adds to them at its timer's ticks, and does not count each
 * time that the thread gets a CPU (Linux 6.12, kernel/sched, DELAY_DEQUEUE).
 * When a thread blocks its time is added.
 */
enum sampled_state
sampled_look(struct sampled *sampled, bool by_clock)
{
	uint64_t cpu = sampled->times.cpu;
	bool ran = sampled->runs_on;
	struct blocked blocked;

	if (activity_call(&sampled->activity, &blocked) < 0)
		return SAMPLED_GONE;
	sampled->runs_on = blocked.running;
	if (blocked.running)
		return SAMPLED_RUNS;
	if (!ran && !by_clock)
		return SAMPLED_SAME;
	if (activity_times(&sampled->activity, &sampled->times) < 0)
		return SAMPLED_GONE;
	return !ran && cpu == sampled->times.cpu ? SAMPLED_SAME
						 : SAMPLED_BLOCKS;
}

void
sampled_judge(struct sampled *sampled)
{
	struct activity_times times;
	uint64_t now = clock_now();

	if (activity_times(&sampled->activity, &times) < 0)
		return;
	sampled->seldom =
		seldom_is(clock_between(sampled->judged_cpu, times.cpu),
			  clock_between(sampled->judged_at, now));
	sampled->judged_at = now;
	sampled->judged_cpu = times.cpu;
	if (sampled->last && !sampled->runs_on &&
	    times.cpu == sampled->times.cpu)
		sampled->idle_until = now;
}

/* True if the interrupt has ended a system call of the thread: the thread ran
 * when it was interrupted, and then blocked in the call. */
static bool
interrupted_call(const struct thread *thread, const struct regs *regs)
{
	const struct arch_system_call *call =
		thread->process->space->arch->system_call;
	int64_t result = call->result(regs);

	return call->number(regs) >= 0 &&
	       (result == -EINTR || system_call_restarts(result));
}

bool
sampled_had_cpu(const struct sampled *sampled, const struct regs *regs)
{
	return interrupted_call(sampled->record->thread, regs) ||
	       moment_had_cpu(&(struct moment_times){ sampled->asked,
						      sampled->times });
}

void
sampled_copy(struct sampled *sampled, struct reader *memory,
	     const struct regs *regs)
{
	addr_t sp = regs_sp(regs), end = sampled->stack_high;
	bool known = sp >= sampled->stack_low && sp < end;

	if (!sampled->copy) {
		sampled->copy = xmalloc(sizeof(*sampled->copy));
		read_cache_init(sampled->copy);
		sampled->copy->reader.copied = true;
	}
	if (known)
		read_cache_add(sampled->copy, sp,
			       end - sp < STACK_COPIED ? end - sp
						       : STACK_COPIED);
	read_cache_begin(sampled->copy, memory);
}

void
sampled_find_stack(struct sampled *sampled, pid_t pid, addr_t sp)
{
	struct mapping mapping;

	if (sp >= sampled->stack_low && sp < sampled->stack_high)
		return;
	if (maps_query(pid, sp, &mapping) < 0)
		return;
	sampled->stack_low = mapping.start;
	sampled->stack_high = mapping.end;
	free(mapping.path);
}
