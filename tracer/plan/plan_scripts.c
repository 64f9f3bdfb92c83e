/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which probes the interpreters have, and when a program reaches them:
 *
 *	Ruby		entry and return of methods in C; of methods in Ruby
 *			only while a TracePoint asks for calls
 *	CPython 3.11	entry and return of functions, also when a generator
 *			is resumed and yields
 *	PHP		entry and return of functions, in a process that was
 *			started with USE_ZEND_DTRACE=1
 *
 * Each interpreter calculates the arguments of its probes only while their
 * semaphores are counted up, so only probes of a wanted language are planted.
 */
#include "tracer/plan/plan_scripts.h"

#include "symbols/sdt.h"
#include "tracer/model/say.h"
#include "tracer/plan/plan_sdt.h"

#include <string.h>

static const struct script_probe probes[] = {
	{ SCRIPT_RUBY, "ruby", "method__entry", false, false, false, 0, 1, 2,
	  3 },
	{ SCRIPT_RUBY, "ruby", "method__return", true, false, false, 0, 1, 2,
	  3 },
	{ SCRIPT_RUBY, "ruby", "cmethod__entry", false, true, false, 0, 1, 2,
	  3 },
	{ SCRIPT_RUBY, "ruby", "cmethod__return", true, true, false, 0, 1, 2,
	  3 },
	{ SCRIPT_PYTHON, "python", "function__entry", false, false, false, -1,
	  1, 0, 2 },
	{ SCRIPT_PYTHON, "python", "function__return", true, false, false, -1,
	  1, 0, 2 },
	{ SCRIPT_PHP, "php", "function__entry", false, true, true, 3, 0, 1, 2 },
	{ SCRIPT_PHP, "php", "function__return", true, true, true, 3, 0, 1, 2 },
};

/* ---- what is chosen ----------------------------------------------------- */

/* Are all functions chosen before the first filter is asked? This is so if
 * there is no filter, or if the first filter leaves functions out. */
static bool
all_at_first(const struct options *options)
{
	return options->scripts.count == 0 ||
	       script_filter_subtracts(options->scripts.at[0]);
}

bool
plan_script_chosen(const struct options *options,
		   const struct script_function *function)
{
	bool chosen = all_at_first(options);

	/* Every filter is asked, because each notes what it matches. */
	for (size_t i = 0; i < options->scripts.count; i++) {
		struct script_filter *filter = options->scripts.at[i];

		if (script_filter_matches(filter, function))
			chosen = !script_filter_subtracts(filter);
	}
	return chosen;
}

static bool
is_wanted(const struct options *options, enum script_language language)
{
	bool wanted = all_at_first(options);

	for (size_t i = 0; i < options->scripts.count; i++) {
		const struct script_filter *filter = options->scripts.at[i];

		wanted |= !script_filter_subtracts(filter) &&
			  script_filter_language(filter) == language;
	}
	return options->script_calls && wanted;
}

static const struct script_probe *
probe_of(const struct options *options, const struct sdt *sdt)
{
	for (size_t i = 0; i < array_size(probes); i++) {
		if (!strcmp(probes[i].provider, sdt->provider) &&
		    !strcmp(probes[i].name, sdt->name) &&
		    is_wanted(options, probes[i].language))
			return &probes[i];
	}
	return NULL;
}

void
plan_add_scripts(struct batch *batch)
{
	struct session *session = batch->program->session;
	const struct sdts *sdts;

	if (!session->options->script_calls)
		return;
	sdts = image_sdts(batch->module->image);
	for (size_t i = 0; i < sdts->list.count; i++) {
		const struct sdt *sdt = &sdts->list.at[i];
		const struct script_probe *probe =
			probe_of(session->options, sdt);

		if (!probe)
			continue;
		plan_add_sdt(batch, TRACEPOINT_SCRIPT, sdts, sdt)->script =
			probe;
		session->scripts_heard.has_probes[probe->language] = true;
	}
}

/* ---- what the user is told ---------------------------------------------- */

#define SPELLED "--script-calls"

static const char *const providers[SCRIPT_LANGUAGES] = {
	[SCRIPT_RUBY] = "ruby",
	[SCRIPT_PYTHON] = "python",
	[SCRIPT_PHP] = "php",
};

static bool
any_has_probes(const struct session *session)
{
	for (int i = 0; i < SCRIPT_LANGUAGES; i++) {
		if (session->scripts_heard.has_probes[i])
			return true;
	}
	return false;
}

void
plan_scripts_say_missing(struct session *session)
{
	bool told = any_has_probes(session);

	if (!session->options->script_calls)
		return;
	for (int i = 0; i < SCRIPT_LANGUAGES; i++) {
		if (is_wanted(session->options, (enum script_language)i) &&
		    !session->scripts_heard.has_probes[i])
			told |= plan_say_unbuilt(session, SPELLED,
						 providers[i]);
	}
	if (session->options->scripts.count == 0)
		told |= plan_say_unbuilt(session, SPELLED, "perl");
	if (!told)
		say(SPELLED ": no interpreter is loaded yet; waiting for Ruby, "
			    "Python or PHP");
}

static void
say_silent(const struct session *session)
{
	const struct scripts_heard *heard = &session->scripts_heard;

	if (heard->has_probes[SCRIPT_RUBY] && !heard->ruby_methods)
		say(SPELLED ": Ruby has reported no method that is written in "
			    "Ruby; it reports them only while a TracePoint "
			    "asks for calls and returns");
	if (heard->has_probes[SCRIPT_PYTHON] && !heard->any[SCRIPT_PYTHON])
		say(SPELLED ": Python has reported no function");
	if (heard->has_probes[SCRIPT_PHP] && !heard->any[SCRIPT_PHP])
		say(SPELLED ": PHP has reported no function; it reports them "
			    "only if it was started with USE_ZEND_DTRACE=1 in "
			    "its environment");
}

void
plan_scripts_say_never(const struct session *session)
{
	const struct options *options = session->options;

	if (!options->script_calls)
		return;
	say_silent(session);
	for (size_t i = 0; i < options->scripts.count; i++) {
		const struct script_filter *filter = options->scripts.at[i];
		const char *text = script_filter_unmatched(filter);

		if (text &&
		    !plan_said_unbuilt(
			    session, providers[script_filter_language(filter)]))
			say("%s: no such function was called", text);
	}
}
