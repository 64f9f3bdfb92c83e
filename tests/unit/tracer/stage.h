/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A stage is a whole session in the test: its options come from a command line,
 * its tracees are forked copies of the test, and the lines of its trace are
 * kept as one text; with --sample, -c or another format, its table. There is no
 * clock thread, so a run ends when its tracees end.
 */
#ifndef TESTS_UNIT_TRACER_STAGE_H
#define TESTS_UNIT_TRACER_STAGE_H

#include "base/str.h"
#include "process/spawn.h"
#include "tracer/model/session.h"

/* Marks a function that the copies call and the session traces: it is compiled
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
	pid_t pid; /* pid of the copy, or 0 */
	struct str text;
	struct out *outs[2];
};

/*
 * line: a command line with blanks between its words, and without its first
 * word unless that is "ltrace". If it contains the name stage.conf, this file
 * has the text conf. If `run` is not NULL, the session attaches to a copy that
 * will call it.
 */
void stage_open(struct stage *stage, const char *line, const char *conf,
		void (*run)(void));
/* The copy calls `run` now, or the command begins; returns when there is no
 * tracee any more, or xtrace is to leave. */
void stage_run(struct stage *stage);

/* From now on, if the test gets this signal, a second has passed for the
 * session. The signal takes the place of the clock thread. It does not restart
 * system calls. */
void stage_tick_by(struct stage *stage, int signal);

/* Ends the session and returns the trace, which the caller frees. */
char *stage_close(struct stage *stage);

/* Like stage_close(), with the replacements of stage_trace() in the text. */
char *stage_close_plain(struct stage *stage);
/* The trace of a complete session. In it, the copy's pid is PID, the test's is
 * PARENT, a time is TIME, an address 0xADDRESS, and several blanks are one. */
char *stage_trace(const char *line, const char *conf, void (*run)(void));
/* The messages of xtrace since the last call. The caller frees them. */
char *stage_said(void);
/* Expects these lines and no messages. */
void stage_expect(const char *line, const char *conf, void (*run)(void),
		  const char *expected);

#endif
