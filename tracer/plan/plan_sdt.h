/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SDT probes that -x names: their tracepoints, and the prototypes that these
 * have. The types of a probe's arguments are in the file probes/PROVIDER.conf
 * of a folder of prototypes, or in a file of -F; without a prototype an
 * argument has the size that the note says.
 */
#ifndef TRACER_PLAN_PLAN_SDT_H
#define TRACER_PLAN_PLAN_SDT_H

#include "tracer/plan/batch.h"

struct operand;
struct proto;
struct prototypes;
struct sdt;
struct sdts;
struct unmatched;

/* Adds the chosen probes of the module. */
void plan_add_sdts(struct batch *batch);

/* Adds one place of a probe of the module. sdts are all probes of the module.
 * Returns its tracepoint. */
struct tracepoint *plan_add_sdt(struct batch *batch, enum tracepoint_kind kind,
				const struct sdts *sdts, const struct sdt *sdt);

/*
 * The prototype of a probe at one of its places. Its name is "provider:probe".
 * Everything is allocated in arena. If ret_operands is not NULL, stores an
 * operand for each parameter. `module` is the module that contains the probe.
 */
const struct proto *sdt_proto(struct prototypes *prototypes,
			      struct arena *arena, const struct module *module,
			      const struct sdt *sdt,
			      const struct operand **ret_operands);

/* Tells the user which rules of -x match no probe: at the start, and at the
 * end. */
void plan_sdts_say_missing(struct session *session);
void plan_sdts_say_never(struct session *session);

/*
 * If a program is the interpreter whose probes have this provider, or has
 * loaded it as a library, tells the user that the interpreter was built without
 * them. `text` is what the user has written. Returns true if the user was told.
 */
bool plan_say_unbuilt(struct session *session, const char *text,
		      const char *provider);
/* Was the user told so? */
bool plan_said_unbuilt(const struct session *session, const char *provider);

#endif
