/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Chrome's trace events (the "Trace Event Format" document), which Perfetto's
 * viewer reads. The file is a JSON array. Each call that has ended is a
 * complete event ("X") on the track of its thread, with its arguments and its
 * result as text. Nested calls of one thread lie within each other's times, so
 * that the viewer stacks them. An event without a duration is an instant ("i");
 * the names of threads and processes are metadata ("M").
 *
 * Samples (--sample) of a thread are on a second track, below the track of its
 * calls. A sample stands for the time that ends with it. If several samples in
 * a row have the same frame, the frame is one complete event from the first
 * sample to the last. A frame also ends at a sample if the thread did not run
 * for most of the time until the next sample.
 *
 * Times count from the boot of the machine (CLOCK_MONOTONIC), because times
 * since the Epoch have more digits than a reader's numbers can hold.
 *
 * The file is written as events happen. The format allows a missing closing
 * bracket, so that an incomplete trace can be viewed, too.
 */
#include "output/sink.h"

#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/frames.h"
#include "output/jsonw.h"
#include "output/label.h"
#include "output/out.h"
#include "output/signame.h"
#include "values/fetch.h"
#include "values/show.h"
#include "values/visit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A frame of a thread's last sample, outermost first. */
struct sampled_frame {
	char *label;
	uint64_t began;
};

struct sampled_track {
	pid_t pid, tid;
	uint64_t last; /* the time of the last sample */
	vec_of(struct sampled_frame) open;
};

struct chrome_sink {
	struct sink sink;
	const struct look *look;
	struct show_look show;
	struct out *out;
	struct str line, text;
	struct jsonw json;
	struct map threads; /* tids whose name was written */
	struct map tracks;  /* tid -> struct sampled_track */
	bool begun;
};

/* ---- the parts of an event -------------------------------------------------
 */

/* Adds text as valid UTF-8, whatever its bytes are. */
static void
add_clean(struct chrome_sink *chrome, const char *key, const char *text)
{
	str_clear(&chrome->text);
	escape_name(&chrome->text, text);
	jsonw_key(&chrome->json, key);
	jsonw_text(&chrome->json, str_text(&chrome->text), chrome->text.length);
}

/* Adds values that were shown, which are printable ASCII. */
static void
add_shown(struct chrome_sink *chrome, const char *key)
{
	jsonw_key(&chrome->json, key);
	jsonw_text(&chrome->json, str_text(&chrome->text), chrome->text.length);
}

/* Adds microseconds, with nanoseconds after the point. */
static void
add_micros(struct chrome_sink *chrome, const char *key, uint64_t ns)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%lu.%03lu", ns / 1000, ns % 1000);
	jsonw_key(&chrome->json, key);
	jsonw_number(&chrome->json, digits);
}

static void
begin(struct chrome_sink *chrome, const struct event *event, const char *phase,
      const char *name)
{
	str_clear(&chrome->line);
	str_add(&chrome->line, chrome->begun ? ",\n" : "[\n");
	chrome->begun = true;
	jsonw_init(&chrome->json, &chrome->line);
	jsonw_open(&chrome->json, '{');
	jsonw_key(&chrome->json, "ph");
	jsonw_ascii(&chrome->json, phase);
	add_clean(chrome, "name", name);
	jsonw_key(&chrome->json, "pid");
	jsonw_signed(&chrome->json, event->pid);
	jsonw_key(&chrome->json, "tid");
	jsonw_signed(&chrome->json, event->tid);
}

static void
end(struct chrome_sink *chrome)
{
	jsonw_close(&chrome->json, '}');
	out_write(chrome->out, chrome->line.text, chrome->line.length);
}

/* ---- names -----------------------------------------------------------------
 */

static void
tell_name(struct chrome_sink *chrome, const struct event *event,
	  const char *what, const char *name)
{
	begin(chrome, event, "M", what);
	jsonw_key(&chrome->json, "args");
	jsonw_open(&chrome->json, '{');
	add_clean(chrome, "name", name);
	jsonw_close(&chrome->json, '}');
	end(chrome);
}

static void
tell_thread(struct chrome_sink *chrome, const struct event *event)
{
	char name[32];

	if (map_get(&chrome->threads, (uint64_t)event->tid))
		return;
	map_put(&chrome->threads, (uint64_t)event->tid, chrome);
	snprintf(name, sizeof(name), "thread %d", event->tid);
	tell_name(chrome, event, "thread_name", name);
}

static void
tell_program(struct chrome_sink *chrome, const struct event *event)
{
	const char *slash = event->text ? strrchr(event->text, '/') : NULL;

	if (event->text)
		tell_name(chrome, event, "process_name",
			  slash ? slash + 1 : event->text);
}

/* ---- calls -----------------------------------------------------------------
 */

