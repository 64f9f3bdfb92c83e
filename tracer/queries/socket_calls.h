/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions by which a program talks to a server, as data: which there
 * are, in what libraries, and where in their arguments and results the bytes
 * are that went by.
 */
#ifndef TRACER_QUERIES_SOCKET_CALLS_H
#define TRACER_QUERIES_SOCKET_CALLS_H

#include "tracer/report/report.h"

struct plan;
struct batch;

/* One of the functions. */
struct socket_function;

enum socket_act {
	SOCKET_SENDS,
	SOCKET_RECEIVES,
	SOCKET_BEGINS, /* or ends: whatever was known of it is over */
};

enum { SOCKET_VECTORS_MOST = 64 };

/* A call of one of them, as it was entered. */
struct socket_call {
	const struct socket_function *function;
	enum socket_act act;
	uint64_t key;	/* the descriptor; or the address of the SSL */
	bool encrypted; /* key is an SSL */
	uint64_t when;
	addr_t count_at; /* where SSL_*_ex() say how many; else 0 */
	size_t count;
	struct span parts[SOCKET_VECTORS_MOST]; /* .to is NULL */
	uint64_t length;			/* of them all */
};

/* Those that the module has, if it is a library that may have them. */
void socket_calls_add(struct batch *batch);

/* What the thread is about to do; false where the arguments make no sense. */
must_check bool socket_call_read(const struct hit *hit,
				 const struct socket_function *function,
				 struct socket_call *ret_call);
/* How many bytes went by, by what came back: 0 for none, -1 when it failed. */
must_check int64_t socket_call_result(const struct socket_call *call,
				      struct program *program,
				      const struct regs *regs);
/* Whether what came back tells that nothing more will be received. */
must_check bool socket_call_ends(const struct socket_call *call,
				 struct program *program,
				 const struct regs *regs);

#endif
