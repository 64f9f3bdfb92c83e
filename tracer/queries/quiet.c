/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Why does a process make no call of the sets? The first of these reasons that
 * is true is told: the program is written in Go, whose drivers call no library;
 * a library of the sets is loaded, and the process may just have nothing to
 * ask; no library of the sets is loaded, and then it helps to name what the
 * sets know. The message also says which processes have children that are not
 * traced, because these may be the workers.
 */
#include "tracer/queries/quiet.h"

#include "base/str.h"
#include "base/xmalloc.h"
#include "process/status.h"
#include "symbols/image.h"
#include "tracer/model/say.h"
#include "tracer/model/session.h"
#include "tracer/plan/sets.h"

#include <string.h>

/* After how many seconds without a call of the sets the user is told. */
enum { QUIET_SECONDS = 5 };
/* The most libraries that are named in the message. */
enum { NAMED_MOST = 4 };

/* What is known of calls of the sets. */
struct quiet {
	/* a call was seen, or the user was told that there was none */
	bool over;
	unsigned seconds;
};

/* What was found in all programs, for the message. */
struct quiet_found {
	const char *libraries[NAMED_MOST];
	size_t count;
	pid_t go; /* a process that runs a Go program, or 0 */
};

static void
add_library(struct quiet_found *found, const char *label)
{
	for (size_t i = 0; i < found->count; i++) {
		if (!strcmp(found->libraries[i], label))
			return;
	}
	if (found->count < NAMED_MOST)
		found->libraries[found->count++] = label;
}

static void
look_at(const struct program *program, struct quiet_found *found)
{
	const struct modmap *modules = &program->modules;

	for (size_t i = 0; i < modules->modules.count; i++) {
		const struct module *module = modules->modules.at[i];
		const struct plan *plan = module->user;

		if (plan && plan->probed)
			add_library(found, image_label(module->image));
		if (module->main && image_go(module->image))
			found->go = program->space->pid;
	}
}

static void
add_libraries(const struct quiet_found *found, struct str *to)
{
	for (size_t i = 0; i < found->count; i++)
		str_addf(to, "%s%s",
			 i == 0			 ? " "
			 : i + 1 == found->count ? " and "
						 : ", ",
			 found->libraries[i]);
	str_add(to, found->count == 1 ? " is loaded" : " are loaded");
}

/* Adds that no library of the sets is loaded, and what the sets are about. */
static void
add_none(const struct sets *sets, struct str *to)
{
	const char *about;

	str_add(to, " no library that the set knows is loaded");
	for (size_t i = 0; (about = sets_about(sets, i)); i++)
		str_addf(to, "%s%s", i == 0 ? " (" : "; ", about);
	str_add(to, ")");
}

static void
add_children(const struct session *session, struct str *to)
{
	const struct options *options = session->options;

	for (size_t i = 0; i < options->pids.count && !options->follow; i++) {
		size_t count = status_child_count(options->pids.at[i]);

		if (count == 0)
			continue;
		str_add(to, "; ");
		str_add_count(to, count, "child of ", "children of ");
		str_addf(to, "%d %s not traced", options->pids.at[i],
			 count == 1 ? "is" : "are");
	}
}

static void
say_quiet(const struct session *session)
{
	struct quiet_found found = { .count = 0 };
	size_t cursor = 0;
	void *program;
	struct str text;

	while (map_next(&session->programs, &cursor, NULL, &program))
		look_at(program, &found);
	str_init(&text);
	if (found.go)
		str_addf(&text,
			 " %d is a Go program, and its drivers call no library "
			 "that could be traced",
			 found.go);
	else if (found.count > 0)
		add_libraries(&found, &text);
	else if (sets_pointed(session->sets, 0))
		str_add(&text, " no function of the set was called");
	else
		add_none(session->sets, &text);
	add_children(session, &text);
	say("nothing to show for %d s:%s", QUIET_SECONDS, text.text);
	str_release(&text);
}

struct quiet *
quiet_new(void)
{
	return xcalloc(1, sizeof(struct quiet));
}

void
quiet_tick(struct session *session)
{
	struct quiet *quiet = session->quiet;

	if (quiet->over || !session->sets ||
	    session->options->pids.count == 0 || !session->options->sets.count)
		return;
	if (session->counts.begun > 0)
		quiet->over = true;
	else if (++quiet->seconds > QUIET_SECONDS) {
		quiet->over = true;
		say_quiet(session);
	}
}