static void
add_arguments(struct chrome_sink *chrome, const struct arguments *arguments)
{
	char number[32];

	for (size_t i = 0; arguments && i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];

		if (value_hidden(&argument->value))
			continue;
		snprintf(number, sizeof(number), "arg%zu", i + 1);
		str_clear(&chrome->text);
		show_value(&chrome->text, argument_value(argument),
			   &chrome->show);
		add_shown(chrome, argument->name ? argument->name : number);
	}
}

static void
add_result(struct chrome_sink *chrome, const struct event_call *call)
{
	static const char *const ends[] = {
		[CALL_UNWOUND] = "unwound",
		[CALL_UNFINISHED] = "unfinished",
		[CALL_NO_RETURN] = "no return",
		[CALL_ENTRY_ONLY] = "entry only",
	};
	const struct event_outcome *outcome = call->outcome;
	const struct value *result = call->result;

	if (outcome && outcome->result)
		result = outcome->result;
	if (call->end != CALL_RETURNED) {
		jsonw_key(&chrome->json, "end");
		jsonw_ascii(&chrome->json, ends[call->end]);
	} else if (result && !value_hidden(result)) {
		str_clear(&chrome->text);
		show_result(&chrome->text, result, call->error_number,
			    &chrome->show);
		add_shown(chrome, "result");
	}
	if (outcome && outcome->message)
		add_clean(chrome, "error", outcome->message);
}

static void
add_stack(struct chrome_sink *chrome, const struct event_call *call)
{
	if (call->frame_count == 0)
		return;
	jsonw_key(&chrome->json, "stack");
	jsonw_open(&chrome->json, '[');
	for (unsigned i = 0; i < call->frame_count; i++) {
		str_clear(&chrome->text);
		frames_add_label(&chrome->text, &call->frames[i]);
		jsonw_text(&chrome->json, chrome->text.text,
			   chrome->text.length);
	}
	jsonw_close(&chrome->json, ']');
}

static void
tell_call(struct chrome_sink *chrome, const struct event *event)
{
	const struct event_call *call = event->call;
	bool whole = call->end != CALL_ENTRY_ONLY;

	tell_thread(chrome, event);
	begin(chrome, event, whole ? "X" : "i", label_of(call));
	add_clean(chrome, "cat", call->module ? call->module : "call");
	add_micros(chrome, "ts", call->began_track);
	if (whole) {
		add_micros(chrome, "dur",
			   call->ended_track - call->began_track);
	} else {
		jsonw_key(&chrome->json, "s");
		jsonw_ascii(&chrome->json, "t");
	}
	jsonw_key(&chrome->json, "args");
	jsonw_open(&chrome->json, '{');
	add_arguments(chrome, call->arguments);
	add_result(chrome, call);
	add_stack(chrome, call);
	jsonw_close(&chrome->json, '}');
	end(chrome);
}

static void
tell_signal(struct chrome_sink *chrome, const struct event *event)
{
	struct str name = { 0 };

	signame_add(&name, event->number);
	begin(chrome, event, "i", name.text);
	add_micros(chrome, "ts", event->track);
	jsonw_key(&chrome->json, "s");
	jsonw_ascii(&chrome->json, "t");
	end(chrome);
	str_release(&name);
}

/* Requests and transactions may overlap with the calls of their thread, so they
 * are asynchronous events ("b" and "e"), which have an id and a track of their
 * own. */
static void
tell_end(struct chrome_sink *chrome, const struct event *event,
	 const char *category, uint64_t id, bool begins)
{
	const struct event_request *request = event->request;
	struct str name;

	str_init(&name);
	if (!request)
		str_add(&name, category);
	else if (request->function)
		str_add(&name, request->function);
	else
		str_addf(&name, "%s %s", request->method, request->path);
	begin(chrome, event, begins ? "b" : "e", str_text(&name));
	str_release(&name);
	jsonw_key(&chrome->json, "cat");
	jsonw_ascii(&chrome->json, category);
	jsonw_key(&chrome->json, "id");
	jsonw_unsigned(&chrome->json, id);
	add_micros(chrome, "ts",
		   begins ? event->call->began_track
			  : event->call->ended_track);
	end(chrome);
}

static void
tell_span(struct chrome_sink *chrome, const struct event *event,
	  const char *category, uint64_t id)
{
	tell_thread(chrome, event);
	tell_end(chrome, event, category, id, true);
	tell_end(chrome, event, category, id, false);
}

/* ---- samples ---------------------------------------------------------------
 */

/* The id of a track of samples is the tid and this number. No thread has such
 * an id, because PID_MAX_LIMIT is 2^22 (include/linux/threads.h). */
#define SAMPLES_TRACK (1 << 22)

static struct sampled_track *
track_of(struct chrome_sink *chrome, const struct event *event)
{
	struct sampled_track *track =
		map_get(&chrome->tracks, (uint64_t)event->tid);
	char name[40];

	if (track)
		return track;
	track = xcalloc(1, sizeof(*track));
	track->pid = event->pid;
	track->tid = event->tid + SAMPLES_TRACK;
	track->last = event->when - event->weight;
	map_put(&chrome->tracks, (uint64_t)event->tid, track);
	snprintf(name, sizeof(name), "thread %d, samples", event->tid);
	tell_name(chrome,
		  &(struct event){ .pid = track->pid, .tid = track->tid },
		  "thread_name", name);
	return track;
}

