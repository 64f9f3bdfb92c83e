/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Serves one stop: a table of short handlers by kind. */
#ifndef TRACER_RUN_DISPATCH_H
#define TRACER_RUN_DISPATCH_H

#include "tracer/model/session.h"

void dispatch(struct session *session, const struct stop *stop);

#endif
