/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The arguments and the result of a query that was seen on a connection, as if
 * a function had been called.
 */
#ifndef TRACER_QUERIES_WIRE_QUERY_H
#define TRACER_QUERIES_WIRE_QUERY_H

#include "base/arena.h"
#include "protocols/query.h"

struct arguments;
struct value;
struct wire;

/* Makes the arguments of the query's event: the text, or, if it is unknown, the
 * statement and its connection; then the bound values. */
struct arguments *wire_arguments(const struct wire *wire, struct arena *arena,
				 const struct query *query);
/* Makes the result of the query's event: the server's reply, or the number of
 * rows (-1 if the query failed). */
const struct value *wire_result(struct arguments *arguments,
				const struct query *query);

#endif
