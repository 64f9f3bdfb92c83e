/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The trace is written to stderr or to the file of -o; with -ff to one file for
 * each process. A format (a row of output/formats.def) without a file of its
 * own replaces the lines there. If a format has a file and -o is not given, the
 * user wants that file, and nothing else is written.
 */
#include "tracer/run/sinks.h"

#include "base/xmalloc.h"
#include "output/live/console.h"
#include "output/out.h"
#include "output/sink.h"
#include "output/split.h"
#include "output/tee.h"
#include "tracer/model/say.h"
#include "tracer/run/posted.h"
#include "tracer/run/published.h"
#include "tracer/run/subject.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The sinks without a row in output/formats.def. */
static const struct format_row lines = { .make = text_sink_new };
static const struct format_row histograms = { .make = histograms_sink_new };
static const struct format_row growths = { .make = growths_sink_new };
static const struct format_row samples = { .make = samples_sink_new };

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

	if (file && sinks->continues)
		r = out_continue(file, &out, err);
	else if (file)
		r = out_open(file, &out, err);
	else
		out = out_descriptor(otherwise);
	if (r < 0)
		return r;
	add_out(sinks, out);
	*ret_out = out;
	return 0;
}

/* https://no-color.org: the variable is set and not empty. */
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
	free(sinks->subject);
	look->console = sinks->console;
	look->command = sinks->subject = subject_text(options);
	look->immediate = terminal;
	look->color = color_wanted(options->color, terminal);
	look->bare_thread_column = options->output != NULL;
	/* A file of -ff is about one process. Its lines name the thread only if
	 * the process has several threads. */
	if (look->thread_column == LOOK_AUTO && !options->split &&
	    (options->follow || options->follow_new ||
	     options->pids.count > 1 ||
	     (options->output && options->pids.count > 0)))
		look->thread_column = LOOK_ALWAYS;
}

/* The files are created later, one by one; a directory that cannot be written
 * to is reported now. */
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

/* Adds the sink of this format, which writes to out. A census is no event, and
 * is written to out without a sink. */
static void
add_sink(struct sinks *sinks, const struct options *options,
	 const struct format_row *format, struct out *out)
{
	struct sink *sink;

	if (options->action == ACTION_HEAP)
		return;
	sink = format->make(&sinks->look, out);
	if ((options->rotate || options->service) && sink->ops->stream)
		out_rotate(out, options->rotate_size, options->rotate_keep);
	/* Only a stream of events can be continued at its end; another file
	 * begins anew. */
	else if (options->continues)
		out_empty(out);
	tee_add(sinks->tee, sink);
}

/* Opens the sink of the trace itself. */
static int
open_trace(struct sinks *sinks, const struct options *options,
	   const struct format_row *format, struct err *err)
{
	/* A dump and a census are the requested output; a trace comes in
	 * addition to the program's own output. */
	int place = options_run(options) ? STDERR_FILENO : STDOUT_FILENO;
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
	add_sink(sinks, options, format, out);
	/* The table of samples is written below the lines, or behind the
	 * page. */
	if ((format == &lines || options->formats[FORMAT_LIVE].wanted) &&
	    options->sample)
		tee_add(sinks->tee, samples_sink_new(&sinks->look, out));
	return 0;
}

/* Opens the sink of a format with a file of its own. */
static int
open_beside(struct sinks *sinks, const struct options *options,
	    enum format_name format, struct err *err)
{
	const struct destination *to = &options->formats[format];
	struct out *out;
	int r;

	if (to->network) {
		r = format == FORMAT_OTLP
			    ? posted_open(to->file, options->stats, &out, err)
			    : published_open(to->file, &out, err);
		if (r == 0)
			add_out(sinks, out);
	} else {
		r = open_out(sinks, to->file, STDERR_FILENO, &out, err);
	}
	if (r == 0)
		add_sink(sinks, options, &format_rows[format], out);
	return r;
}

/* Is something written besides the formats that have files? */
static bool
trace_wanted(const struct options *options, const struct format_row *trace)
{
	if (options->output || options->action != ACTION_TRACE ||
	    (trace != &lines && trace != &samples && trace != &growths))
		return true;
	for (int i = 0; i < FORMATS; i++) {
		if (options->formats[i].file)
			return false;
	}
	return true;
}

int
sinks_open(struct sinks *sinks, const struct options *options, struct err *err)
{
	const struct format_row *trace = options_trace_calls(options) ? &lines
					 : options->alloc	      ? &growths
							  : &samples;
	int r = 0;

	if (options->histogram)
		trace = &histograms;
	*sinks = (struct sinks){ .tee = tee_new(),
				 .continues = options->continues };
	if (options->look.redact)
		tee_redact(sinks->tee);
	say_above(sinks->tee);
	if (options->formats[FORMAT_LIVE].wanted)
		r = console_open(color_wanted(options->color, true),
				 &sinks->console, err);
	if (r < 0)
		return r;
	for (int i = 0; i < FORMATS; i++) {
		if (options->formats[i].wanted && !options->formats[i].file)
			trace = &format_rows[i];
	}
	if (trace_wanted(options, trace))
		r = open_trace(sinks, options, trace, err);
	else
		decide_look(sinks, options, false);
	for (int i = 0; i < FORMATS && r == 0; i++) {
		if (options->formats[i].file)
			r = open_beside(sinks, options, (enum format_name)i,
					err);
	}
	return r;
}

/* A closed pipe is not reported: its reader has closed it. path: of the file,
 * or NULL. */
static void
say_failure(const char *path, int code)
{
	if (code == -ETIMEDOUT)
		say("the trace is not complete: nobody reads it");
	else if (code < 0 && code != -EPIPE)
		say("%s could not be written: %s", path ? path : "the trace",
		    strerror(-code));
}

int
sinks_close(struct sinks *sinks)
{
	int worst = 0;

	say_above(NULL);
	tee_close(sinks->tee);
	sinks->tee = NULL;
	for (size_t i = 0; sinks->outs[i]; i++) {
		const char *of = out_path(sinks->outs[i]);
		cleanup(freep) char *path = of ? xstrdup(of) : NULL;
		int r = out_close(sinks->outs[i]);

		say_failure(path, r);
		if (r < 0)
			worst = r;
		sinks->outs[i] = NULL;
	}
	say_failure(NULL, sinks->split_failure);
	console_close(sinks->console);
	sinks->console = NULL;
	free(sinks->subject);
	sinks->subject = NULL;
	return sinks->split_failure ? sinks->split_failure : worst;
}
