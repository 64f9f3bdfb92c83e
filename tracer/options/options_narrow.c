/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Of 32-bit programs xtrace traces the calls of functions. This file names the
 * options that need more, so that xtrace refuses them before the program
 * begins.
 */
#include "tracer/options/options.h"

const char *
options_refused_32bit(const struct options *options)
{
	const struct {
		bool given;
		const char *name;
	} refused[] = {
		{ options->action == ACTION_DUMP, "--dump" },
		{ options->action == ACTION_HEAP, "--heap" },
		{ options->system_calls, "-S" },
		{ options->tamperings.count > 0, "--inject" },
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
