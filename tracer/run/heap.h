/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * --heap: counts the objects of scripts by their class, in the processes of -p.
 * Nothing is planted. The memory is read while the processes run; only PHP is
 * stopped while its heap is copied, unless it waits.
 */
#ifndef TRACER_RUN_HEAP_H
#define TRACER_RUN_HEAP_H

#include "tracer/model/session.h"

/* 0, or a negative errno with a sentence. */
must_check int heap(struct session *session, struct err *err);

#endif
