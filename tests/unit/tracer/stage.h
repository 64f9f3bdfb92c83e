/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stage is a whole session in the test: its options are those of a command
 * line, its tracees forked copies of the test, and the lines of its trace are
 * kept as one text. No clock runs beside it, so a run ends when its tracees do.
 */
#ifndef TESTS_UNIT_TRACER_STAGE_H
#define TESTS_UNIT_TRACER_STAGE_H

#include "base/str.h"
#include "process/spawn.h"
#include "tracer/model/session.h"

/* Before a function that the copies call and the session traces: it is compiled
 * as it is written. No other function of the test has its name. */
#ifdef __clang__
#define TARGET __attribute__((noinline, optnone, used))
#else
#define TARGET __attribute__((noipa, used))
#endif

struct stage {
	struct options options;
	struct clockwork clockwork;
	struct spawn_signals signals;
	struct session session;
	pid_t pid; /* of the copy, or 0 */
	struct str text;
	struct out *outs[2];
};

/*
 * A command line, with blanks between its words and without its first, but for
 * "ltrace". A file with the name
 * stage.conf in it is one with the text conf. If `run` is not NULL, a copy that
 * is about to run it is attached to.
 */
void stage_open(struct stage *stage, const char *line, const char *conf,
		void (*run)(void));
/* The copy runs it now, or the command begins; until no tracee is left, or
 * xtrace is to leave. */
void stage_run(struct stage *stage);

/* The trace, to be freed, and the end of it all. */
char *stage_close(struct stage *stage);

/* The trace of all of that. The number of the copy's process is PID in it, that
 * of the test's is PARENT; a time is TIME, an address 0xADDRESS, and of several
 * blanks one is left. */
char *stage_trace(const char *line, const char *conf, void (*run)(void));
/* What xtrace has said to the user until now; the next question is about what
 * it says from then on. To be freed. */
char *stage_said(void);
/* It is these lines, and nothing was said. */
void stage_expect(const char *line, const char *conf, void (*run)(void),
		  const char *expected);

#endif
