/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In a 32-bit program, xtrace traces only calls of functions and system calls.
 * This file names the options that need more, so that xtrace refuses them
 * before the program begins.
 */
#include "conf/filter/tampering.h"
#include "tracer/options/options.h"

/* A function that is not run cannot be left as if it had returned: whether it
 * removes its arguments from the stack is not known. */
static bool
changes_functions(const struct options *options)
{
	for (size_t i = 0; i < options->tamperings.count; i++)
		if (!tampering_of_system_calls(options->tamperings.at[i]))
			return true;
	return false;
}

const char *
options_refused_32bit(const struct options *options)
{
	const struct {
		bool given;
		const char *name;
	} refused[] = {
		{ options->action == ACTION_DUMP, "--dump" },
		{ options->action == ACTION_HEAP, "--heap" },
		{ changes_functions(options), "--inject of a function" },
		{ options->sdts.count > 0, "-x '%PROVIDER:PROBE'" },
		{ options->script_calls, "--script-calls" },
		{ options->sets.count > 0, "--set or --sql" },
		{ options->requests, "--requests" },
		{ options->request_frame != NULL, "--request-frame" },
		{ options->sample > 0, "--sample" },
		{ options->alloc > 0, "--alloc" },
		{ options->jumps, "--engine=agent or auto" },
	};

	for (size_t i = 0; i < array_size(refused); i++)
		if (refused[i].given)
			return refused[i].name;
	return NULL;
}
