/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user at a terminal wants to know that xtrace waits for calls, how to leave,
 * and at the end whether the trace is complete. These messages would disturb a
 * program that reads the trace from a pipe or a file, so it gets none.
 * ltrace(1) has no such messages.
 */
#include "tracer/model/announce.h"

#include "base/str.h"
#include "process/status.h"
#include "tracer/model/say.h"

#include <unistd.h>

/* Only the first processes are announced. */
#define NAMED_MOST 10

static bool
is_wanted(const struct options *options)
{
	return !options->quiet && !options->output && !options->as_ltrace &&
	       isatty(STDERR_FILENO) == 1;
}

void
announce_attached(struct session *session, const struct process *process,
		  size_t functions)
{
	size_t threads = 0;
	struct str text;
	char name[64];

	if (!is_wanted(session->options) ||
	    session->counts.attached++ >= NAMED_MOST)
		return;
	list_each(link, after, &process->threads)
		threads++;
	status_name(process->pid, name, sizeof(name));
	str_init(&text);
	str_addf(&text, "attached to %s (%d), ", name, process->pid);
	str_add_count(&text, threads, "thread", "threads");
	str_add(&text, ", ");
	str_add_count(&text, functions, "function", "functions");
	say("%s%s", text.text, session->options->command ? "" : "; ^C leaves");
	str_release(&text);
}

void
announce_end(const struct session *session)
{
	uint64_t lost = session->counts.lost;
	struct str text;

	if (!is_wanted(session->options))
		return;
	str_init(&text);
	str_add_count(&text, session->counts.begun, "call seen, ",
		      "calls seen, ");
	if (lost == 0)
		str_add(&text, "none lost");
	else
		str_add_count(&text, lost, "lost (its end was not seen)",
			      "lost (their ends were not seen)");
	say("%s", text.text);
	str_release(&text);
}
