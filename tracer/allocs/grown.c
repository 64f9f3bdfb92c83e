/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Only memory that may be written counts: files that are mapped to be read, and
 * ranges of addresses that are reserved, are no growth. glibc reserves the
 * memory of a thread's arena and of its stack, and makes it writable by
 * mprotect(2) when it is needed.
 *
 * The functions of the C library are trapped, not the system calls that they
 * make: the stack can be walked in both cases, and few calls of these functions
 * get or return no memory. What a program maps by a system call of its own is
 * not seen.
 */
#include "tracer/allocs/grown.h"

#include "process/maps.h"
#include "process/regs.h"
#include "process/status.h"
#include "symbols/symtab.h"
#include "tracer/allocs/allocs.h"
#include "tracer/plan/batch.h"
#include "tracer/report/where.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static const char *const functions[] = { "mmap", "mremap", "munmap", "sbrk",
					 "mprotect" };

/* Does the module define all of these functions? Then it is the C library, or a
 * program that contains the C library. */
static bool
defines_all(const struct module *module, enum symtab_extent extent)
{
	for (size_t i = 0; i < array_size(functions); i++)
		if (!symtab_find(module->image, extent, functions[i]))
			return false;
	return true;
}

void
grown_add(struct batch *batch)
{
	enum symtab_extent extent = SYMTAB_DYNAMIC;

	if (!batch->program->session->allocs)
		return;
	if (!defines_all(batch->module, extent)) {
		extent = SYMTAB_ALL;
		if (batch->module->dynamic ||
		    !defines_all(batch->module, extent))
			return;
	}
	for (size_t i = 0; i < array_size(functions); i++) {
		const struct symbol *symbol =
			symtab_find(batch->module->image, extent, functions[i]);
		addr_t address = batch->module->bias + symbol->address;

		if (symbol->kind != SYMBOL_FUNCTION)
			continue;
		batch_add(batch,
			  tracepoint_new(batch, TRACEPOINT_GROWTH, symbol->name,
					 batch->label.label, address));
		allocs_own(batch->program, address);
	}
}

static bool
is_writable(const struct program *program, addr_t address)
{
	struct mapping mapping;

	if (maps_query(status_living(program->space->pid), address, &mapping) <
	    0)
		return false;
	free(mapping.path);
	return mapping.writable;
}

/* Reads from the call's arguments how much memory it will get if it succeeds.
 * Returns false if the call is no growth. */
static bool
read_call(const struct hit *hit, const char *name, struct grown *growth)
{
	uint64_t first = hit_argument(hit, 0), second = hit_argument(hit, 1);
	uint64_t third = hit_argument(hit, 2), fourth = hit_argument(hit, 3);

	*growth = (struct grown){ .kind = name, .length = second };
	if (!strcmp(name, "mmap")) {
		growth->bytes = second;
		return third & PROT_WRITE && fourth & MAP_ANONYMOUS;
	}
	if (!strcmp(name, "mremap")) {
		growth->length = third;
		growth->bytes = third > second ? third - second : 0;
		return growth->bytes > 0;
	}
	if (!strcmp(name, "sbrk")) {
		growth->kind = "brk";
		growth->length = growth->bytes = first;
		return (int64_t)first > 0;
	}
	growth->at = first;
	growth->bytes = second;
	return third & PROT_WRITE && !is_writable(hit->program, first);
}

/* Subtracts what this call of munmap(), mremap() or sbrk() gives back from the
 * thread's last growth. */
static void
take_back(const struct hit *hit, const char *name)
{
	int64_t first = (int64_t)hit_argument(hit, 0);
	uint64_t length = hit_argument(hit, 1), wanted = hit_argument(hit, 2);
	pid_t tid = hit->record->thread->tid;

	if (!strcmp(name, "munmap"))
		allocs_unmapped(hit->session, tid, (addr_t)first, length);
	/* If mremap() makes a mapping shorter, it unmaps the end of the old
	 * mapping, even if it also moves the mapping. */
	else if (!strcmp(name, "mremap") && wanted < length)
		allocs_unmapped(hit->session, tid, (addr_t)first + wanted,
				length - wanted);
	else if (!strcmp(name, "sbrk") && first < 0)
		allocs_shrunk(hit->session, tid, -(uint64_t)first);
}

static int
begin(struct hit *hit, struct tracepoint *tracepoint, addr_t return_address,
      const struct grown *growth)
{
	struct call *call;
	int r = report_begin(hit, tracepoint, return_address, &call);

	if (r < 0)
		return r == -ESRCH ? r : 0;
	report_open(call)->own =
		arena_copy(&call->arena, growth, sizeof(*growth));
	where_capture(hit, call);
	return 0;
}

int
grown_entered(struct hit *hit, struct tracepoint *tracepoint,
	      addr_t return_address)
{
	struct grown growth;
	int r = 0;

	if (!allocs_watch(hit))
		return 0;
	take_back(hit, tracepoint->name);
	if (strcmp(tracepoint->name, "munmap") != 0 &&
	    read_call(hit, tracepoint->name, &growth))
		r = begin(hit, tracepoint, return_address, &growth);
	allocs_spent(hit->session, hit->record->thread);
	return r;
}

/* Has the call got the memory? If so, notes the address of the memory, which
 * the call has returned. */
static bool
succeeded(struct grown *growth, uint64_t result)
{
	if (!strcmp(growth->kind, "mprotect"))
		return (int32_t)result == 0;
	growth->at = result;
	return result != UINT64_MAX;
}

void
grown_over(struct session *session, struct thread_record *record,
	   struct call *call, enum call_end how)
{
	const struct open_call *open = report_open(call);
	struct grown *growth = open->own;
	const struct regs *regs;

	if (how != CALL_RETURNED || !growth)
		return;
	regs = thread_regs(&session->table, record->thread);
	if (regs &&
	    succeeded(growth,
		      open->program->space->arch->calling->result(regs)))
		allocs_keep(session, record, call, growth);
	allocs_spent(session, record->thread);
}
