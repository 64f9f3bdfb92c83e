/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What tables, pictures and formats call a query. Its name is the fingerprint
 * of its text (values/fingerprint.h). Its id is a short number made of the
 * name, which is the same in all runs.
 */
#ifndef OUTPUT_QUERY_H
#define OUTPUT_QUERY_H

#include "base/attr.h"
#include "base/str.h"
#include "output/event.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct argument;

/* The visible argument of the call that is SQL, or NULL. */
const struct argument *query_argument(const struct event_call *call);

/* How a transaction has ended: "committed". */
const char *query_transaction_end(enum transaction_end end);

/* The system of the function that makes a query, as OpenTelemetry calls it:
 * "mysql", "postgresql"; NULL: unknown. */
const char *query_system(const char *function);
/* Adds the fingerprint of the argument's text. False if the text is not
 * known. */
must_check bool query_add_name(struct str *to, const struct argument *sql);

/* Adds what is known of a statement whose text is not known, because it was
 * prepared before xtrace attached: its handles and its name, "? 0x55d0 "a1"".
 */
void query_add_unknown(struct str *to, const struct event_call *call);

/*
 * Adds a fingerprint with "..." in place of each long list of columns between
 * SELECT and FROM, so that the conditions behind it are seen.
 */
void query_add_folded(struct str *to, const char *name);

/* The id of the query with this fingerprint, and the id as eight hexadecimal
 * digits. */
uint32_t query_id(const char *name);
/* At EVENT_ENTRY: reads what query_call_id() and query_add_unknown() need at
 * EVENT_RETURN. */
void query_keep(const struct event_call *call);
/* The id of the call's query. False if the call has no query, or if the text of
 * the query is not known to its end. */
must_check bool query_call_id(const struct event_call *call, uint32_t *ret_id);
void query_add_id(struct str *to, uint32_t id);

#endif
