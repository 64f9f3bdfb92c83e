/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A subject simulates a traced process: a few KiB of memory, registers, and
 * prototypes, with which real arguments are fetched.
 */
#ifndef TESTS_UNIT_OUTPUT_SUBJECT_H
#define TESTS_UNIT_OUTPUT_SUBJECT_H

#include "output/event.h"

#include <stddef.h>

struct subject;

struct subject *subject_new(const char *prototypes);
void subject_free(struct subject *subject);

/* Copies the bytes into the subject's memory; returns their address. */
addr_t subject_put(struct subject *subject, const void *bytes, size_t length);
addr_t subject_text(struct subject *subject, const char *text);
/* Overwrites memory at an address. */
void subject_change(struct subject *subject, addr_t at, const void *bytes,
		    size_t length);

/* Sets call->arguments to these values at the call's entry: at most six
 * integers. */
void subject_enter(struct subject *subject, struct event_call *call,
		   const uint64_t arguments[6]);
/*
 * Ends the capture of the entry: from now on the subject's memory is not read
 * for the call's arguments.
 */
void subject_leave_entry(struct subject *subject);
/* Sets call->result. */
void subject_return(struct subject *subject, struct event_call *call,
		    uint64_t result);

#endif
