/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every module is searched once for interpreters, in the order of loading, by
 * the symbols that it defines. An interpreter may be the program, one of its
 * libraries (libruby), or a library that is loaded later (uwsgi's plugins,
 * PL/Python).
 *
 * A module is searched when it is relocated, because an interpreter describes
 * itself by tables of pointers. A walk reads through a read cache, so reading
 * the same frames again costs one system call, and a few more for new frames.
 */
#include "stacks/source.h"

#include "base/log.h"
#include "base/vec.h"
#include "stacks/module_binary.h"
#include "stacks/read_cache.h"
#include "stacks/source_parts.h"
#include "symbols/image.h"

#include <errno.h>
#include <stdlib.h>

/* How many innermost frames are searched for those of a driver. */
#define STATEMENT_FRAMES 48u

struct sources {
	struct read_cache cache;
	unsigned changes; /* map.changes when the modules were
			   * searched */
	unsigned seen;	  /* the highest serial of a module that was seen */
	vec_of(unsigned) waiting; /* serials of modules that have to be
				   * searched */
	vec_of(struct source *) list;
	vec_of(char *) complaints;
	/* the message that the caller has got; it is kept for the caller */
	char *told;
};

struct sources *
sources_new(void)
{
	struct sources *sources = xcalloc(1, sizeof(*sources));

	read_cache_init(&sources->cache);
	return sources;
}

void
sources_free(struct sources *sources)
{
	if (!sources)
		return;
	for (size_t i = 0; i < sources->list.count; i++)
		sources->list.at[i]->ops->free(sources->list.at[i]);
	for (size_t i = 0; i < sources->complaints.count; i++)
		free(sources->complaints.at[i]);
	vec_release(&sources->waiting);
	vec_release(&sources->list);
	vec_release(&sources->complaints);
	free(sources->told);
	read_cache_release(&sources->cache);
	free(sources);
}

static void
complain(struct sources *sources, const struct err *err)
{
	debug("%s", err->text);
	vec_push(&sources->complaints, xstrdup(err->text));
}

const char *
sources_complaint(struct sources *sources)
{
	if (sources->complaints.count == 0)
		return NULL;
	free(sources->told);
	sources->told = sources->complaints.at[0];
	vec_remove(&sources->complaints, 0);
	return sources->told;
}

/* ---- finding ---------------------------------------------------------------
 */

static void
look_for(struct sources *sources, const struct source_ops *ops,
	 const struct module *module)
{
	struct module_binary of;
	struct source *source;
	struct err err;
	int r;

	module_binary_init(&of, module);
	r = ops->find(&of.binary, &sources->cache.reader, &source, &err);
	if (r == -ENOTSUP)
		complain(sources, &err);
	if (r < 0)
		return;
	debug("%s: an interpreter", of.binary.label);
	source->ops = ops;
	source->module = module->serial;
	vec_push(&sources->list, source);
}

static void
look_at(struct sources *sources, const struct module *module)
{
	/* xtrace knows the layouts of interpreters only in 64-bit programs. */
	if (image_word(module->image) != sizeof(uint64_t))
		return;
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++)
		look_for(sources, source_languages[kind], module);
}

bool
sources_may_be_in(const struct module *module)
{
	struct module_binary of;

	module_binary_init(&of, module);
	for (int kind = FRAME_SCRIPT; kind < FRAME_KINDS; kind++) {
		if (binary_symbol(&of.binary, source_languages[kind]->mark))
			return true;
	}
	return false;
}

static const struct module *
module_of(const struct modmap *modules, unsigned serial)
{
	for (size_t i = 0; i < modules->modules.count; i++) {
		if (modules->modules.at[i]->serial == serial)
			return modules->modules.at[i];
	}
	return NULL;
}

static void
drop_unmapped(struct sources *sources, const struct modmap *modules)
{
	for (size_t i = sources->list.count; i-- > 0;) {
		struct source *source = sources->list.at[i];

		if (module_of(modules, source->module))
			continue;
		source->ops->free(source);
		vec_remove(&sources->list, i);
	}
}

