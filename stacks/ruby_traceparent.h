/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The header traceparent of the request that a function of Ruby 3.1 handles. */
#ifndef STACKS_RUBY_TRACEPARENT_H
#define STACKS_RUBY_TRACEPARENT_H

#include "stacks/ruby_names.h"

/* The version whose tables and variables are known. */
#define RUBY_TABLE_VERSION 0x0301u

/* Stores the value of the header as a string, if a variable of the frame leads
 * to it and it has less than `most` bytes. frame: its control frame. */
bool ruby_traceparent(struct ruby_memory *memory, addr_t frame, char *to,
		      size_t most);

#endif
