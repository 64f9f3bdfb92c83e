/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A call is identified by where its return address is stored. On a thread's own
 * stack this is enough, because a stack grows down and frames are left from the
 * lowest up:
 *
 *	entry at sp:	calls with a lower sp have been unwound by longjmp
 *			or an exception;
 *			a call of another function with the same sp and
 *			return address jumped here (a tail call): both
 *			return at once;
 *			a call of the same function at the same sp has
 *			been unwound
 *	return to sp:	calls at sp - pushed (what a call puts on the stack)
 *			that return to this address have returned, calls
 *			below have been unwound
 *
 * An entry further down proves nothing about a call that was left by longjmp or
 * an exception. calls_end_overwritten() reads the memory where the call's
 * return address was stored, which the frames of later calls overwrite.
 *
 * Fibers, coroutines and alternate signal stacks break the first rule: a call
 * on such a stack may have a lower sp and be only suspended. Then the memory
 * decides: as long as a frame is live, its return address is unchanged in
 * memory. If we cannot tell whether a call is live, it is kept, and it ends
 * when its place is used again.
 *
 * Greenlets break every rule: they copy the part of the stack that another
 * greenlet needs to the heap, and later back to the same place. In such a
 * program a call whose place is taken is not ended but suspended, and it ends
 * when its return is seen. If several suspended calls have the same place and
 * return address, the call returns whose caller's registers match: a function
 * preserves some registers (struct arch_calling), and two greenlets hardly ever
 * have the same values in them. If no call matches, an untraced function that
 * was called by the same instruction has returned. We cannot tell which
 * suspended calls were abandoned by longjmp: the oldest are ended when there
 * are too many.
 *
 * Deep recursion is no special case: each entry looks only at the calls that it
 * replaces.
 */
#include "tracer/model/calls.h"

#include <assert.h>
#include <string.h>

/* At one entry, at most this many suspended calls are looked for in memory. */
#define ASK_MOST 4
#define IDLE_MOST 64
/* The stack address of a call that is not on the native stack. It is above all
 * stacks: an entry or a return ends only calls below its own stack address. */
#define NO_PLACE UINT64_MAX
/* How many calls of a thread may be suspended; then the oldest one ends. */
#define AWAY_MOST 4096

void
call_pool_release(struct call_pool *pool)
{
	for (size_t i = 0; i < pool->idle.count; i++) {
		arena_release(&pool->idle.at[i]->arena);
		free(pool->idle.at[i]);
	}
	vec_release(&pool->idle);
}

static struct call *
pool_take(struct call_pool *pool)
{
	struct call *call;

	if (pool->idle.count == 0) {
		call = xcalloc(1, sizeof(*call));
		arena_init(&call->arena);
		return call;
	}
	call = pool->idle.at[--pool->idle.count];
	arena_clear(&call->arena);
	memset(&call->event, 0, sizeof(call->event));
	call->user = NULL;
	call->taken = false;
	call->placeless = false;
	return call;
}

void
call_pool_give(struct call_pool *pool, struct call *call)
{
	if (pool->idle.count < IDLE_MOST) {
		vec_push(&pool->idle, call);
		return;
	}
	arena_release(&call->arena);
	free(call);
}

void
calls_init(struct calls *calls, struct call_pool *pool,
	   void (*ended)(struct calls *, struct call *, enum call_end),
	   void *user)
{
	*calls = (struct calls){ .pool = pool, .ended = ended, .user = user };
}

void
calls_release(struct calls *calls)
{
	for (size_t i = 0; i < calls->live.count; i++)
		call_pool_give(calls->pool, calls->live.at[i]);
	for (size_t i = 0; i < calls->away.count; i++)
		call_pool_give(calls->pool, calls->away.at[i]);
	vec_release(&calls->live);
	vec_release(&calls->away);
}

static void
tell_end(struct calls *calls, struct call *call, enum call_end how)
{
	calls->ended(calls, call, how);
	if (!call->taken)
		call_pool_give(calls->pool, call);
}

static void
end_call(struct calls *calls, size_t i, enum call_end how)
{
	struct call *call = calls->live.at[i];

	vec_remove(&calls->live, i);
	tell_end(calls, call, how);
}

static void
end_away(struct calls *calls, size_t i, enum call_end how)
{
	struct call *call = calls->away.at[i];

	vec_remove(&calls->away, i);
	tell_end(calls, call, how);
}

/* Another call has taken the place of the call: the call has been unwound, or
 * its stack has been copied away. */
static void
leave_place(struct calls *calls, size_t i)
{
	if (!calls->copied) {
		end_call(calls, i, CALL_UNWOUND);
		return;
	}
	vec_push(&calls->away, calls->live.at[i]);
	vec_remove(&calls->live, i);
	if (calls->away.count > AWAY_MOST)
		end_away(calls, 0, CALL_UNWOUND);
}

static bool
same_caller(const struct call *call, uint64_t preserved)
{
	return !call->preserved || !preserved || call->preserved == preserved;
}

/* Is the call's return address unchanged in memory, or was it never there? */
static bool
still_there(const struct calls *calls, const struct call *call,
	    struct reader *memory)
{
	uint64_t word;