/* Adds to the waiting modules those with an interpreter that were loaded since
 * the last search. A module that was loaded later has a higher serial. */
static void
take_new(struct sources *sources, const struct modmap *modules)
{
	unsigned seen = sources->seen;

	for (size_t i = 0; i < modules->modules.count; i++) {
		const struct module *module = modules->modules.at[i];
		unsigned serial = module->serial;

		if (serial > seen && sources_may_be_in(module))
			vec_push(&sources->waiting, serial);
		if (serial > sources->seen)
			sources->seen = serial;
	}
	sources->changes = modules->changes;
}

static void
look_at_waiting(struct sources *sources, const struct modmap *modules)
{
	size_t kept = 0;

	for (size_t i = 0; i < sources->waiting.count; i++) {
		unsigned serial = sources->waiting.at[i];
		const struct module *module = module_of(modules, serial);

		if (module && module->relocated)
			look_at(sources, module);
		else if (module)
			sources->waiting.at[kept++] = serial;
	}
	sources->waiting.count = kept;
}

static void
follow_modules(struct sources *sources, const struct modmap *modules)
{
	if (!sources->seen || sources->changes != modules->changes) {
		drop_unmapped(sources, modules);
		take_new(sources, modules);
	}
	if (sources->waiting.count > 0)
		look_at_waiting(sources, modules);
}

size_t
sources_prepare(struct sources *sources, const struct modmap *modules,
		struct reader *memory)
{
	size_t readable = 0;

	read_cache_begin(&sources->cache, memory);
	follow_modules(sources, modules);
	for (size_t i = 0; i < sources->list.count; i++)
		readable += !sources->list.at[i]->refused;
	return readable;
}

/* ---- walking ---------------------------------------------------------------
 */

static void
walk(struct sources *sources, struct source *source, const struct regs *regs,
     struct stack *stack)
{
	struct err err = { "" };

	source->ops->walk(source, &sources->cache.reader, regs, stack, &err);
	if (err.text[0])
		complain(sources, &err);
}

size_t
sources_walk(struct sources *sources, const struct modmap *modules,
	     struct reader *memory, const struct regs *regs,
	     struct stack *stack)
{
	size_t readable = 0;

	read_cache_begin(&sources->cache, memory);
	follow_modules(sources, modules);
	for (size_t i = 0; i < sources->list.count; i++) {
		struct source *source = sources->list.at[i];

		walk(sources, source, regs, stack);
		readable += !source->refused;
	}
	return readable;
}

bool
sources_statement(struct sources *sources, const struct modmap *modules,
		  struct reader *memory, const struct regs *regs,
		  const struct statement *statement,
		  struct statement_text *ret_text)
{
	bool found = false;

	read_cache_begin(&sources->cache, memory);
	follow_modules(sources, modules);
	for (size_t i = 0; i < sources->list.count && !found; i++) {
		struct source *source = sources->list.at[i];
		struct stack stack;

		if (!source->ops->statement)
			continue;
		stack_init(&stack, statement->arena, STATEMENT_FRAMES);
		walk(sources, source, regs, &stack);
		found = source->ops->statement(source, &sources->cache.reader,
					       regs, &stack, statement,
					       ret_text) &&
			ret_text->length > 0;
	}
	return found;
}

bool
sources_query(struct sources *sources, const struct modmap *modules,
	      struct reader *memory, const struct regs *regs,
	      struct arena *arena, struct statement_query *ret_query)
{
	bool found = false;

	*ret_query = (struct statement_query){ .descriptor = -1 };
	read_cache_begin(&sources->cache, memory);
	follow_modules(sources, modules);
	for (size_t i = 0; i < sources->list.count && !found; i++) {
		struct source *source = sources->list.at[i];
		struct stack stack;

		if (!source->ops->query)
			continue;
		stack_init(&stack, arena, STATEMENT_FRAMES);
		walk(sources, source, regs, &stack);
		found = source->ops->query(source, &sources->cache.reader, regs,
					   &stack, ret_query) &&
			ret_query->text.length > 0;
	}
	return found;
}

