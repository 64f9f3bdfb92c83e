/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An event is what the sinks are told. It is self-contained, so that a sink
 * needs no process. Ids are numbers, texts are complete, and every value is
 * captured before the thread runs on. During EVENT_ENTRY, values read the
 * tracee through the call's capture; later they only read the capture.
 */
#ifndef OUTPUT_EVENT_H
#define OUTPUT_EVENT_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct arguments;
struct frame;
struct value;

enum event_kind {
	EVENT_ENTRY,  /* a call has begun */
	EVENT_RETURN, /* a call has ended, see enum call_end */
	/* A call that the parent of a forked process began has ended in the
	 * forked process. Its entry was an event of the parent. */
	EVENT_CHILD_RETURN,
	/* a signal is delivered to a thread: number and name are the
	 * signal's */
	EVENT_SIGNAL,
	EVENT_EXEC,   /* the process runs another program: text is its path */
	EVENT_START,  /* a process was started, attached to or forked */
	EVENT_LEAVE,  /* a process was left, alive */
	EVENT_EXITED, /* a process has exited: number is its exit status */
	EVENT_KILLED, /* a process was killed: number is the signal */
	EVENT_THREAD_START, /* a second or later thread of a process */
	EVENT_THREAD_END,
	EVENT_STACK, /* where a thread is (--dump): text is its name */
	/* Where a thread was for some of its time (--sample), see weight. */
	EVENT_SAMPLE,
	/* A query has not ended yet: duration of its call is the time so far.
	 * Its EVENT_ENTRY may come later. */
	EVENT_IN_FLIGHT,
	/* A call has not ended yet: its duration is the time so far. Each open
	 * call is told before a page is drawn (--live). Only for sinks that
	 * draw. */
	EVENT_OPEN,
	/* A thread has got more memory (--alloc), see weight and seen. */
	EVENT_GROWTH,
	/* A part of a program's time has ended in which no growth was watched
	 * (--alloc), see weight, change and extrapolated. */
	EVENT_UNWATCHED,
	EVENT_REQUEST, /* a server has got a request */
	/* The trace of which the request is a part is known now, see struct
	 * event_request. This is told before a query of the request ends. */
	EVENT_REQUEST_TRACE,
	/* A thread has sent a part of the answer to a request. The thread's
	 * queries that have no request, and began after the request, belong to
	 * this request. */
	EVENT_REQUEST_THREAD,
	/* a server has answered a request, or the request ended otherwise */
	EVENT_REQUEST_END,
	EVENT_TRANSACTION_END, /* a transaction of a database has ended */
	/* `calls` calls of a function have ended: their names and the sum of
	 * their durations are in `call`. Only for sinks that take sums. */
	EVENT_SUM,
	/* Calls that are told as sums have ended directly within the innermost
	 * open call of the thread: the sum of their durations is in `call`. */
	EVENT_SUM_WITHIN,
	/* Calls are changed (--inject): text says which calls and how. This is
	 * told once, at the beginning; with -ff, in each process. */
	EVENT_TAMPERING,
	/* A function, or the queries, are left out from now on, or are looked
	 * at again; or only their times have grown (--budget). With -ff there
	 * is one event for each process. */
	EVENT_LEFT_OUT,
};

#define EVENT_CHANGE_UNKNOWN INT64_MIN

/* How a call ended. */
enum call_end {
	CALL_RETURNED,
	/* the call was ended by longjmp, an exception or thread cancellation */
	CALL_UNWOUND,
	/* the call was still running when we left the process */
	CALL_UNFINISHED,
	CALL_NO_RETURN, /* the thread ended or called exec within the call */
	/* the return of the call cannot be traced (_start), or the call is an
	 * SDT probe */
	CALL_ENTRY_ONLY,
};

/* Is a transaction open on the connection of a query when the query is over? */
enum transaction_state {
	TRANSACTION_UNKNOWN,
	TRANSACTION_NONE,
	TRANSACTION_OPEN,
	TRANSACTION_FAILED, /* the transaction can only be rolled back */
};

/* What a probe tells about a call besides its result. */
struct event_outcome {
	bool failed;
	bool has_code;
	int64_t code;
	const char *state;   /* the SQLSTATE of the error, "42000", or NULL */
	const char *message; /* the message of the error, or NULL */
	bool has_rows;
	int64_t rows;
	bool has_bytes;
	/* bytes of the answer, as they came on the connection */
	uint64_t bytes;
	/* The time to the first part of the answer; the rest of the duration
	 * is the time of fetching. */
	bool has_first;
	int64_t first;
	/* xtrace may not have seen when the first part of the answer came. */
	bool unseen;
	/* xtrace has not seen the returns of all calls of the query, so the
	 * number of its rows is not known. */
	bool rows_lost;
	/* The program's own time while rows were fetched; it is no part of the
	 * duration. */
	int64_t between;
	/* like `between`, but with the time in which xtrace held the thread */
	uint64_t between_wall;
	/* Whether a transaction is open after the query, as far as that is
	 * known; and a number of the connection, which is not for sinks. */
	enum transaction_state transaction;
	uint64_t connection;
	/* replaces the function's result, or NULL */
	const struct value *result;
};

