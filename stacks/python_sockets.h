/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The descriptors of sockets that Python's asyncio and uvloop have opened. */
#ifndef STACKS_PYTHON_SOCKETS_H
#define STACKS_PYTHON_SOCKETS_H

#include "stacks/python_objects.h"

/* The descriptor of a transport of asyncio or uvloop; -1 if the object is no
 * such transport, or if it encrypts. */
int python_transport(struct python_memory *memory, addr_t object);

/* Stores the descriptors of the transports that the local variables of the
 * frame lead to, each once, at most `most`. Returns how many it has stored. */
size_t python_sockets(struct python_memory *memory, addr_t frame,
		      int *ret_descriptors, size_t most);

#endif
