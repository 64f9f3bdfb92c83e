/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plants a batch. A function may be in the batch twice (named by two filters,
 * or the callee of two modules). Then one site has a list of its tracepoints,
 * each once.
 *
 * A tracepoint that another one replaces stays valid, because calls in flight
 * refer to it.
 */
#include "tracer/plan/batch.h"

#include "base/log.h"
#include "conf/model/probe.h"
#include "symbols/symtab.h"
#include "tracer/model/say.h"
#include "tracer/plan/naming.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/ruby_core.h"
#include "tracer/plan/sets.h"

#include <string.h>

struct plan *
plan_of(struct module *module)
{
	if (!module->user)
		module->user = plan_new(module->image);
	return module->user;
}

struct filter_module
module_label(const struct module *module)
{
	return (struct filter_module){ .label = image_label(module->image),
				       .path = image_name(module->image),
				       .linked_as = module->linked_as,
				       .main = module->main };
}

void
batch_init(struct batch *batch, struct program *program, struct module *module)
{
	*batch = (struct batch){
		.program = program,
		.module = module,
		.plan = plan_of(module),
		.label = module_label(module),
	};
}

void
tracepoint_take_probe(struct tracepoint *tracepoint, const struct probe *probe)
{
	tracepoint->kind = TRACEPOINT_PROBED;
	tracepoint->probe = probe;
	tracepoint->proto = probe->proto;
	tracepoint->proto_known = true;
}

struct tracepoint *
tracepoint_new(struct batch *batch, enum tracepoint_kind kind, const char *name,
	       const char *module, addr_t address)
{
	struct session *session = batch->program->session;
	struct tracepoint *tracepoint =
		arena_zalloc(&batch->plan->arena, sizeof(*tracepoint));
	const struct probe *probe;

	tracepoint->kind = kind;
	tracepoint->name = name;
	tracepoint->module = module;
	tracepoint->address = address;
	tracepoint->plan = batch->plan;
	probe = kind == TRACEPOINT_ENTRY ? sets_probe(session->sets, name)
					 : NULL;
	if (probe) {
		batch->plan->probed = true;
		tracepoint_take_probe(tracepoint, probe);
	}
	/*
	 * Prototype files are read now, while no thread is stopped and waits. A
	 * probe has a prototype already; the calls at jumps and of socket
	 * functions are not shown, and need none.
	 */
	if (!probe && kind != TRACEPOINT_JUMP && kind != TRACEPOINT_SOCKET &&
	    kind != TRACEPOINT_SDT && kind != TRACEPOINT_SCRIPT)
		prototypes_expect(session->prototypes, name, module);
	naming_compose(batch, tracepoint);
	return tracepoint;
}

void
batch_add(struct batch *batch, struct tracepoint *tracepoint)
{
	struct planting planting = { .address = tracepoint->address,
				     .user = tracepoint };

	vec_push(&batch->plantings, planting);
}

/* Are they one, because the function is named by two filters or has two
 * names? */
static bool
is_same(const struct tracepoint *one, const struct tracepoint *other)
{
	return one->kind == other->kind && one->plan == other->plan &&
	       (tracepoint_is_entry(one) || !strcmp(one->name, other->name));
}

/*
 * Should the function be shown by its new name? The function that an IFUNC has
 * chosen (__strlen_evex for strlen) often has a name of its own in .symtab or a
 * debug file, which programs do not use. It is planted by that name before the
 * choice is known. If it has a jump, its calls may be counted by that name
 * already, so it keeps it.
 */
static bool
is_better_name(const struct site *site, const struct tracepoint *old,
	       const struct tracepoint *tracepoint)
{
	return tracepoint->of_ifunc && !old->of_ifunc && !site->jumping &&
	       !symtab_find(old->plan->image, SYMTAB_DYNAMIC, old->name);
}

static void
put_on_site(struct site *site, struct tracepoint *tracepoint)
{
	struct tracepoint **at = (struct tracepoint **)&site->user, *old;

	while (*at && !is_same(*at, tracepoint))
		at = &(*at)->next;
	old = *at;
	if (!old) {
		*at = tracepoint;
	} else if (is_better_name(site, old, tracepoint)) {
		tracepoint->tamperings |= old->tamperings;
		tracepoint->next = old->next;
		*at = tracepoint;
	} else {
		old->tamperings |= tracepoint->tamperings;
	}
}

static void
raise_semaphore(struct program *program, const struct site *site, addr_t at)
{
	if (at && semaphores_raise(&program->semaphores, at, site,
				   &program->space->arch->trap) < 0)
		debug("semaphore %#" PRIxADDR " is not counted", at);
}

/* The program reaches the probe only while its semaphores are counted up. */
static void
raise_semaphores(struct program *program, const struct site *site,
		 const struct tracepoint *tracepoint)
{
	if (!tracepoint->sdt || !site->planted)
		return;
	ruby_core_mend(program, tracepoint->sdt);
	raise_semaphore(program, site, tracepoint->sdt->semaphore);
	raise_semaphore(program, site, tracepoint->sdt->needed);
}

static int
plant_all(struct program *program, struct planting *plantings, size_t count,
	  struct thread *thread)
{
	struct session *session = program->session;
	int r = sites_plant(&program->sites, plantings, count, SITE_OWNER_CALL,
			    thread);

	for (size_t i = 0; i < count && r == 0; i++) {
		struct planting *p = &plantings[i];
		struct tracepoint *tracepoint = p->user;

		if (p->site) {
			put_on_site(p->site, tracepoint);
			raise_semaphores(program, p->site, tracepoint);
			session->counts.planted++;
			continue;
		}
		/* If the tracee has ended, no function was refused. */
		if (!p->why)
			continue;
		session->counts.refused++;
		say_refused(session, tracepoint->name,
			    image_label(tracepoint->plan->image), p->why);
	}
	say_confined(program);
	return r;
}

int
batch_plant(struct batch *batch, struct thread *thread)
{
	struct program *program = batch->program;
	int r = 0;

	if (batch->plantings.count)
		debug("%s: %zu sites", batch->label.label,
		      batch->plantings.count);
	if (batch->plantings.count && image_go(batch->module->image))
		say_go(program->session, batch->label.label);
	if (program->planned->waiting) {
		for (size_t i = 0; i < batch->plantings.count; i++)
			vec_push(&program->planned->pending,
				 batch->plantings.at[i]);
	} else if (batch->plantings.count) {
		r = plant_all(program, batch->plantings.at,
			      batch->plantings.count, thread);
	}
	vec_release(&batch->plantings);
	return r;
}

int
plan_pending(struct program *program, struct thread *thread)
{
	int r;

	program->planned->waiting = false;
	r = plant_all(program, program->planned->pending.at,
		      program->planned->pending.count, thread);
	vec_release(&program->planned->pending);
	return r;
}
