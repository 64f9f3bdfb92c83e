/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A script tells sinks an invented run. Calls begin and end at times in
 * microseconds, and everything that is written is collected as one text.
 */
#ifndef TESTS_UNIT_OUTPUT_SCRIPT_H
#define TESTS_UNIT_OUTPUT_SCRIPT_H

#include "output/out.h"
#include "output/sink.h"
#include "output/tee.h"

#include "tests/unit/checks.h"

#define SCRIPT_PID 1000
#define SCRIPT_CALLS 64

struct script {
	struct look look;
	struct tee *tee;
	struct out *out;
	struct str text;
	struct event_call calls[SCRIPT_CALLS];
	/* by the thread's number, which is its tid - SCRIPT_PID */
	unsigned depth[16];
	unsigned begun;
	int64_t error; /* ns that are added to each duration */
};

typedef struct sink *(*script_sink)(const struct look *, struct out *);

/* script->look may be changed between script_init() and script_open(). */
void script_init(struct script *script);
void script_open(struct script *script, script_sink sink);
/* Closes the sinks, compares what they have written with the text, and releases
 * the script. */
void script_expect(struct script *script, const char *text);
/* Like script_expect() without the comparison: returns the text, which the
 * caller frees. */
char *script_close(struct script *script);

struct event_call *script_begin(struct script *script, pid_t tid,
				const char *name, uint64_t micros);
/* Makes a call that has not begun, so that its members can be set before
 * script_enter(). */
struct event_call *script_call(struct script *script, const char *name);
void script_enter(struct script *script, pid_t tid, struct event_call *call,
		  uint64_t micros);
void script_end(struct script *script, pid_t tid, struct event_call *call,
		uint64_t micros, enum call_end end);
/* Tells that the query is in flight. */
void script_in_flight(struct script *script, pid_t tid, struct event_call *call,
		      uint64_t micros);
/* Begins a call and returns from it. */
void script_whole(struct script *script, pid_t tid, const char *name,
		  uint64_t from, uint64_t to);
void script_tell(struct script *script, pid_t tid, enum event_kind kind,
		 uint64_t micros, int number, const char *text);

#endif
