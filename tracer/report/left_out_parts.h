/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of tracer/report/left_out share; for them only. */
#ifndef TRACER_REPORT_LEFT_OUT_PARTS_H
#define TRACER_REPORT_LEFT_OUT_PARTS_H

#include "base/clock.h"
#include "base/map.h"
#include "base/vec.h"
#include "tracer/model/budget.h"
#include "tracer/report/left_out.h"
#include "tracer/report/shares.h"

/* The cost of an item is averaged over about this time. What an item has not
 * used in this time it may use later. */
#define RECENT_NS CLOCK_SECOND

/* A trap that was removed, because all functions of its site are left out. */
struct lifted {
	struct program *program;
	addr_t address;
};

/* An item. */
struct budgeted {
	char *name;
	bool queries;
	bool out; /* left out now */
	struct budget budget;
	uint64_t cost; /* in this window, in ns */
	/* The cost of the last windows, and their length. */
	double recent_cost, recent;
	/* For how long the item was looked at and left out, without the window
	 * or the break that has not ended yet; and the number of breaks. */
	uint64_t looked, left, breaks;
	vec_of(struct lifted) lifted;
};

struct left_out {
	struct session *session;
	double part; /* share of the time that stops may cost */
	bool begun;
	uint64_t start; /* when left_out_begin() was called */
	pid_t pid; /* a process that was traced, for events of all processes */
	vec_of(struct budgeted *) items;
	struct strmap by_name;
	double level;	     /* share that each item may cost */
	uint64_t level_time; /* when the level was computed */
	uint64_t next;	     /* when the next break ends; 0: there is none */
	/* Since the last left_out_take_time(): when that was, the cost of all
	 * stops, the cost of the stops at which nothing can be left out, and
	 * the largest cost of a thread that has ended. */
	uint64_t since, sum, other, most;
	double left_share; /* the share that is left for the items */
	double balance;
	/* The whole run: the cost, and the time that it is a share of. */
	double cost, time;
	struct shares_period period;
};

/* The item of a tracepoint. NULL: xtrace needs the trap for other things than
 * to show calls, so it is never left out. */
struct budgeted *left_out_item(struct left_out *left_out,
			       struct tracepoint *tracepoint);
/* For how long the item was looked at and left out until now. */
uint64_t left_out_looked_at(const struct budgeted *item, uint64_t now);
uint64_t left_out_left_at(const struct budgeted *item, uint64_t now);

/* Computes the level again. */
void left_out_find_level(struct left_out *left_out, uint64_t now);
/* A window of the item has ended: notes its cost, and sets the budget of the
 * break that follows and of the next window. */
void left_out_set_budget(struct left_out *left_out, struct budgeted *item,
			 uint64_t now);

/* Adds what a stop of the item has cost. */
void left_out_charge(struct left_out *left_out, struct budgeted *item,
		     uint64_t cost);
/* Adds what stops have cost since the last call to the sums of the run, and
 * finds the share that is left for the items. */
void left_out_take_time(struct left_out *left_out, uint64_t now);

#endif
