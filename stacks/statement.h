/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The text of a prepared statement that a thread executes, where the driver's
 * objects in the frames of its script have it. An object is used only if it
 * names the same statement; everything else is unknown.
 *
 * The same files find the query for whose answer a thread waits, if the
 * innermost frames of its script are those of a driver; and the queries whose
 * answers coroutines await, whose frames are on no stack.
 */
#ifndef STACKS_STATEMENT_H
#define STACKS_STATEMENT_H

#include "base/addr.h"
#include "base/arena.h"
#include "base/vec.h"

#include <stddef.h>
#include <stdint.h>

/* The most bytes of a text; a longer text is cut. */
#define STATEMENT_TEXT_MOST ((size_t)1 << 20)

/* How the client library was told which statement it is. */
struct statement {
	/* PostgreSQL: the statement's name. MySQL's protocol: its number. NULL
	 * if the library does not use it. */
	const char *name;
	/* What identifies the statement in the process: the address of a
	 * MYSQL_STMT, or of the characters of the name; 0 if there is none. */
	addr_t handle;
	struct arena *arena; /* for the text that is found */
};

struct statement_text {
	const char *bytes; /* in the arena; UTF-8 if the language knows it */
	size_t length;
	uint64_t whole; /* length of the whole text, before it was cut */
	/* PostgreSQL: the OIDs of the types of the parameters, in the arena;
	 * NULL if the driver's object has none */
	const uint32_t *types;
	size_t type_count;
};

enum statement_server {
	STATEMENT_MYSQL,
	STATEMENT_POSTGRESQL,
	/* the kind of server is not known, nor whether the thread waits for
	 * it */
	STATEMENT_ANY,
};

struct stack;

struct statement_query {
	enum statement_server server;
	struct statement_text text;
	/* If a coroutine awaits the answer: its connection's descriptor, and
	 * the frames of the coroutine. Else -1 and NULL. */
	int descriptor;
	struct stack *stack;
};

/* The queries whose answers the coroutines of a thread await. */
struct statement_queries {
	vec_of(struct statement_query) list;
};

#endif
