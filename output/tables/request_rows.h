/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts the requests to a server by route. A route is all requests with one
 * method and path, in which numbers are *. The queries of a request are counted
 * for its route. For each query and the line that makes it, it is also counted
 * how often a single request has made it.
 */
#ifndef OUTPUT_TABLES_REQUEST_ROWS_H
#define OUTPUT_TABLES_REQUEST_ROWS_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "output/event.h"

/* A query from one line, as the requests of a route make it. */
struct request_repeat {
	char *name; /* "select ... at views.py:22 in index" */
	/* how often it was made: by all requests, or by the open one */
	uint64_t count;
	uint64_t most;	   /* how often a single request has made it, at most */
	uint64_t requests; /* how many requests have made it */
	int64_t time;
};

/* The counts of one request, or of all requests of a route. */
struct request_tally {
	uint64_t queries;
	uint64_t errors;
	uint64_t connects;
	int64_t connecting; /* time of the calls that connect, in ns */
	int64_t time;	    /* time of the queries, in ns */
	uint64_t rows;
	bool has_rows;
	struct strmap by_name;
	vec_of(struct request_repeat *) repeats;
};

struct request_route {
	char *name; /* "GET /books" */
	uint64_t count, unfinished;
	int64_t time; /* time of the requests, in ns */
	struct request_tally tally;
};

struct request_rows {
	struct map open; /* id -> struct open_request */
	struct strmap by_name;
	vec_of(struct request_route *) routes;
	struct map idle; /* tid -> struct idle_thread: queries whose request is
			  * not known yet */
	struct request_tally other; /* queries of no request */
	struct str key;
};

void request_rows_init(struct request_rows *rows);
void request_rows_release(struct request_rows *rows);

/* Takes EVENT_REQUEST, EVENT_REQUEST_THREAD and EVENT_REQUEST_END. */
void request_rows_begin(struct request_rows *rows, const struct event *event);
void request_rows_move(struct request_rows *rows, const struct event *event);
void request_rows_end(struct request_rows *rows, const struct event *event);
/* Takes the EVENT_RETURN of a query. */
void request_rows_query(struct request_rows *rows, const struct event *event);

/* Called when the trace is over: queries whose request is still not known
 * belong to none. */
void request_rows_end_idle(struct request_rows *rows);

/* Adds the method and the path of a request, with * for each part of the path
 * that is a number or a long hexadecimal number. */
void request_rows_add_name(struct str *to, const struct event_request *request);

#endif
