/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages to the user on stderr: one line that begins with "xtrace: ", or with
 * another name by which xtrace was called. */
#ifndef TRACER_MODEL_SAY_H
#define TRACER_MODEL_SAY_H

#include "base/attr.h"

#include <stdbool.h>

struct err;
struct program;
struct session;
struct tee;

/* From now on, messages begin with this name. It must stay valid. */
void say_as(const char *name);

/* From now on, the sinks of this tee make room on the terminal before a message
 * is printed. If tee is NULL, there are no sinks. */
void say_above(struct tee *tee);

/* Names in a message may contain any bytes: control characters are escaped. */
void say(const char *format, ...) printf_like(1, 2);

/* True at the first call of the run with this key. For messages that are
 * printed once. */
bool say_first(struct session *session, const char *key);

/* Prints the message of the error, and its further lines below it. */
void say_error(const struct err *err);

/* A function cannot be traced: the first ones are named, the rest are
 * counted. */
void say_refused(const struct session *session, const char *name,
		 const char *module, const char *why);

/* Functions of a Go program are traced: prints once what is not exact then. */
void say_go(struct session *session, const char *label);

/* Prints what a seccomp policy forbids xtrace in a process, once for each
 * process; the first ones are named. */
void say_confined(struct program *program);

/* Prints once if error says that xtrace has too few descriptors or too little
 * memory to read a mapped file. */
void say_scarce(struct session *session, int error);

#endif
