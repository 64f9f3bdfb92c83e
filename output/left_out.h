/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions that --budget has left out for some of the time, as tables and
 * exports say it.
 */
#ifndef OUTPUT_LEFT_OUT_H
#define OUTPUT_LEFT_OUT_H

#include "base/str.h"
#include "base/vec.h"
#include "output/event.h"
#include "output/jsonw.h"

struct left_out_row {
	char *name;
	uint64_t looked, left, breaks; /* as in struct event_left_out */
};

struct left_outs {
	vec_of(struct left_out_row) rows;
};

void left_outs_release(struct left_outs *outs);

/* Takes the event if it is an EVENT_LEFT_OUT. Returns true if it is one. */
bool left_outs_take(struct left_outs *outs, const struct event *event);

/* The part of the time for which the function was looked at, from 0 to 1. */
double left_out_looked(uint64_t looked, uint64_t left);

/* Adds lines below a table, one for each function; no line if nothing was left
 * out. Each line begins with `head`. */
void left_outs_add(const struct left_outs *outs, const char *head,
		   struct str *to);

/* Adds the text for the function that was left out longest, and the number of
 * the other functions, without a newline. Adds nothing if nothing was left
 * out. */
void left_outs_add_most(const struct left_outs *outs, struct str *to);

/* Adds one line of JSON for each function that was left out. */
void left_outs_add_json(const struct left_outs *outs, struct str *to);

/* Adds the text that a trace of lines has for an event. */
void left_out_add_line(struct str *to, const struct event_left_out *what);

/* Adds the members function, looked_at, left_out and breaks. */
void left_out_add_members(struct jsonw *json, const struct left_out_row *row);

#endif
