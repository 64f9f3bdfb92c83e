/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the counts of the tally (process/tally.h), and the counts that other
 * rooms keep. */
#include "tracer/run/stats.h"

#include "agent/area.h"
#include "base/str.h"
#include "tracer/model/say.h"
#include "tracer/queries/probes.h"
#include "tracer/report/hot_sites.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/sampler/sampler.h"

static void
say_stops(const struct tally *tally, uint64_t *ret_stops)
{
	struct str text;
	uint64_t stops = 0;

	str_init(&text);
	for (int kind = 0; kind < STOP_KINDS; kind++) {
		if (!tally->stops[kind])
			continue;
		str_addf(&text, " %s %llu", stop_kind_name(kind),
			 (unsigned long long)tally->stops[kind]);
		stops += tally->stops[kind];
	}
	say("stops:%s", str_text(&text));
	str_release(&text);
	*ret_stops = stops;
}

static void
say_samples(const struct sampler_counts *counts)
{
	say("samples: %llu, %llu of them taken again, %llu stops without one; "
	    "a thread was held %.1f us for one, %.1f us at most",
	    (unsigned long long)counts->samples,
	    (unsigned long long)counts->again,
	    (unsigned long long)counts->refused,
	    counts->stops
		    ? (double)counts->held_ns / 1e3 / (double)counts->stops
		    : 0.0,
	    (double)counts->held_most_ns / 1e3);
	say("rounds: %llu, threads examined: %llu",
	    (unsigned long long)counts->rounds,
	    (unsigned long long)counts->examined);
}

static void
say_sums(const struct session *session)
{
	const struct counts *counts = &session->counts;

	say("calls counted inside the programs: %llu; no room there for "
	    "%llu functions or return addresses, %llu threads",
	    (unsigned long long)counts->inside,
	    (unsigned long long)counts->meters_refused,
	    (unsigned long long)counts->threads_refused);
	say("threads counted inside: %llu, each in %llu KiB of address space; "
	    "not read at their end: %llu",
	    (unsigned long long)counts->metered,
	    (unsigned long long)area_block_size(metering_area_kind(session)) /
		    1024,
	    (unsigned long long)counts->metered_lost);
}

static bool
sums_stacks(const struct options *options)
{
	return options->formats[FORMAT_FOLDED].wanted ||
	       options->formats[FORMAT_FLAME_SVG].wanted ||
	       options->formats[FORMAT_FLAME_HTML].wanted;
}

static void
say_jumps(const struct session *session)
{
	if (session->options->jumps)
		say("jumps: %llu sites; %llu hot sites have none; %llu are "
		    "traps again",
		    (unsigned long long)session->counts.jumps,
		    (unsigned long long)session->counts.jumps_refused,
		    (unsigned long long)session->counts.jumps_back);
	if (session_has_meters(session))
		say_sums(session);
	else if (session->options->jumps && sums_stacks(session->options))
		say("no calls are counted inside the programs: a tree of "
		    "stacks needs each call");
	hot_sites_say(session);
}

void
stats_say(const struct session *session)
{
	const struct tally *tally = &session->table.tally;
	const struct lag *lag = &session->table.lag;
	uint64_t calls = session->counts.begun, stops;
	uint64_t ours = tally->waits + tally->ptraces + tally->reads +
			tally->writes + tally->others;

	say_stops(tally, &stops);
	say("system calls: %llu waits, %llu ptrace, %llu reads (%llu bytes), "
	    "%llu writes (%llu bytes), %llu others; %.2f a stop, %.2f a call",
	    (unsigned long long)tally->waits,
	    (unsigned long long)tally->ptraces,
	    (unsigned long long)tally->reads,
	    (unsigned long long)tally->read_bytes,
	    (unsigned long long)tally->writes,
	    (unsigned long long)tally->write_bytes,
	    (unsigned long long)tally->others,
	    stops ? (double)ours / (double)stops : 0.0,
	    calls ? (double)ours / (double)calls : 0.0);
	say("calls traced: %llu; sites planted: %llu, refused: %llu; system "
	    "calls injected: %llu",
	    (unsigned long long)calls,
	    (unsigned long long)session->counts.planted,
	    (unsigned long long)session->counts.refused,
	    (unsigned long long)tally->injected);
	say_jumps(session);
	if (session->memory)
		say("kept for later calls: %zu texts, %zu bytes; dropped "
		    "because "
		    "there was no room: %llu; unfinished: %zu",
		    session->memory->handles.count,
		    session->memory->handles.bytes,
		    (unsigned long long)session->memory->handles.dropped,
		    session->memory->spans.count);
	if (tally->actions_restored)
		say("restored for SIGTRAP: actions %llu, masks %llu; owner "
		    "unknown: %llu",
		    (unsigned long long)tally->actions_restored,
		    (unsigned long long)tally->masks_restored,
		    (unsigned long long)tally->masks_unknown);
	if (lag->count)
		say("times: a stop adds %.1f to %.1f us to them, %.1f of it "
		    "CPU time (%.1f on another CPU); that is taken off",
		    (double)lag->wall / 1e3, (double)lag->wall_most / 1e3,
		    (double)lag->near.usual / 1e3,
		    (double)lag->far.usual / 1e3);
	left_out_say_cost(session);
	if (session->sampler)
		say_samples(sampler_counts(session->sampler));
	say("held at attach: %.3f ms in all, %.3f ms at most at a time",
	    (double)tally->held_ns / 1e6, (double)tally->held_most_ns / 1e6);
}
