/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread's own stack: where calls are told apart by their places alone
 * (tracer/model/calls). */
#ifndef TRACER_REPORT_OWN_STACK_H
#define TRACER_REPORT_OWN_STACK_H

#include "tracer/report/report.h"

/* Sets record->calls.own_low and own_high, and stack_known if that is final. */
void own_stack_learn(struct hit *hit);

#endif