	return !calls->pushed || !memory ||
	       reader_word(memory, call->sp, calls->pushed, &word) < 0 ||
	       word == call->return_address;
}

/* Has the call at index `at`, which is below a new entry at sp, been
 * unwound? */
static bool
gone_below(const struct calls *calls, const struct call *call, addr_t sp,
	   struct reader *memory, unsigned *asked)
{
	bool own = calls_own_stack(calls, call->sp);

	if (own != calls_own_stack(calls, sp))
		return false;
	if (own)
		return true;
	return (*asked)++ < ASK_MOST && !still_there(calls, call, memory);
}

/*
 * Returns the first call at the same place as a new entry that cannot be live
 * any more, or live.count.
 */
static size_t
first_replaced(const struct calls *calls, addr_t sp, addr_t return_address,
	       uint64_t preserved, const void *function)
{
	for (size_t i = 0; i < calls->live.count; i++) {
		const struct call *call = calls->live.at[i];

		if (call->sp == sp &&
		    (call->return_address != return_address ||
		     call->function == function ||
		     (calls->copied && !same_caller(call, preserved))))
			return i;
	}
	return calls->live.count;
}

static void
end_replaced(struct calls *calls, addr_t sp, addr_t return_address,
	     uint64_t preserved, const void *function)
{
	size_t first =
		first_replaced(calls, sp, return_address, preserved, function);

	for (size_t i = calls->live.count; i-- > first;) {
		if (calls->live.at[i]->sp == sp)
			leave_place(calls, i);
	}
}

static void
end_passed(struct calls *calls, addr_t sp, struct reader *memory)
{
	unsigned asked = 0;

	for (size_t i = calls->live.count; i-- > 0;) {
		struct call *call = calls->live.at[i];

		if (call->sp > sp && calls_own_stack(calls, call->sp) &&
		    calls_own_stack(calls, sp))
			return;
		if (call->sp < sp &&
		    gone_below(calls, call, sp, memory, &asked))
			leave_place(calls, i);
	}
}

struct call *
calls_enter(struct calls *calls, addr_t sp, addr_t return_address,
	    uint64_t preserved, const void *function, struct reader *memory)
{
	struct call *call;

	if (calls->live.count > 0) {
		const struct call *last = calls->live.at[calls->live.count - 1];

		if (last->placeless || last->sp <= sp ||
		    !calls_own_stack(calls, sp)) {
			end_passed(calls, sp, memory);
			end_replaced(calls, sp, return_address, preserved,
				     function);
		}
	}
	call = pool_take(calls->pool);
	call->sp = sp;
	call->return_address = return_address;
	call->preserved = preserved;
	call->function = function;
	call->event.depth = (unsigned)calls->live.count;
	vec_push(&calls->live, call);
	return call;
}

struct call *
calls_enter_placeless(struct calls *calls, const void *function)
{
	struct call *call = pool_take(calls->pool);

	call->sp = NO_PLACE;
	call->return_address = 0;
	call->preserved = 0;
	call->function = function;
	call->placeless = true;
	call->event.depth = (unsigned)calls->live.count;
	vec_push(&calls->live, call);
	return call;
}

struct call *
calls_inherit(struct calls *calls, const struct call *from)
{
	struct call *call = pool_take(calls->pool);
	const struct event_call *event = &from->event;

	call->sp = from->sp;
	call->return_address = from->return_address;
	call->preserved = from->preserved;
	call->function = from->function;
	call->event = (struct event_call){
		.id = event->id,
		.name = event->name,
		.display = event->display,
		.module = event->module,
		.caller = event->caller,
		.depth = event->depth,
		.entry = event->entry,
		.return_address = event->return_address,
		.began = event->began,
		.before = event->before,
	};
	vec_push(&calls->live, call);
	return call;
}

struct return_place {
	addr_t sp, return_address;
	/* hash of the caller's registers that the call must have; 0: any */
	uint64_t preserved;
};

static bool
returns_to(const struct call *call, const struct return_place *place)
{
	return call->sp == place->sp &&
	       call->return_address == place->return_address &&
	       same_caller(call, place->preserved);
}

/* Returns the index of the last of count calls that return to the place, or
 * count. */
static size_t
last_returning(struct call *const *calls, size_t count,
	       const struct return_place *place)
{
	for (size_t i = count; i-- > 0;) {
		if (returns_to(calls[i], place))
			return i;
	}
	return count;
}

static size_t
return_live(struct calls *calls, size_t found, const struct return_place *place)
{
	addr_t at = place->sp;
	size_t count = 0;

	for (size_t i = calls->live.count; i-- > found + 1;) {
		const struct call *call = calls->live.at[i];

		if (call->sp < at && calls_own_stack(calls, call->sp) &&
		    calls_own_stack(calls, at))
			leave_place(calls, i);
	}
	for (size_t i = found + 1; i-- > 0;) {
		if (!returns_to(calls->live.at[i], place))
			continue;
		end_call(calls, i, CALL_RETURNED);
		count++;
		if (i > 0 && calls->live.at[i - 1]->sp != at)
			break;
	}
	return count;
}

