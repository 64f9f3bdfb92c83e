/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the user wants the trace to look. tracer/ fills it; the sinks only read
 * it. */
#ifndef OUTPUT_LOOK_H
#define OUTPUT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct console;

enum look_time {
	LOOK_TIME_NONE,
	LOOK_TIME_SECONDS,  /* -t   22:31:50 */
	LOOK_TIME_MICROS,   /* -tt  22:31:50.507781 */
	LOOK_TIME_EPOCH,    /* -ttt 1795220826.633072 */
	LOOK_TIME_RELATIVE, /* -r   "  0.000158" since the line before */
};

enum look_when { LOOK_AUTO, LOOK_ALWAYS, LOOK_NEVER };

/* --sort of --summary: the columns of the table, from left to right. */
enum look_sort {
	LOOK_SORT_TOTAL, /* rows by their total time, the default */
	LOOK_SORT_SELF,
	LOOK_SORT_CALLS,
	LOOK_SORT_MEAN,
	LOOK_SORT_P50,
	LOOK_SORT_P95,
	LOOK_SORT_P99,
	LOOK_SORT_MAX,
	LOOK_SORT_FETCH,
	LOOK_SORT_ERRORS,
	LOOK_SORT_ROWS,
	LOOK_SORT_BYTES,
	LOOK_SORT_NAME,
	LOOK_SORTS
};

/* --weight: what the number behind a stack is. */
enum look_weight {
	LOOK_WEIGHT_TIME, /* microseconds of the function's own time */
	LOOK_WEIGHT_CALLS,
	LOOK_WEIGHT_BYTES, /* requested bytes, see output/stacks/asked.h */
	LOOK_WEIGHTS
};

/* --merge: whose stacks have a common root. */
enum look_merge {
	LOOK_MERGE_NONE,
	LOOK_MERGE_PROCESS, /* all threads of the process */
	LOOK_MERGE_PROGRAM, /* all processes that run the program */
};

struct look {
	/* what the values of --histogram are called, or NULL */
	const char *measured;
	enum look_time time;
	uint64_t epoch_offset; /* the result of clock_epoch_offset() */
	bool durations;	       /* -T: lines show durations */
	bool return_address; /* -i: lines show the return address of the call */
	unsigned indent;     /* -n: columns per nesting level */
	unsigned align;	     /* -a: column of "= value" */
	size_t string_length; /* -s: the most bytes of a text that are shown */
	/* -A: the most elements of an array that are shown */
	size_t array_length;
	bool hide_signals;  /* -b: signals are not shown */
	bool names;	    /* --names: parameter names */
	bool query_ids;	    /* --query-id: lines of queries show the id */
	bool bind;	    /* --bind: values of queries may be shown */
	bool redact;	    /* --redact: no literals of queries */
	bool whole_queries; /* texts are not cut: ids of queries are made of
			       them */
	bool color;	    /* lines have colours; tracer/ decides this */
	/* When lines have a column for the thread. AUTO: when a second thread
	 * prints. */
	enum look_when thread_column;
	/* "1234 " as in a file, or "[pid 1234] " as on stderr. */
	bool bare_thread_column;
	/* Entries are shown at once and lines completed at return. */
	bool immediate;
	/* xtrace runs as ltrace: for example, each nested call makes
	 * <unfinished ...>. */
	bool as_ltrace;
	/* the ends of threads have lines, as those of processes have */
	bool thread_ends;
	/* --min-time: the least duration of a call that is shown, in ns; 0:
	 * none */
	uint64_t min_duration;

	/* --sort: the column by which the summary is sorted */
	enum look_sort sort;
	/* --group-by: query, function, thread, process, caller, where, request,
	 * transaction, text, or an argument's name; or several of these with
	 * commas (output/group.h). NULL: query if there is SQL, else
	 * function. */
	const char *group_by;
	bool wide;	   /* --wide: a table of queries has all columns */
	bool summary_json; /* the summary is written as JSON Lines */
	unsigned top;	   /* the summary has at most this many rows; 0: all */
	/* print a table of the new calls at this interval; 0: none */
	uint64_t interval;

	/* --live: the terminal, or NULL; and whether calls can be grouped by
	 * query, by the line that makes them, and by request. */
	struct console *console;
	bool has_queries, has_frames, has_requests;
	bool has_samples; /* --sample */
	bool has_calls;	  /* calls are traced, too */

	/* For trees of stacks, such as those of --folded and --flame. */
	const char *command; /* what is traced, for a title; NULL: unknown */
	/* --flame-form=flames: the outermost frame is at the bottom */
	bool flames_upward;
	enum look_merge merge;
	enum look_weight weight;
	bool collapse_recursion;
	/* frames are known at the return only (--stack-min-time) */
	bool frames_late;
	bool frames_hidden; /* calls have frames, but lines do not show them */
};

#endif