/* The server and the database to which a query is sent, or to which a client
 * connects, as far as they are known. */
struct event_server {
	/* The name of the server, its IP address, or the path of its socket;
	 * or NULL. */
	const char *address;
	unsigned port;	      /* or 0 */
	const char *database; /* a name; SQLite: the file; or NULL */
};

/* The span of another program that has sent a request (W3C, Trace Context). */
struct event_trace {
	char id[33];	     /* of the trace, in hexadecimal digits */
	char parent[17];     /* of the span */
	unsigned char flags; /* 1: sampled, 2: the id of the trace is random */
};

/* A request to a server, of which its queries are a part. */
struct event_request {
	uint64_t id; /* counts from 1 */
	const char *method;
	const char *path; /* "/books", without its query string */
	/* A request that is a call of a script's function (--request-frame):
	 * the function and its file, instead of method and path. */
	const char *function;
	const char *file;
	bool unfinished; /* the request ended before anything was sent */
	/* NULL: the request is a part of no other trace, or this is unknown */
	const struct event_trace *trace;
};

enum transaction_end {
	TRANSACTION_COMMITTED,
	TRANSACTION_ROLLED_BACK,
	/* the connection or the process of the transaction has ended */
	TRANSACTION_CLOSED,
	/* the transaction was still open when xtrace left the process */
	TRANSACTION_UNFINISHED,
};

/* A transaction of a database, on one connection. */
struct event_transaction {
	uint64_t id; /* counts from 1 */
	/* the transaction began before xtrace saw the connection */
	bool before;
	uint64_t queries; /* number of queries, with BEGIN and COMMIT */
	int64_t time;	  /* time of the queries, in ns */
	int64_t idle;	  /* time between the queries, in ns */
	enum transaction_end end;
};

/* What is known of a function that --budget leaves out for some of the time. */
struct event_left_out {
	const char *name; /* the function, or "(queries)" */
	bool out;	  /* left out from now on */
	bool last;	  /* the run ends, or with -ff the process */
	bool sums;	  /* nothing has changed but the times below */
	/* For how long it was looked at and left out so far, in ns, and how
	 * often it was left out. */
	uint64_t looked, left, breaks;
};

/* Each sink may keep one pointer with a call; it frees it at the return. */
#define SINKS_MOST 20

struct frames_skipped {
	const char *package;
	unsigned count;
};

struct event_call {
	uint64_t id;	  /* counts from 1 */
	const char *name; /* the name in the symbol table */
	/* the name to print: demangled, caller->, @library */
	const char *display;
	const char *module;   /* label of the defining module, or NULL */
	const char *caller;   /* label of the calling module, or NULL */
	uint64_t request;     /* the id of the request that the thread
			       * answers; 0: none, or unknown */
	uint64_t transaction; /* the id of the query's transaction, or 0 */
	int64_t idle; /* how long the transaction was idle before this query */
	unsigned depth;	       /* 0 for the outermost traced call */
	addr_t entry;	       /* address of the function */
	addr_t return_address; /* 0 if unknown */
	uint64_t began;	       /* when the call began, by clock_now() */
	/* when the call began, in the thread's own time (process/held.h) */
	uint64_t began_own;
	/* When the call began and ended on the thread's time line (struct
	 * event's `track`). The end is set at EVENT_RETURN. */
	uint64_t began_track, ended_track;
	/*
	 * Set at EVENT_RETURN. The duration does not contain the time in which
	 * xtrace held the thread, unless --wall is given. It may be below 0 for
	 * a brief call, because of measuring errors. Sums use it as it is,
	 * because such errors cancel out.
	 */
	int64_t duration;
	/* the duration, with the time in which xtrace held the thread */
	uint64_t wall;
	/*
	 * By how much the duration may be wrong, because the time in which
	 * xtrace held the thread is not known exactly (`wall`, if it is not
	 * known at all); and the uncertainty of the thread's own time when the
	 * call began.
	 */
	uint64_t uncertainty, began_unsure;
	/* By how much the call may have been longer than `duration` says, if it
	 * began inside the program (tracer/report/metering). */
	uint64_t older;
	enum call_end end; /* set at EVENT_RETURN */
	struct arguments *arguments;
	const struct value *result; /* NULL: void, unknown, or no return */
	/* The stack of the caller, innermost frame first (-w). Known at
	 * EVENT_ENTRY, or with frames_late at EVENT_RETURN. */
	const struct frame *frames;
	unsigned frame_count;
	bool frames_partial; /* outer frames could not be read */
	/* Index from which the frames are a script's that could not be merged
	 * with the native frames before them; 0: there are none. */
	unsigned frames_apart;
	unsigned frames_own; /* index of the application's first frame, or
			      * frame_count; see stack_own() */
	/* How many frames within frames[0] are not shown (--stack-from), by
	 * package, the innermost package first. */
	const struct frames_skipped *skipped;
	unsigned skipped_count;
	/* began before the attach; its time counts from the attach */
	bool before;
	bool frames_late; /* the frames are known at EVENT_RETURN */
	/* the call connects to a database */
	bool connects;
	/* An SDT probe: a place in the code, so it has no end and no result. */
	bool point;
	/* A probe's call, shown as "name arguments" without parentheses. */
	bool bare;
	/* For a call that ends in another function than it began in: the part
	 * of its duration that was spent in calls. 0: all of it. */
	int64_t inside;
	/* NULL: unknown, or no sink wants it */
	const struct event_server *server;
	/* what a probe tells of the call, or NULL */
	const struct event_outcome *outcome;
	/* what the descriptor that the call returned is open for (-y), or
	 * NULL */
	const char *result_file;
	bool restarts; /* a system call that the kernel makes again */
	/* The value of --histogram's expression, at EVENT_RETURN. */
	bool is_measured;
	int64_t measured;
	bool injected;	  /* xtrace has given the call its result (--inject) */
	bool delayed;	  /* xtrace has delayed the call */
	int error_number; /* the thread's errno if requested, else 0 */
	void *kept[SINKS_MOST]; /* indexed by the sink's index */
};

