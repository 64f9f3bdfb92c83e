/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A board is a text in memory that two processes share. One process publishes
 * new versions of the text, and another reads the newest one. Neither waits for
 * the other.
 */
#ifndef NETWORK_BOARD_H
#define NETWORK_BOARD_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* The most bytes of a text. */
#define BOARD_MOST ((size_t)8 << 20)

struct board;

/* A board with an empty text, which a process forked later shares. NULL if the
 * system has no memory for it. */
struct board *board_new(void);
void board_free(struct board *board);

/* Publishes a new version. False if the text has more than BOARD_MOST bytes:
 * the older version stays. */
bool board_publish(struct board *board, const char *text, size_t length);
/* Replaces what is in `to` by the newest version. False if it was not possible,
 * because new versions came too fast. */
must_check bool board_read(const struct board *board, struct str *to);

#endif
