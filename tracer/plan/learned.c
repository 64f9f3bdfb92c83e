/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * There is one learner for each file, whichever processes map it. It is kept to
 * the end of the run, because calls and tracepoints have its prototypes.
 *
 * A tracepoint at a gate (a call through the PLT) has the name of the called
 * function and the module that defines it. The function's address is then
 * looked up among the symbols of this module.
 */
#include "tracer/plan/learned.h"

#include "base/map.h"
#include "conf/dump/dump.h"
#include "conf/model/proto.h"
#include "process/spawn.h"
#include "symbols/symtab.h"
#include "tracer/model/program.h"
#include "tracer/model/say.h"
#include "tracer/plan/downloads.h"
#include "tracer/plan/prototypes.h"
#include "values/learn/learn.h"

#include <errno.h>
#include <string.h>

struct learned {
	struct prototypes *prototypes;
	struct downloads *downloads;
	struct learn_look look;
	struct map learners; /* struct image -> struct learner */
};

static const struct type *
users_type(void *user, const char *name)
{
	struct learned *learned = user;

	return prototypes_users_type(learned->prototypes, name);
}

struct learned *
learned_new(const struct options *options, struct prototypes *prototypes)
{
	struct learned *learned = xcalloc(1, sizeof(*learned));

	learned->prototypes = prototypes;
	learned->look = (struct learn_look){
		.as_ltrace = options->as_ltrace,
		.places = options->prototype != NULL,
		.named = users_type,
		.user = learned,
	};
	learned->downloads = downloads_new();
	map_init(&learned->learners);
	return learned;
}

void
learned_free(struct learned *learned)
{
	size_t cursor = 0;
	void *learner;

	if (!learned)
		return;
	while (map_next(&learned->learners, &cursor, NULL, &learner))
		learner_free(learner);
	map_release(&learned->learners);
	downloads_free(learned->downloads);
	free(learned);
}

static struct learner *
learner_of(struct learned *learned, struct image *image)
{
	struct learner *learner = map_get(&learned->learners, (uintptr_t)image);

	if (!learner) {
		learner = learner_new(image, &learned->look);
		map_put(&learned->learners, (uintptr_t)image, learner);
	}
	return learner;
}

/* The module that has the tracepoint's function, or NULL. */
static struct module *
module_of(struct program *program, const struct tracepoint *tracepoint)
{
	const struct modmap *map = &program->modules;

	if (tracepoint->kind != TRACEPOINT_GATE)
		return modmap_covering(map, tracepoint->address);
	for (size_t i = 0; tracepoint->module && i < map->modules.count; i++) {
		struct module *module = map->modules.at[i];

		if (!strcmp(image_label(module->image), tracepoint->module))
			return module;
	}
	return NULL;
}

/* The function's address in its file, or 0. */
static addr_t
address_of(const struct module *module, const struct tracepoint *tracepoint)
{
	const struct symbol *symbol;

	if (tracepoint->kind != TRACEPOINT_GATE)
		return tracepoint->address - module->bias;
	symbol = symtab_find(module->image, SYMTAB_DYNAMIC, tracepoint->name);
	return symbol && symbol->kind == SYMBOL_FUNCTION ? symbol->address : 0;
}

/* The state of the download of debug information that this machine does not
 * have. */
static enum download_state
download(const struct learned *learned, const struct learner *learner,
	 const struct image *image, const char **ret_path)
{
	if (learned->look.as_ltrace || !learner_lacks_file(learner))
		return DOWNLOAD_NONE;
	return downloads_find(learned->downloads, image_build_id(image),
			      ret_path);
}

static const struct proto *
learn(struct learned *learned, struct image *image, addr_t address,
      const char *name)
{
	struct learner *learner = learner_of(learned, image);
	const struct proto *proto = learner_proto(learner, address, name);
	const char *path, *complaint;

	if (download(learned, learner, image, &path) == DOWNLOAD_READY) {
		learner_open_file(learner, path);
		proto = learner_proto(learner, address, name);
	}
	complaint = learner_complaint(learner);

	if (complaint)
		say("%s: its debug information cannot be used, so no "
		    "prototypes are taken from it: %s",
		    image_name(image), complaint);
	return proto;
}

/* Do the prototype files decide, whatever debug information says? */
static bool
files_decide(const struct learned *learned, bool of_program,
	     const struct proto *proto)
{
	return proto && (!of_program ||
			 !prototypes_installed(learned->prototypes, proto));
}

