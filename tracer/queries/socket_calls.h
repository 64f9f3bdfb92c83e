/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions with which a program talks to a server, as data: their names,
 * their libraries, and where in their arguments and results the transferred
 * bytes are.
 */
#ifndef TRACER_QUERIES_SOCKET_CALLS_H
#define TRACER_QUERIES_SOCKET_CALLS_H

#include "tracer/report/report.h"

struct plan;
struct batch;

/* A function that sends, receives, begins or ends a connection. */
struct socket_function;

enum socket_act {
	SOCKET_SENDS,
	SOCKET_RECEIVES,
	/*
	 * a connection begins or ends: what was known of the socket is
	 * forgotten
	 */
	SOCKET_BEGINS,
	SOCKET_CONNECTS, /* as SOCKET_BEGINS, and a connection begins */
	SOCKET_WAITS,	 /* waits until the socket is ready */
};

enum { SOCKET_VECTORS_MOST = 64 };

/* A call of a socket function at its entry. */
struct socket_call {
	const struct socket_function *function;
	enum socket_act act;
	/* the descriptor of the socket, or the address of the SSL */
	uint64_t key;
	bool encrypted; /* key is an SSL */
	uint64_t when;
	/* the address where SSL_read_ex() or SSL_write_ex() stores the length;
	 * else 0 */
	addr_t count_at;
	size_t count;
	/* the parts of the program's memory; their .to is NULL */
	struct span parts[SOCKET_VECTORS_MOST];
	uint64_t length; /* bytes of all parts */
};

/* Adds the functions that the module has, if it is a library that may have
 * them. */
void socket_calls_add(struct batch *batch);

/* Reads what the thread is about to transfer; false if the arguments make no
 * sense. */
must_check bool socket_call_read(const struct hit *hit,
				 const struct socket_function *function,
				 struct socket_call *ret_call);
/* Reads the first bytes, from all parts together. Returns how many. */
size_t socket_call_first(const struct socket_call *call,
			 struct program *program, unsigned char *to,
			 size_t most);
/* How many bytes were transferred, by the call's result: 0 for none, -1 if it
 * failed. */
must_check int64_t socket_call_result(const struct socket_call *call,
				      struct program *program,
				      const struct regs *regs);
/* Does the result mean that the thread must wait first? */
must_check bool socket_call_again(const struct socket_call *call,
				  struct program *program,
				  const struct regs *regs);
/* If the result means that the program will receive nothing more on the socket,
 * returns the reason; else NULL. */
must_check const char *socket_call_end(const struct socket_call *call,
				       struct program *program,
				       const struct regs *regs);

/* True if the transfer is part of another one: SSL_read(), for example, calls
 * read(). */
must_check bool socket_calls_within(const struct calls *calls);

/* Is the descriptor a socket? */
must_check bool socket_calls_socket(const struct program *program,
				    uint64_t descriptor);

#endif
