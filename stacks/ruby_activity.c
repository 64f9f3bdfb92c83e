/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	VM -> heap (objspace) { flags 16: bit 5 is during_gc; ... }
 *	thread -> ractor { the lock: its holder, and a list of threads that wait
 *}
 *
 * The lock has a condition for each thread, on which the thread also sleeps. So
 * only the list tells that a thread waits for the lock. Only the thread that
 * holds the lock collects garbage.
 *
 * The VM is larger by some words in some builds. rb_gc_count() reads the
 * pointer to the heap in the VM, and then the number in the heap.
 */
#include "stacks/ruby_activity.h"

#include "stacks/cycle_guard.h"
#include "stacks/noted_reads.h"

/* gc.c, struct rb_objspace: the bit during_gc. */
#define HEAP_COLLECTS 0x20u
/* More bytes than struct rb_vm_struct has. */
#define VM_MOST 0x2000

static bool
find_heap(struct ruby_heap *heap, const struct ruby_layout *layout,
	  struct peek *peek, addr_t vm)
{
	struct noted_reads noted;
	addr_t at, found;

	if (heap->offset)
		return true;
	if (!heap->gc_count ||
	    !noted_reads_of(&noted, heap->arch, peek->memory, heap->gc_count) ||
	    noted.count < 2)
		return false;
	at = noted.at[noted.count - 2];
	found = peek_u64(peek, at);
	if (peek_failed(peek) || at - vm >= VM_MOST ||
	    noted.at[noted.count - 1] != found + layout->heap_count)
		return false;
	heap->offset = at - vm;
	return true;
}

static bool
collects(const struct ruby_heap *heap, const struct ruby_layout *layout,
	 struct peek *peek, addr_t vm)
{
	addr_t at = peek_u64(peek, vm + heap->offset);
	addr_t low = peek_u64(peek, at + layout->heap_range);
	addr_t high = peek_u64(peek, at + layout->heap_range + 8);
	uint32_t flags = peek_u32(peek, at + layout->heap_flags);

	return !peek_failed(peek) && low && low < high && flags & HEAP_COLLECTS;
}

static bool
waits_for_lock(const struct ruby_layout *layout, struct peek *peek,
	       addr_t ractor, addr_t thread)
{
	addr_t head = ractor + layout->ractor_waiting;
	addr_t node = peek_u64(peek, head);
	struct cycle_guard guard = { 0 };

	for (; node != head && !peek->fault; node = peek_u64(peek, node)) {
		if (node == thread + layout->thread_waiting)
			return true;
		if (!cycle_guard_step(&guard, node))
			break;
	}
	peek_failed(peek);
	return false;
}

void
ruby_add_activity(struct ruby_heap *heap, const struct ruby_layout *layout,
		  struct peek *peek, addr_t vm, addr_t thread,
		  struct source_activity *activity)
{
	addr_t ractor = peek_u64(peek, thread + layout->thread_ractor);
	addr_t holder = peek_u64(peek, ractor + layout->ractor_holder);

	if (!thread || peek_failed(peek))
		return;
	if (holder == thread)
		activity->lock = SOURCE_LOCK_HELD;
	else if (waits_for_lock(layout, peek, ractor, thread))
		activity->lock = SOURCE_LOCK_AWAITED;
	else
		return;
	activity->lock_name = "GVL";
	if (holder == thread && find_heap(heap, layout, peek, vm))
		activity->collects |= collects(heap, layout, peek, vm);
}