/* Ends the frames from index `from` on. */
static void
end_frames(struct chrome_sink *chrome, struct sampled_track *track, size_t from,
	   uint64_t at)
{
	const struct event event = { .pid = track->pid, .tid = track->tid };

	while (track->open.count > from) {
		struct sampled_frame *frame =
			&track->open.at[--track->open.count];

		begin(chrome, &event, "X", frame->label);
		jsonw_key(&chrome->json, "cat");
		jsonw_ascii(&chrome->json, "sample");
		add_micros(chrome, "ts", frame->began);
		add_micros(chrome, "dur",
			   at > frame->began ? at - frame->began : 0);
		end(chrome);
		free(frame->label);
	}
}

/* The label of a call's nth frame, counted from the outermost. */
static const char *
label_of_frame(struct chrome_sink *chrome, const struct event_call *call,
	       size_t n)
{
	str_clear(&chrome->text);
	frames_add_label(&chrome->text,
			 &call->frames[call->frame_count - 1 - n]);
	return str_text(&chrome->text);
}

static void
tell_sample(struct chrome_sink *chrome, const struct event *event)
{
	struct sampled_track *track = track_of(chrome, event);
	const struct event_call *call = event->call;
	uint64_t now = event->when, began = now - event->weight;
	size_t same = 0;

	/* Half of the time, or more, since the last sample belongs to this
	 * sample: the thread has run since then. */
	if (event->weight >= (now - track->last) / 2)
		began = track->last;
	if (began < track->last)
		began = track->last;
	while (began == track->last && same < track->open.count &&
	       same < call->frame_count &&
	       !strcmp(track->open.at[same].label,
		       label_of_frame(chrome, call, same)))
		same++;
	end_frames(chrome, track, same, track->last);
	for (size_t n = same; n < call->frame_count; n++) {
		const struct sampled_frame frame = {
			xstrdup(label_of_frame(chrome, call, n)), began
		};

		vec_push(&track->open, frame);
	}
	track->last = now;
}

static void
free_tracks(struct chrome_sink *chrome)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&chrome->tracks, &cursor, NULL, &item)) {
		struct sampled_track *track = item;

		end_frames(chrome, track, 0, track->last);
		vec_release(&track->open);
		free(track);
	}
	map_release(&chrome->tracks);
}

/* ---- the sink --------------------------------------------------------------
 */

static void
chrome_event(struct sink *sink, const struct event *event)
{
	struct chrome_sink *chrome =
		container_of(sink, struct chrome_sink, sink);
	const struct look *look = chrome->look;

	switch (event->kind) {
	case EVENT_ENTRY:
		if (event->call->arguments)
			arguments_keep(event->call->arguments,
				       look->string_length, look->array_length);
		break;
	case EVENT_RETURN:
		if (event_longest(event->call) >= look->min_duration)
			tell_call(chrome, event);
		break;
	case EVENT_SAMPLE:
		tell_sample(chrome, event);
		break;
	case EVENT_REQUEST_END:
		tell_span(chrome, event, "request", event->request->id);
		break;
	case EVENT_TRANSACTION_END:
		tell_span(chrome, event, "transaction", event->transaction->id);
		break;
	case EVENT_SIGNAL:
		if (!look->hide_signals)
			tell_signal(chrome, event);
		break;
	case EVENT_START:
	case EVENT_EXEC:
		tell_program(chrome, event);
		break;
	case EVENT_THREAD_END:
		map_remove(&chrome->threads, (uint64_t)event->tid);
		break;
	default:
		break;
	}
}

static void
chrome_close(struct sink *sink)
{
	struct chrome_sink *chrome =
		container_of(sink, struct chrome_sink, sink);
	const char *last;

	free_tracks(chrome);
	last = chrome->begun ? "\n]\n" : "[\n]\n";
	out_write(chrome->out, last, strlen(last));
	map_release(&chrome->threads);
	str_release(&chrome->line);
	str_release(&chrome->text);
	free(chrome);
}

static const struct sink_ops ops = {
	.name = "chrome",
	.event = chrome_event,
	.close = chrome_close,
};

struct sink *
chrome_sink_new(const struct look *look, struct out *out)
{
	struct chrome_sink *chrome = xcalloc(1, sizeof(*chrome));

	chrome->sink.ops = &ops;
	chrome->look = look;
	chrome->show = (struct show_look){
		.string_length = look->string_length,
		.array_length = look->array_length,
	};
	chrome->out = out;
	map_init(&chrome->threads);
	map_init(&chrome->tracks);
	str_init(&chrome->line);
	str_init(&chrome->text);
	return &chrome->sink;
}
