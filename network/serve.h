/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers requests for the text of a board over HTTP. */
#ifndef NETWORK_SERVE_H
#define NETWORK_SERVE_H

#include "network/board.h"

/* The work of a process (network/apart.h), which was given a socket that
 * listens. `board` is a struct board. Returns when xtrace has ended. */
void serve(void *board);

#endif
