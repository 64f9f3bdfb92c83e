/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files for the client (postgres.c), the server (postgres_answer.c)
 * and the detection (postgres_detect.c) share. Private to this room.
 */
#ifndef PROTOCOLS_POSTGRES_PARTS_H
#define PROTOCOLS_POSTGRES_PARTS_H

#include "protocols/postgres.h"

/* The longest message: MaxAllocSize, 1 GiB. */
enum { POSTGRES_MESSAGE_MOST = 0x40000000 };

/* The first word of a connection (StartupMessage and similar messages). */
enum {
	POSTGRES_VERSION_3 = 0x00030000,
	POSTGRES_CANCEL = 80877102,
	POSTGRES_SSL = 80877103,
	POSTGRES_GSS = 80877104,
};

static inline uint32_t
postgres_u32(const unsigned char *bytes)
{
	return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
	       (uint32_t)bytes[2] << 8 | bytes[3];
}

/*
 * Keeps the types of a statement's parameters, as Parse and
 * ParameterDescription have them: two bytes with their number, and four for
 * each. Forgets what was kept if there are none, or if they are not complete.
 */
void postgres_keep_types(struct postgres *postgres, uint64_t key,
			 const unsigned char *at, const unsigned char *end);

/* Moves the values of the last Bind to the question. */
void postgres_take_values(struct postgres *postgres, struct question *question);

extern const struct framing postgres_server_framing;

#endif
