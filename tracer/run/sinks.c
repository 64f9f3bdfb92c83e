/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace's place is stderr, or what -o names; with -ff it is many files, one
 * for each process. One of the formats (a table, JSON, folded stacks) that was
 * asked for without a file stands in that place instead of the lines; one with
 * a file of its own is written beside it.
 */
#include "tracer/run/sinks.h"

#include "base/xmalloc.h"
#include "output/out.h"
#include "output/sink.h"
#include "output/split.h"
#include "output/stacks/flame.h"
#include "output/tee.h"
#include "tracer/model/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct format {
	const struct destination *destination;
	struct sink *(*make)(const struct look *look, struct out *out);
};

static void
add_out(struct sinks *sinks, struct out *out)
{
	size_t i = 0;

	while (sinks->outs[i])
		i++;
	sinks->outs[i] = out;
}

static int
open_out(struct sinks *sinks, const char *file, int otherwise,
	 struct out **ret_out, struct err *err)
{
	struct out *out;
	int r = 0;

	if (file)
		r = out_open(file, &out, err);
	else
		out = out_descriptor(otherwise);
	if (r < 0)
		return r;
	add_out(sinks, out);
	*ret_out = out;
	return 0;
}

/* https://no-color.org: set, and not empty. */
static bool
color_wanted(enum look_when when, bool terminal)
{
	const char *no_color = getenv("NO_COLOR");
	const char *kind = getenv("TERM");

	if (when != LOOK_AUTO)
		return when == LOOK_ALWAYS;
	return terminal && !(no_color && *no_color) &&
	       !(kind && !strcmp(kind, "dumb"));
}

static void
decide_look(struct sinks *sinks, const struct options *options, bool terminal)
{
	struct look *look = &sinks->look;

	*look = options->look;
	look->immediate = terminal;
	look->color = color_wanted(options->color, terminal);
	look->bare_thread_column = options->output != NULL;
	/* A file of -ff has one process, whose threads are told apart when
	 * there are several. */
	if (look->thread_column == LOOK_AUTO && !options->split &&
	    (options->follow || options->pids.count > 1 ||
	     (options->output && options->pids.count > 0)))
		look->thread_column = LOOK_ALWAYS;
}

/* The files come one by one; that there can be none is said now. */
static int
check_split(const char *path, struct err *err)
{
	const char *slash = strrchr(path, '/');
	cleanup(freep) char *folder =
		slash ? xstrndup(path, (size_t)(slash - path) + 1)
		      : xstrdup(".");

	if (access(folder, W_OK | X_OK) < 0)
		return err_set(err, -errno, "%s.PID: cannot be written: %s",
			       path, strerror(errno));
	return 0;
}

/* What stands in the trace's place. */
static int
open_trace(struct sinks *sinks, const struct options *options,
	   const struct format *format, struct err *err)
{
	/* A dump is what was asked for; a trace is what is said beside a
	 * program's own output. */
	int place =
		options->action == ACTION_DUMP ? STDOUT_FILENO : STDERR_FILENO;
	struct out *out;
	int r = 0;

	if (options->split)
		r = check_split(options->output, err);
	if (r == 0 && options->split) {
		decide_look(sinks, options, false);
		tee_add(sinks->tee,
			split_sink_new(&sinks->look, options->output,
				       format->make, &sinks->split_failure));
		return 0;
	}
	if (r < 0)
		return r;
	r = open_out(sinks, options->output, place, &out, err);
	if (r < 0)
		return r;
	decide_look(sinks, options, out_terminal(out));
	tee_add(sinks->tee, format->make(&sinks->look, out));
	return 0;
}

/* A format with a file of its own. */
static int
open_beside(struct sinks *sinks, const struct format *format, struct err *err)
{
	struct out *out;
	int r = open_out(sinks, format->destination->file, STDERR_FILENO, &out,
			 err);

	if (r == 0)
		tee_add(sinks->tee, format->make(&sinks->look, out));
	return r;
}

static bool
draws_html(const char *path)
{
	enum flame_page page;

	return flame_page_of(path, &page) == 0 && page == FLAME_HTML;
}

int
sinks_open(struct sinks *sinks, const struct options *options, struct err *err)
{
	static const struct destination lines;
	bool html = options->flame.file && draws_html(options->flame.file);
	const struct format formats[] = {
		{ &lines, text_sink_new },
		{ &options->count, count_sink_new },
		{ &options->summary, summary_sink_new },
		{ &options->json, json_sink_new },
		{ &options->folded, folded_sink_new },
		{ &options->exports[EXPORT_CALLGRIND], callgrind_sink_new },
		{ &options->exports[EXPORT_SPEEDSCOPE], speedscope_sink_new },
		{ &options->exports[EXPORT_CHROME], chrome_sink_new },
		{ &options->exports[EXPORT_PPROF], pprof_sink_new },
		{ &options->flame,
		  html ? flame_html_sink_new : flame_svg_sink_new },
	};
	const struct format *trace = &formats[0];
	int r;

	*sinks = (struct sinks){ .tee = tee_new() };
	for (size_t i = 1; i < array_size(formats); i++) {
		if (formats[i].destination->wanted &&
		    !formats[i].destination->file)
			trace = &formats[i];
	}
	r = open_trace(sinks, options, trace, err);
	for (size_t i = 1; i < array_size(formats) && r == 0; i++) {
		if (formats[i].destination->file)
			r = open_beside(sinks, &formats[i], err);
	}
	return r;
}

/* Whoever closed the pipe knows. */
static void
say_failure(int code)
{
	if (code == -ETIMEDOUT)
		say("the trace is not complete: nobody reads it");
	else if (code < 0 && code != -EPIPE)
		say("the trace could not be written: %s", strerror(-code));
}

int
sinks_close(struct sinks *sinks)
{
	int worst = 0;

	tee_close(sinks->tee);
	sinks->tee = NULL;
	for (size_t i = 0; sinks->outs[i]; i++) {
		int r = out_close(sinks->outs[i]);

		say_failure(r);
		if (r < 0)
			worst = r;
		sinks->outs[i] = NULL;
	}
	say_failure(sinks->split_failure);
	return sinks->split_failure ? sinks->split_failure : worst;
}