void
sources_coroutines(struct sources *sources, const struct modmap *modules,
		   struct reader *memory, const struct regs *regs,
		   struct arena *arena, struct statement_queries *queries)
{
	read_cache_begin(&sources->cache, memory);
	follow_modules(sources, modules);
	for (size_t i = 0; i < sources->list.count; i++) {
		struct source *source = sources->list.at[i];
		struct stack stack;

		if (!source->ops->coroutines)
			continue;
		stack_init(&stack, arena, STATEMENT_FRAMES);
		walk(sources, source, regs, &stack);
		source->ops->coroutines(source, &sources->cache.reader, &stack,
					queries);
	}
}

bool
sources_coroutine_statement(struct sources *sources, const struct stack *stack,
			    const struct regs *regs,
			    const struct statement *statement,
			    struct statement_text *ret_text)
{
	bool found = false;

	for (size_t i = 0; i < sources->list.count && !found; i++) {
		struct source *source = sources->list.at[i];

		found = source->ops->coroutines && source->ops->statement &&
			source->ops->statement(source, &sources->cache.reader,
					       regs, stack, statement,
					       ret_text) &&
			ret_text->length > 0;
	}
	return found;
}

bool
sources_frame_state(struct sources *sources, const struct frame *frame,
		    struct source_frame_state *ret_state)
{
	for (size_t i = 0; i < sources->list.count; i++) {
		struct source *source = sources->list.at[i];

		if (source->ops == source_languages[frame->kind] &&
		    source->ops->frame_state &&
		    source->ops->frame_state(source, &sources->cache.reader,
					     frame, ret_state))
			return true;
	}
	return false;
}

size_t
sources_descriptors(struct sources *sources, const struct frame *frame,
		    int *ret_descriptors, size_t most)
{
	size_t count = 0;

	for (size_t i = 0; i < sources->list.count && count == 0; i++) {
		struct source *source = sources->list.at[i];

		if (source->ops == source_languages[frame->kind] &&
		    source->ops->descriptors)
			count = source->ops->descriptors(source,
							 &sources->cache.reader,
							 frame, ret_descriptors,
							 most);
	}
	return count;
}

bool
sources_traceparent(struct sources *sources, const struct frame *frame,
		    char *to, size_t most)
{
	bool found = false;

	for (size_t i = 0; i < sources->list.count && !found; i++) {
		struct source *source = sources->list.at[i];

		found = source->ops == source_languages[frame->kind] &&
			source->ops->traceparent &&
			source->ops->traceparent(source, &sources->cache.reader,
						 frame, to, most);
	}
	return found;
}

void
sources_add_resumers(struct sources *sources, struct reader *memory,
		     const struct regs *regs, struct stack *stack)
{
	for (size_t i = 0; i < sources->list.count; i++) {
		struct source *source = sources->list.at[i];

		if (source->ops->add_resumers && !source->refused)
			source->ops->add_resumers(source, memory, regs, stack);
	}
}

bool
sources_task(struct sources *sources, struct reader *memory,
	     const struct frame *frame, char *to, size_t most)
{
	bool found = false;

	for (size_t i = 0; i < sources->list.count && !found; i++) {
		struct source *source = sources->list.at[i];

		found = source->ops == source_languages[frame->kind] &&
			source->ops->task &&
			source->ops->task(source, memory, frame, to, most);
	}
	return found;
}

void
sources_activity(struct sources *sources, struct reader *memory,
		 const struct regs *regs, addr_t futex,
		 struct source_activity *ret_activity)
{
	*ret_activity = (struct source_activity){ 0 };
	for (size_t i = 0; i < sources->list.count; i++) {
		struct source *source = sources->list.at[i];

		if (source->ops->activity && !source->refused)
			source->ops->activity(source, memory, regs, futex,
					      ret_activity);
	}
}
