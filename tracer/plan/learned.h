/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which prototype a tracepoint has: of a file (tracer/plan/prototypes), or of
 * debug information (values/learn). The order:
 *
 *	1. the user's files: -F, the user's directory, /etc/xtrace.conf
 *	2. the debug information of the program itself, for its own functions
 *	3. the files that were installed with xtrace, which know what a function
 *	   reads and what it fills in
 *	4. the debug information of libraries
 *
 * Files are in memory when a function is called. Debug information may have to
 * be read, and no thread waits for that.
 */
#ifndef TRACER_PLAN_LEARNED_H
#define TRACER_PLAN_LEARNED_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>

struct err;
struct learned;
struct options;
struct program;
struct prototypes;
struct tracepoint;

struct learned *learned_new(const struct options *options,
			    struct prototypes *prototypes);
void learned_free(struct learned *learned);

/*
 * Looks the tracepoint up in the files, if that was not done yet. Returns true
 * if there is nothing else to ask now; false if debug information must be
 * asked, and then tracepoint->proto is what the files have.
 */
bool learned_known(struct program *program, struct tracepoint *tracepoint);

/* Asks the debug information, which may read files. tracepoint->proto is final
 * then, unless debuginfod is fetching the debug information (downloads.h). */
void learned_ask(struct program *program, struct tracepoint *tracepoint);

/* May a function of one of the programs that are traced have a parameter of
 * this name, by its debug information? */
bool learned_mentions(struct learned *learned, const struct options *options,
		      const char *name);

/*
 * --show-prototype NAME@PATH: adds "FILE:LINE: PROTOTYPE" for the function of
 * the ELF file PATH. If it is from debug information, FILE is the source, and a
 * comment says so. -ENOENT and a sentence if there is no prototype.
 */
must_check int learned_show(struct learned *learned, const char *name,
			    struct str *to, struct err *err);

#endif
