/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stale code is found in three places: behind a module's text, where the file
 * has the original bytes, or behind the vdso, where there were none; in the
 * handler area; or at the beginning of a region of slots, where there were none
 * either. xtrace completes the code for the thread: it skips the remaining
 * system calls, which were for the killed xtrace, and moves the thread to the
 * known end of the code.
 */
#include "tracer/attach/stale_code.h"

#include "arch/code.h"
#include "arch/stub.h"
#include "base/log.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/woken.h"
#include "tracer/remote_calls/await.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <time.h>

/* How many stops of other kinds to handle, and how often to check a thread that
 * does not stop. */
#define STOPS_MOST 1000

struct code_place {
	addr_t at;
	size_t size;
	uint8_t original[STUB_ROOM], now[STUB_ROOM];
};

/* Finds the room from the end of a text to the end of its page, and the bytes
 * that the file has there. The caller sets *place to zero before the call. */
static bool
behind_text(struct program *program, struct code_place *place)
{
	const struct module *module =
		modmap_covering(&program->modules, program->scratch);
	uint64_t rest = ADDR_PAGE - program->scratch % ADDR_PAGE;
	const struct segment *segments;
	size_t count = 0;

	if (!program->scratch)
		return false;
	/* At the end of the vdso all bytes were zero. */
	if (!module) {
		place->at = program->scratch;
		place->size = STUB_ROOM;
		return true;
	}
	segments = image_segments(module->image, &count);
	place->at = program->scratch;
	place->size = rest < STUB_ROOM ? rest : STUB_ROOM;
	for (size_t i = 0; i < count; i++) {
		addr_t end = module->bias + segments[i].address +
			     segments[i].file_size;
		uint64_t at = segments[i].offset + segments[i].file_size +
			      (program->scratch - end);

		if (segments[i].executable && program->scratch - end < 16 &&
		    image_read_file(module->image, at, place->original,
				    place->size) == 0)
			return true;
	}
	return false;
}

static bool
within(const struct code_place *place, addr_t pc)
{
	return pc - place->at < place->size;
}

/* Moves the stopped thread out of stale code. */
static bool
lead_out(struct session *session, struct thread *thread,
	 const struct code_place *place)
{
	const struct regs *found = thread_regs(&session->table, thread);
	const struct arch *arch = thread->process->space->arch;
	const struct code code = { place->now, place->size, place->at };
	struct regs regs;
	uint64_t mask;

	if (!found || !within(place, regs_pc(found)))
		return false;
	regs = *found;
	if (!arch->stub_end(&code, &regs, &mask) ||
	    thread_set_signal_mask(thread, mask) < 0)
		return false;
	debug("%d: moved out of stale code at %#" PRIxADDR, thread->tid,
	      regs_pc(found));
	thread_set_regs(thread, &regs);
	return true;
}

static bool
may_be_within(struct table *table, struct thread *thread,
	      const struct code_place *place)
{
	struct blocked blocked;

	return woken_blocked(table, thread, &blocked) < 0 || blocked.running ||
	       within(place, blocked.pc);
}

/* Moves the thread out of the stale code if it is there. Returns false if the
 * thread may still be there. */
static bool
end_of(struct session *session, pid_t tid, const struct code_place *place,
       bool *ret_led)
{
	const struct timespec nap = { .tv_nsec = 200000 };

	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		struct stop stop;
		bool led;
		int r;

		if (!thread || (!thread->asked &&
				!may_be_within(&session->table, thread, place)))
			return true;
		r = thread_interrupt(&session->table, thread);
		if (r == 0)
			r = wait_asked(&session->table, thread, &stop);
		if (r == -EBUSY) {
			nanosleep(&nap, NULL);
			continue;
		}
		if (r < 0)
			return r != -ETIMEDOUT;
		led = stop.kind != STOP_GONE &&
		      lead_out(session, thread, place);
		*ret_led = *ret_led || led;
		if (stop.kind != STOP_INTERRUPT) {
			await_serve(session, &stop);
		} else {
			if (!led)
				thread_mend_interrupted(&session->table,
							thread);
			thread_resume(&session->table, thread, 0);
		}
		if (led || stop.kind == STOP_INTERRUPT)
			return true;
	}
	return false;
}

/* 1 if a thread was moved out; -ESRCH at an exec or the end of the process. */
static int
end_at(struct program *program, struct code_place *place)
{
	struct session *session = program->session;
	const struct table *table = &session->table;
	unsigned serial = program->space->serial;
	bool led = false, out = true, runs = true;
	pid_t pid = program->space->pid;
	struct pids tids;

	if (space_read_raw(program->space, place->at, place->now, place->size) <
		    0 ||
	    memcmp(place->now, place->original, place->size) == 0)
		return 0;
	debug("there is stale code at %#" PRIxADDR, place->at);
	tids = table_tids(table, NULL);
	for (size_t i = 0; i < tids.list.count && runs; i++) {
		const struct thread *thread =
			table_thread(table, tids.list.at[i]);

		if (!thread || thread->process->space != program->space)
			continue;
		out &= end_of(session, tids.list.at[i], place, &led);
		runs = session_runs(session, pid, serial);
	}
	vec_release(&tids.list);
	if (!runs)
		return -ESRCH;
	if (!out || space_write(program->space, place->at, place->original,
				place->size) < 0)
		debug("stale code: the thread stays in it");
	return led;
}

int
stale_code_end(struct program *program)
{
	const struct slots *slots = &program->sites.slots;
	addr_t area = program->sites.survive.code;
	struct code_place place = { 0 };
	int led = 0, r = 0;

	if (behind_text(program, &place))
		r = led = end_at(program, &place);
	for (size_t i = 0; r >= 0 && area && i < slots->regions.count; i++) {
		addr_t start = slots->regions.at[i].start;

		place = (struct code_place){ .at = start == area
							   ? slots->scratch
							   : start,
					     .size = STUB_ROOM };
		r = end_at(program, &place);
		led |= r;
	}
	return r < 0 ? r : led;
}

void
stale_code_tidy(struct program *program)
{
	struct code_place place = { 0 };

	if (behind_text(program, &place) &&
	    space_write(program->space, place.at, place.original, place.size) <
		    0)
		debug("the code at %#" PRIxADDR " stays", place.at);
}
