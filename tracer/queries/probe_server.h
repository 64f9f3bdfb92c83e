/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which server and database a probed call is for, in event_call.server. */
#ifndef TRACER_QUERIES_PROBE_SERVER_H
#define TRACER_QUERIES_PROBE_SERVER_H

#include "tracer/queries/probes.h"

/* At the entry of a call that asks the server. */
void probe_server_entered(struct probed *of);
/* At the return of a call that has connected to the server, or has tried to. */
void probe_server_connected(struct probed *of);

#endif
