/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a walk needs lies in few places: the innermost part of the thread's
 * stack, and the pages that the walks before have needed, which are the
 * interpreter's frames and the code of the functions. All of it is read by one
 * system call while the thread is stopped.
 */
#include "tracer/sampler/sampled.h"

#include "base/xmalloc.h"
#include "process/maps.h"
#include "tracer/sampler/sample.h"

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
