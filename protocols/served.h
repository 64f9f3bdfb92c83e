/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of a request that a server receives: of HTTP/1 (RFC 9112, section 3)
 * or of FastCGI (its specification 1.0, sections 3.3 and 5.2), as a web server
 * sends it to php-fpm.
 */
#ifndef PROTOCOLS_SERVED_H
#define PROTOCOLS_SERVED_H

#include "base/attr.h"
#include "protocols/traceparent.h"

#include <stdbool.h>
#include <stddef.h>

enum served {
	SERVED_NONE, /* the bytes are no request */
	SERVED_MORE, /* the head is not complete */
	SERVED_HEAD,
};

/* The most bytes of a head. */
enum { SERVED_MOST = 32 << 10 };

/* The method and the target ("/books?page=2"), which point into the bytes and
 * are not terminated. */
struct served_head {
	const char *method, *target;
	size_t method_length, target_length;
	/* All header fields were read. If not, the bytes that are missing may
	 * have a traceparent. */
	bool whole;
	/* The request has exactly one traceparent, and it is well-formed. */
	bool has_parent;
	struct traceparent parent;
};

/* Reads the first bytes of a request; stores the head if its method and its
 * target are complete. */
must_check enum served served_read(const void *bytes, size_t length,
				   struct served_head *ret_head);

#endif
