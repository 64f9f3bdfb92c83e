/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --dump: where every thread of the processes is, once. Nothing is planted; a
 * thread is stopped only if it cannot be seen otherwise, by itself, for as
 * long as its stack is read.
 */
#ifndef TRACER_RUN_DUMP_H
#define TRACER_RUN_DUMP_H

#include "tracer/model/session.h"

/* 0, or a negative errno with a sentence. */
must_check int dump(struct session *session, struct err *err);

#endif