/*
 * Ends a suspended call, and the calls of other functions to which it has
 * jumped (tail calls): they have the same place, and were suspended before it,
 * the innermost first. An earlier call of the same function at this place is
 * another call, and is not ended.
 */
static size_t
return_away(struct calls *calls, size_t found, const struct return_place *place)
{
	const void *function = calls->away.at[found]->function;
	size_t first = found, count = 0;

	while (first > 0 && returns_to(calls->away.at[first - 1], place) &&
	       calls->away.at[first - 1]->function != function)
		first--;
	for (size_t i = first; i <= found; i++) {
		end_away(calls, first, CALL_RETURNED);
		count++;
	}
	return count;
}

/* A function may remove its arguments from the stack when it returns. Its call
 * is then at most calls->popped bytes below the place. Returns the index of the
 * innermost call that is there, or live.count. */
static size_t
last_that_popped(const struct calls *calls, const struct return_place *place)
{
	for (size_t i = calls->live.count; i-- > 0;) {
		struct return_place there = *place;

		there.sp = calls->live.at[i]->sp;
		if (returns_to(calls->live.at[i], &there) &&
		    there.sp < place->sp &&
		    place->sp - there.sp <= calls->popped)
			return i;
	}
	return calls->live.count;
}

size_t
calls_return(struct calls *calls, addr_t sp, addr_t pc, uint64_t preserved)
{
	struct return_place place = { .sp = sp - calls->pushed,
				      .return_address = pc,
				      .preserved =
					      calls->copied ? preserved : 0 };
	size_t i = last_returning(calls->live.at, calls->live.count, &place);

	if (i < calls->live.count)
		return return_live(calls, i, &place);
	i = last_returning(calls->away.at, calls->away.count, &place);
	if (i < calls->away.count)
		return return_away(calls, i, &place);
	i = calls->popped ? last_that_popped(calls, &place) : calls->live.count;
	if (i == calls->live.count)
		return 0;
	place.sp = calls->live.at[i]->sp;
	return return_live(calls, i, &place);
}

void
calls_landed(struct calls *calls, addr_t sp)
{
	bool own = calls_own_stack(calls, sp - 1);

	for (size_t i = calls->live.count; i-- > 0;) {
		const struct call *call = calls->live.at[i];

		/* If the jump has led to a stack that is not the thread's own,
		 * we know only that the call whose place is directly below sp
		 * was left. */
		if (own ? call->sp < sp && calls_own_stack(calls, call->sp)
			: call->sp + calls->pushed == sp)
			leave_place(calls, i);
	}
}

/* The calls that are further up on the thread's own stack than sp, from the
 * innermost one on, at most CALLS_READ_MOST, and the words at their places. */
struct call_places {
	size_t count, at[CALLS_READ_MOST]; /* indexes of calls->live */
	uint64_t words[CALLS_READ_MOST];
	struct span spans[CALLS_READ_MOST];
};

static void
places_above(const struct calls *calls, addr_t sp,
	     struct call_places *ret_places)
{
	ret_places->count = 0;
	for (size_t i = calls->live.count;
	     i-- > 0 && ret_places->count < CALLS_READ_MOST;) {
		addr_t from = calls->live.at[i]->sp;
		size_t n = ret_places->count;

		/* A system call, and what else has no return address, has
		 * stored none. */
		if (from <= sp || !calls_own_stack(calls, from) ||
		    !calls->live.at[i]->return_address)
			continue;
		ret_places->at[n] = i;
		ret_places->words[n] = 0;
		ret_places->spans[n] =
			(struct span){ from, &ret_places->words[n],
				       calls->pushed };
		ret_places->count++;
	}
}

void
calls_end_overwritten(struct calls *calls, addr_t sp, struct reader *memory)
{
	struct call_places places;
	size_t known;

	if (calls->copied || !calls->pushed || !memory ||
	    !calls_own_stack(calls, sp))
		return;
	places_above(calls, sp, &places);
	known = reader_spans(memory, places.spans, places.count);
	/* Each call is asked for itself: a call that was entered after another
	 * one was left is live, although it is further down. */
	for (size_t n = 0; n < places.count; n++) {
		const struct call *call = calls->live.at[places.at[n]];

		if (n < known ? places.words[n] != call->return_address
			      : !still_there(calls, call, memory))
			leave_place(calls, places.at[n]);
	}
}

bool
calls_reach(const struct calls *calls, addr_t sp)
{
	for (size_t i = 0; i < calls->live.count; i++) {
		if (calls->live.at[i]->sp <= sp)
			return true;
	}
	return false;
}

void
calls_end(struct calls *calls, size_t i, enum call_end how)
{
	assert(i < calls->live.count);
	end_call(calls, i, how);
}

void
calls_end_last(struct calls *calls, enum call_end how)
{
	assert(calls->live.count > 0);
	end_call(calls, calls->live.count - 1, how);
}

void
calls_end_all(struct calls *calls, enum call_end how)
{
	while (calls->live.count > 0)
		calls_end_last(calls, how);
	while (calls->away.count > 0)
		end_away(calls, calls->away.count - 1, how);
}
