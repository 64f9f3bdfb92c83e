/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a call in flight went to, whatever runs there by now. */
#ifndef TRACER_ATTACH_IN_FLIGHT_ENTERED_H
#define TRACER_ATTACH_IN_FLIGHT_ENTERED_H

#include "base/addr.h"
#include "tracer/model/session.h"

/*
 * The function that the call before returns_to has entered: it says so itself,
 * or the stub that it went by. 0 where that cannot be told: a call through a
 * register, text that cannot be read.
 */
addr_t in_flight_entered(const struct program *program, addr_t returns_to);

#endif