/* True if the file has no debug information that can be used. *ret_for_now is
 * set if it is being downloaded. */
static bool
nothing_to_ask(const struct learned *learned, const struct learner *learner,
	       const struct image *image, bool *ret_for_now)
{
	const char *path;
	enum download_state state;

	*ret_for_now = false;
	if (!learner || !learner_knows_nothing(learner))
		return false;
	state = download(learned, learner, image, &path);
	*ret_for_now = state == DOWNLOAD_PENDING;
	return state != DOWNLOAD_READY;
}

bool
learned_known(struct program *program, struct tracepoint *tracepoint)
{
	struct learned *learned = program->session->learned;
	const struct learner *learner;
	const struct module *module;
	bool for_now;

	if (tracepoint->proto_known)
		return true;
	module = module_of(program, tracepoint);
	if (!tracepoint->files_asked)
		tracepoint->proto =
			prototypes_find(learned->prototypes, tracepoint->name,
					tracepoint->module);
	tracepoint->files_asked = true;
	if (!module || files_decide(learned, module->main, tracepoint->proto)) {
		tracepoint->proto_known = true;
		return true;
	}
	learner = map_get(&learned->learners, (uintptr_t)module->image);
	if (!nothing_to_ask(learned, learner, module->image, &for_now))
		return false;
	tracepoint->proto_known = !for_now;
	return true;
}

void
learned_ask(struct program *program, struct tracepoint *tracepoint)
{
	struct module *module;
	const struct proto *proto = NULL;
	addr_t address;

	if (learned_known(program, tracepoint))
		return;
	module = module_of(program, tracepoint);
	address = address_of(module, tracepoint);
	if (address)
		proto = learn(program->session->learned, module->image, address,
			      tracepoint->name);
	if (proto)
		tracepoint->proto = proto;
	/* The prototype is not final while the debug information is being
	 * downloaded. */
	if (proto || !learned_known(program, tracepoint))
		tracepoint->proto_known = true;
}

/* ---- --if and --group-by ------------------------------------------------- */

static bool
file_mentions(struct learned *learned, const char *path, const char *name)
{
	cleanup(image_unrefp) struct image *image = NULL;
	struct err ignored;

	return image_open(path, path, &image, &ignored) == 0 &&
	       learner_mentions(learner_of(learned, image), name);
}

bool
learned_mentions(struct learned *learned, const struct options *options,
		 const char *name)
{
	char command[PATH_MAX];

	if (options->command && spawn_find(options->command[0], command) == 0 &&
	    file_mentions(learned, command, name))
		return true;
	for (size_t i = 0; i < options->pids.count; i++) {
		cleanup(freep) char *file =
			xasprintf("/proc/%d/exe", options->pids.at[i]);

		if (file_mentions(learned, file, name))
			return true;
	}
	return false;
}

/* ---- --show-prototype ---------------------------------------------------- */

/* The prototype of a function in the debug information of the file. */
static const struct proto *
find_in_file(struct learned *learned, struct image *image, const char *name)
{
	const struct symbol *symbol = NULL;
	const struct proto *proto = NULL;

	while (!proto &&
	       (symbol = symtab_next(image, SYMTAB_ALL, name, symbol)))
		proto = learn(learned, image, symbol->address, name);
	return proto;
}

int
learned_show(struct learned *learned, const char *shown, struct str *to,
	     struct err *err)
{
	const char *path = strchr(shown, '@') + 1;
	cleanup(freep) char *name = xstrndup(shown, (size_t)(path - 1 - shown));
	cleanup(image_unrefp) struct image *image = NULL;
	cleanup(freep) char *in_files = NULL;
	const struct proto *proto;
	int r = image_open(path, path, &image, err);

	/* Only files for programs of xtrace's own kind are read: the types of
	 * other programs have other sizes. */
	if (r == 0)
		r = image_expect(image, arch_of_host(), err);
	if (r < 0)
		return r;
	in_files = xasprintf("%s@%s", name, image_label(image));
	proto = prototypes_find(learned->prototypes, name, image_label(image));
	if (!files_decide(learned, image_interpreter(image) != NULL, proto))
		proto = find_in_file(learned, image, name);
	else
		proto = NULL;
	if (!proto || proto->elsewhere)
		return prototypes_add_shown(learned->prototypes, in_files, to,
					    err);
	str_addf(to, "%s:%u: ", proto->file, proto->line);
	dump_proto(NULL, proto, to);
	str_addf(to, " /* from the debug information of %s */\n", path);
	return 0;
}
