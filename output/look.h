/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the user wants the trace to look. Filled by tracer/options, read only. */
#ifndef OUTPUT_LOOK_H
#define OUTPUT_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum look_time {
	LOOK_TIME_NONE,
	LOOK_TIME_SECONDS,  /* -t   22:31:50 */
	LOOK_TIME_MICROS,   /* -tt  22:31:50.507781 */
	LOOK_TIME_EPOCH,    /* -ttt 1795220826.633072 */
	LOOK_TIME_RELATIVE, /* -r   "  0.000158" since the line before */
};

enum look_when { LOOK_AUTO, LOOK_ALWAYS, LOOK_NEVER };

/* --sort of --summary: its columns, from the left. */
enum look_sort {
	LOOK_SORT_TOTAL, /* unless asked otherwise */
	LOOK_SORT_SELF,
	LOOK_SORT_CALLS,
	LOOK_SORT_MEAN,
	LOOK_SORT_P50,
	LOOK_SORT_P95,
	LOOK_SORT_P99,
	LOOK_SORT_MAX,
	LOOK_SORT_ERRORS,
	LOOK_SORT_ROWS,
	LOOK_SORT_NAME,
	LOOK_SORTS
};

/* --weight: what the number behind a stack counts. */
enum look_weight {
	LOOK_WEIGHT_TIME, /* microseconds of its own */
	LOOK_WEIGHT_CALLS,
	LOOK_WEIGHT_BYTES, /* that were asked for, see output/stacks/asked.h */
	LOOK_WEIGHTS
};

struct look {
	enum look_time time;
	uint64_t epoch_offset; /* clock_epoch_offset() */
	bool durations;	       /* -T */
	bool return_address;   /* -i */
	unsigned indent;       /* -n: columns a nesting level */
	unsigned align;	       /* -a: column of "= value" */
	size_t string_length;  /* -s */
	size_t array_length;   /* -A */
	bool hide_signals;     /* -b */
	bool names;	       /* --names: parameter names */
	bool color;	       /* decided by the roof */
	/* The thread column. AUTO: from the moment a second thread prints. */
	enum look_when thread_column;
	/* "1234 " as in a file, or "[pid 1234] " as on stderr. */
	bool bare_thread_column;
	/* Entries are shown at once and lines completed at return. */
	bool immediate;
	/* Invoked as ltrace: nesting alone gives <unfinished ...>, and so on */
	bool as_ltrace;
	uint64_t min_duration; /* --min-time, 0 is none */

	/* --summary */
	enum look_sort sort;
	/* function, thread, process, caller, where, or an argument's name;
	 * NULL: by the fingerprint of SQL, else by function. */
	const char *group_by;
	bool summary_json; /* as JSON Lines */
	unsigned top;	   /* rows at most, 0 is all */
	uint64_t interval; /* a table of what came since, 0 is none */

	/* --folded, --flame */
	enum look_weight weight;
	bool collapse_recursion;
	bool frames_late;   /* --stack-min-time */
	bool frames_hidden; /* what calls have of them, lines do not show */
};

#endif
