/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event is what we tell the sinks: self-contained, so that a sink needs no
 * process. Ids are numbers, texts are complete, and every value is captured
 * before the thread runs on; while EVENT_ENTRY is told, values read the
 * tracee through the call's capture, afterwards only the capture.
 */
#ifndef OUTPUT_EVENT_H
#define OUTPUT_EVENT_H

#include "base/addr.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct arguments;
struct frame;
struct value;

enum event_kind {
	EVENT_ENTRY,  /* a call has begun */
	EVENT_RETURN, /* ... and is over, see enum call_end */
	EVENT_SIGNAL, /* number, name: delivered to a thread */
	EVENT_EXEC,   /* the process runs another program: text is its path */
	EVENT_START,  /* a process was started, attached to or born */
	EVENT_LEAVE,  /* ... let go alive */
	EVENT_EXITED, /* ... is over: number is its exit status */
	EVENT_KILLED, /* ... is over: number is the signal */
	EVENT_THREAD_START, /* from the second thread of a process on */
	EVENT_THREAD_END,
	EVENT_STACK, /* where a thread is (--dump): text is its name */
};

/* How a call ended. */
enum call_end {
	CALL_RETURNED,
	CALL_UNWOUND,	 /* longjmp, exception, thread cancellation */
	CALL_UNFINISHED, /* still running when we let go */
	CALL_NO_RETURN,	 /* the thread ended or exec'd within */
	CALL_ENTRY_ONLY, /* its return cannot be seen (_start) */
};

/* What is known of a call beyond its result, where a probe asks for it. */
struct event_outcome {
	bool failed;
	bool has_code;
	int64_t code;
	const char *state;   /* "42000", or NULL */
	const char *message; /* or NULL */
	bool has_rows;
	int64_t rows;
	const struct value *result; /* in place of what came back, or NULL */
};

/* A sink may hang one pointer on a call; freed by the sink at the return. */
#define SINKS_MOST 16

struct event_call {
	uint64_t id;	       /* counts from 1 */
	const char *name;      /* as in the symbol table */
	const char *display;   /* as to print: demangled, caller->, @library */
	const char *module;    /* label of the defining module, or NULL */
	const char *caller;    /* label of the calling module, or NULL */
	unsigned depth;	       /* 0 for the outermost traced call */
	addr_t entry;	       /* address of the function */
	addr_t return_address; /* 0 where unknown */
	uint64_t began;	       /* clock_now() */
	uint64_t duration;     /* set at EVENT_RETURN */
	enum call_end end;     /* set at EVENT_RETURN */
	struct arguments *arguments;
	const struct value *result; /* NULL: void, unknown, or not returned */
	/* Where it was called from, the innermost first (-w): known at
	 * EVENT_ENTRY, or frames_late. */
	const struct frame *frames;
	unsigned frame_count;
	bool frames_partial; /* further out could not be read */
	/* The script's, from here on, could not be put among the native ones
	 * before them; 0: there are none such. */
	unsigned frames_apart;
	bool before;	  /* begun before we came: its time is from then on */
	bool frames_late; /* they are known from EVENT_RETURN on */
	/* Shown as "name arguments", with no brackets: a probe's. */
	bool bare;
	/* Of a call that is over in another function than it began in: what
	 * was spent in calls, of its duration. 0: all of it. */
	uint64_t inside;
	const struct event_outcome *outcome; /* or NULL */
	int error_number;	/* the thread's errno where asked for, else 0 */
	void *kept[SINKS_MOST]; /* by the sink's index */
};

struct event {
	enum event_kind kind;
	uint64_t when; /* clock_now() */
	pid_t pid;
	pid_t tid;
	struct event_call *call; /* ENTRY and RETURN; STACK: of its frames */
	int number;		 /* signal number or exit status */
	const char *text;	 /* path, or NULL */
	const char *state;	 /* STACK: "running", "blocked", "stopped" */
};

#endif
