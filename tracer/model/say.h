/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is said to the user, on stderr: one line, "xtrace: " in front. */
#ifndef TRACER_MODEL_SAY_H
#define TRACER_MODEL_SAY_H

#include "base/attr.h"

struct err;
struct program;
struct session;

/* Names in it may be any bytes: what a terminal would obey is escaped. */
void say(const char *format, ...) printf_like(1, 2);

/* The sentence, and the lines below it. */
void say_error(const struct err *err);

/* A function that cannot be traced: a few by name, the rest are counted. */
void say_refused(const struct session *session, const char *name,
		 const char *module, const char *why);

/* What a seccomp policy keeps us from doing in a process, once for each; the
 * first ones are named. */
void say_confined(struct program *program);

/* Where error is that we have too few descriptors or too little memory to read
 * a mapped file: once. */
void say_scarce(struct session *session, int error);

#endif