/* Does the call have no end because its return cannot be traced? Tables do not
 * count it. */
static inline bool
event_endless(const struct event_call *call)
{
	return call->end == CALL_ENTRY_ONLY && !call->point;
}

/* The time of calls as it is shown. A measuring error can make it 0 or less,
 * but each call takes some time. */
static inline uint64_t
event_shown(int64_t ns)
{
	return ns > 0 ? (uint64_t)ns : 1;
}

/* The longest time that the call may have taken, which is compared with a
 * limit: a call must not be left out if it may have reached the limit. */
static inline uint64_t
event_longest(const struct event_call *call)
{
	return event_shown(call->duration + (int64_t)call->older);
}

/* The time to the first part of the answer, limited to the whole duration:
 * because of measuring errors, outcome->first may be longer. */
static inline int64_t
event_first(const struct event_outcome *outcome, int64_t duration)
{
	return outcome->first < duration ? outcome->first : duration;
}

/* The time of fetching, of a query that took `duration`. */
static inline int64_t
event_fetching(const struct event_outcome *outcome, int64_t duration)
{
	return duration > outcome->first ? duration - outcome->first : 0;
}

/* One step of a histogram: so many calls have taken about `ns` nanoseconds. */
struct event_step {
	uint64_t ns, calls;
};

/* What an EVENT_SUM tells of the durations of its calls, in ns. */
struct event_times {
	int64_t own; /* the durations without those of inner calls */
	/* The duration of the thread's longest call of the function. An earlier
	 * event may have told of this call. */
	uint64_t most;
	bool most_before;
	const struct event_step *steps;
	size_t count; /* number of steps */
};

struct event {
	enum event_kind kind;
	uint64_t when; /* when the event was, by clock_now() */
	/* When the event was on the thread's time line, on which no event is
	 * before an earlier event: the thread's own time (held_track()), or
	 * with --wall the same as `when`. */
	uint64_t track;
	pid_t pid;
	pid_t tid;
	/* for EVENT_ENTRY, EVENT_RETURN, EVENT_IN_FLIGHT and EVENT_OPEN; for
	 * EVENT_STACK, EVENT_SAMPLE and EVENT_GROWTH only its frames; for
	 * EVENT_REQUEST_* and EVENT_TRANSACTION_END only its times */
	struct event_call *call;
	const struct event_request *request; /* of EVENT_REQUEST* */
	/* of EVENT_TRANSACTION_END */
	const struct event_transaction *transaction;
	/* EVENT_SAMPLE: the ns since the last sample of the thread.
	 * EVENT_GROWTH: bytes. EVENT_UNWATCHED: ns. */
	uint64_t weight;
	/* EVENT_UNWATCHED: by how many bytes the program's private writable
	 * memory grew in this time, or EVENT_CHANGE_UNKNOWN. */
	int64_t change;
	/* EVENT_UNWATCHED: later growths are extrapolated to this time by
	 * their `seen`. False if no growth can follow. */
	bool extrapolated;
	const struct event_left_out *left_out; /* of EVENT_LEFT_OUT */
	/* EVENT_GROWTH: what part of the time was watched, up to 1. An estimate
	 * divides by it. window: number of a part of the time in which either
	 * all growths were watched, or none. */
	double seen;
	uint64_t window;
	uint64_t calls; /* EVENT_SUM: the number of calls */
	/* EVENT_SUM: the durations of the calls; NULL if no sink wants them */
	const struct event_times *times;
	int number; /* signal number or exit status */
	/* EVENT_EXEC: the path of the program. EVENT_TAMPERING: what is
	 * changed. EVENT_STACK, EVENT_SAMPLE: the name of the thread, or NULL.
	 * EVENT_GROWTH: "mmap", "brk", ... */
	const char *text;
	/* EVENT_START, EVENT_EXEC: the text of /proc/PID/cgroup, or NULL if no
	 * sink wants it. */
	const char *groups;
	const char *state; /* EVENT_STACK: "running", "blocked" or "stopped" */
};

#endif
