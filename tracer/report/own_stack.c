/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The main thread's stack has a name in /proc/PID/maps, and grows. Any other
 * thread's thread pointer is in the mapping of its stack, above the frames.
 *
 * Go makes its threads itself. The thread pointer is then in Go's heap, where
 * the stacks of all goroutines are, too. Of these the thread owns none: it may
 * continue another goroutine at any time. With cgo, the C library makes the
 * threads, each with a stack of its own, on which functions in C run.
 */
#include "tracer/report/own_stack.h"

#include "process/maps.h"
#include "symbols/image.h"
#include "symbols/symtab.h"

#include <stdlib.h>
#include <string.h>

/* The kernel's gap below a main stack (mmap_base() in arch/x86/mm/mmap.c). */
#define MAIN_STACK_ROOM (UINT64_C(128) << 20)

/* A function of every Go program with cgo. */
#define CGO_FUNCTION "x_cgo_init"

static bool
is_go_without_cgo(struct image *image)
{
	return image_go(image) &&
	       !symtab_find(image, SYMTAB_DYNAMIC, CGO_FUNCTION) &&
	       !symtab_find(image, SYMTAB_ALL, CGO_FUNCTION);
}

/* Does Go make the threads of the program? */
static bool
has_go_threads(const struct program *program)
{
	const struct modmap *modules = &program->modules;

	for (size_t i = 0; i < modules->modules.count; i++) {
		const struct module *module = modules->modules.at[i];

		if (module->main)
			return is_go_without_cgo(module->image);
	}
	return false;
}

void
own_stack_learn(struct hit *hit)
{
	struct thread_record *record = hit->record;
	const struct thread *thread = record->thread;
	bool main = thread->tid == thread->process->pid;
	addr_t within =
		main ? regs_sp(&hit->regs) : regs_thread_pointer(&hit->regs);
	struct mapping mapping;

	if (maps_query(hit->program->space->pid, within, &mapping) < 0)
		return;
	record->stack_known = true;
	if (main && !strcmp(mapping.path, "[stack]")) {
		record->calls.own_high = mapping.end;
		record->calls.own_low = mapping.end - MAIN_STACK_ROOM;
	} else if (main) {
		/* The thread is on a fiber's stack now: ask again later. */
		record->stack_known = false;
	} else if (!has_go_threads(hit->program)) {
		record->calls.own_low = mapping.start;
		record->calls.own_high = within;
	}
	free(mapping.path);
}
