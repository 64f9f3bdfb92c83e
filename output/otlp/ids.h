/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ids of traces and spans. They are computed from the numbers that events
 * have anyway, so a query finds the ids of its request without a table.
 */
#ifndef OUTPUT_OTLP_IDS_H
#define OUTPUT_OTLP_IDS_H

#include "output/jsonw.h"

#include <stdint.h>

/* What an id is made for. The numbers of each kind count separately. */
enum id_kind { ID_CALL, ID_REQUEST, ID_TRANSACTION, ID_KINDS };

struct ids {
	uint64_t run; /* the first half of all ids of traces */
	uint64_t seeds[ID_KINDS];
};

/* Chooses ids that no other run has, at random. */
void ids_init(struct ids *ids);
/* ids_add_trace() adds a member with the id of the trace that begins with the
 * event of this number; ids_add_span(), with the id of that event's span. */
void ids_add_trace(const struct ids *ids, struct jsonw *json, enum id_kind kind,
		   uint64_t number);
void ids_add_span(const struct ids *ids, struct jsonw *json, const char *key,
		  enum id_kind kind, uint64_t number);

#endif
