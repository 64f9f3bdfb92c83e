/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --dump: prints the stack of every thread of the processes once. Nothing is
 * planted. A thread is stopped only if its stack cannot be read otherwise: one
 * thread at a time, and only while its stack is read.
 */
#ifndef TRACER_RUN_DUMP_H
#define TRACER_RUN_DUMP_H

#include "tracer/model/session.h"

/* 0, or a negative errno with a sentence. */
must_check int dump(struct session *session, struct err *err);

#endif
