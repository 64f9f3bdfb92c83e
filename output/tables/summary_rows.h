/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rows of a summary: the key of each call, and what is counted for each
 * key. If a call has an argument with SQL, its key is the fingerprint of the
 * SQL, else its function. --group-by can choose another key.
 */
#ifndef OUTPUT_TABLES_SUMMARY_ROWS_H
#define OUTPUT_TABLES_SUMMARY_ROWS_H

#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "output/event.h"
#include "output/tables/histogram.h"
#include "output/look.h"

#include <stdbool.h>

/* The counts of one row over some time. */
struct summary_tally {
	int64_t self;
	/* What the footer sums: the time of queries, and the own time of other
	 * calls. */
	int64_t spent;
	/* Calls that were in flight at the attach: how many, and their times
	 * since then. They are not in `times`. */
	uint64_t before, before_most;
	int64_t before_sum;
	uint64_t errors;
	/* Rows and bytes of the answers, as the servers have reported them or
	 * as they were counted; only of the calls of which they are known. */
	bool has_rows, has_bytes, has_first;
	uint64_t rows, bytes;
	/* The time of fetching, after the first parts of the answers. */
	int64_t fetch;
	struct histogram times;
	/* The text and the function of the slowest call; or NULL. */
	char *sample;
	char *sample_function;
	/* The stack of the slowest call, a line for each frame, if
	 * look->has_frames; or NULL. */
	char *sample_stack;
};

struct summary_row {
	char *name;
	bool sql;	/* the name contains a fingerprint */
	uint32_t query; /* the id of the query with this fingerprint */
	struct summary_tally recent; /* the counts since the last table */
	struct summary_tally whole;
};

struct summary_rows {
	const struct look *look;
	struct strmap by_name;
	struct map requests; /* id of an open request -> its name */
	/* id of an open transaction -> the line of its first query */
	struct map transactions;
	vec_of(struct summary_row *) list;
	struct str key; /* key of the present call */
	/* Whether `key` contains a fingerprint, and the id of the query with
	 * this fingerprint. */
	bool is_query;
	uint32_t query;
};

void summary_rows_init(struct summary_rows *rows, const struct look *look);
void summary_rows_release(struct summary_rows *rows);

/* At EVENT_ENTRY: reads what the key needs. */
void summary_rows_entry(struct summary_rows *rows,
			const struct event_call *call);
/* At EVENT_RETURN: counts the call. self is the call's own time. */
void summary_rows_count(struct summary_rows *rows, const struct event *event,
			int64_t self);

/* At EVENT_SUM with times: counts the calls that the event sums up. */
void summary_rows_sum(struct summary_rows *rows, const struct event *event);

/* Takes EVENT_REQUEST and EVENT_REQUEST_END. */
void summary_rows_request(struct summary_rows *rows, const struct event *event);
/* Takes EVENT_TRANSACTION_END. */
void summary_rows_transaction(struct summary_rows *rows,
			      const struct event *event);

/* The figures of all calls, including calls that were in flight at the
 * attach. */
uint64_t summary_tally_calls(const struct summary_tally *tally);
int64_t summary_tally_sum(const struct summary_tally *tally);
uint64_t summary_tally_most(const struct summary_tally *tally);

/* Adds `from` to `to` and empties `from`. */
void summary_tally_merge(struct summary_tally *to, struct summary_tally *from);

#endif
