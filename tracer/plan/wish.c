/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planting what was wished for. The same function may be wished for twice (by
 * two filters, or as the callee of two modules): one site has a list of what
 * it stands for, each of them once.
 */
#include "tracer/plan/wish.h"

#include "base/log.h"
#include "conf/model/probe.h"
#include "tracer/model/say.h"
#include "tracer/plan/naming.h"
#include "tracer/plan/plan.h"
#include "tracer/plan/prototypes.h"
#include "tracer/plan/sets.h"

#include <string.h>

struct plan *
plan_of(struct module *module)
{
	if (!module->user)
		module->user = plan_new(module->image);
	return module->user;
}

void
wish_init(struct wish *wish, struct program *program, struct module *module)
{
	*wish = (struct wish){
		.program = program,
		.module = module,
		.plan = plan_of(module),
		.label = { .label = image_label(module->image),
			   .path = image_name(module->image),
			   .linked_as = module->linked_as,
			   .main = module->main },
	};
}

void
traced_take_probe(struct traced *traced, const struct probe *probe)
{
	traced->kind = TRACED_PROBED;
	traced->probe = probe;
	traced->proto = probe->proto;
	traced->proto_known = true;
}

struct traced *
traced_new(struct wish *wish, enum traced_kind kind, const char *name,
	   const char *module, addr_t address)
{
	struct session *session = wish->program->session;
	struct traced *traced =
		arena_zalloc(&wish->plan->arena, sizeof(*traced));
	const struct probe *probe;

	traced->kind = kind;
	traced->name = name;
	traced->module = module;
	traced->address = address;
	traced->plan = wish->plan;
	/*
	 * The files are read now, while nobody stands and waits for it. Jumps
	 * are found within a call, and show no arguments.
	 */
	if (kind != TRACED_JUMP)
		prototypes_expect(session->prototypes, module);
	probe = kind == TRACED_ENTRY ? sets_probe(session->sets, name) : NULL;
	if (probe) {
		wish->plan->probed = true;
		traced_take_probe(traced, probe);
	}
	naming_compose(wish, traced);
	return traced;
}

void
wish_for(struct wish *wish, struct traced *traced)
{
	struct planting planting = { .address = traced->address,
				     .user = traced };

	vec_push(&wish->plantings, planting);
}

/* The same thing planted twice (a library named by two filters) is one. */
static bool
already_there(const struct site *site, const struct traced *traced)
{
	for (const struct traced *t = site->user; t; t = t->next) {
		if (t->kind == traced->kind && t->plan == traced->plan &&
		    (traced_is_entry(t) || !strcmp(t->name, traced->name)))
			return true;
	}
	return false;
}

static void
put_on_site(struct site *site, struct traced *traced)
{
	struct traced **end = (struct traced **)&site->user;

	if (already_there(site, traced))
		return;
	while (*end)
		end = &(*end)->next;
	*end = traced;
}

/* What a filter names is said to be missing, once, if it is nowhere. */
static void
note_found(struct session *session, const struct traced *traced)
{
	if (session->naming.asked && !session->naming.said_missing)
		strmap_put(&session->naming.found, traced->name,
			   &session->naming.found);
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
		struct traced *traced = p->user;

		if (p->site) {
			note_found(session, traced);
			put_on_site(p->site, traced);
			session->counts.planted++;
			continue;
		}
		/* What is gone is not refused. */
		if (!p->why)
			continue;
		session->counts.refused++;
		say_refused(session, traced->name,
			    image_label(traced->plan->image), p->why);
	}
	say_confined(program);
	return r;
}

int
wish_plant(struct wish *wish, struct thread *thread)
{
	struct program *program = wish->program;
	int r = 0;

	if (wish->plantings.count)
		debug("%s: %zu sites", wish->label.label,
		      wish->plantings.count);
	if (program->planned->waiting) {
		for (size_t i = 0; i < wish->plantings.count; i++) {
			const struct traced *traced =
				wish->plantings.at[i].user;

			vec_push(&program->planned->pending,
				 wish->plantings.at[i]);
			note_found(program->session, traced);
		}
	} else if (wish->plantings.count) {
		r = plant_all(program, wish->plantings.at,
			      wish->plantings.count, thread);
	}
	vec_release(&wish->plantings);
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
