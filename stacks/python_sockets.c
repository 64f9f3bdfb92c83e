/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport of asyncio has the attribute _sock_fd; a transport that encrypts
 * has none. Its attribute _sock is None after it was closed. The outermost
 * coroutine of a server's task leads to the transport of the connection on
 * which it answers:
 *
 *	asyncio.start_server()	the variable writer, a StreamWriter with the
 *		attribute _transport
 *	uvicorn (0.13 to 0.30)	run_asgi(): self.transport
 *	aiohttp (3.5 to 3.10)	start(): self.transport, a member
 *
 * So all variables are looked at, for a transport, or for an object that has
 * one or that has a writer.
 */
#include "stacks/python_sockets.h"

#include "base/attr.h"
#include "stacks/python_dict.h"

#define DESCRIPTOR_MOST 0xfffff

/* Members of an object through which its transport can be reached. */
static const char *const members[] = { "transport", "_transport", "writer",
				       "_writer" };
/* How many members lead from a variable to the transport at most. */
#define MEMBERS_MOST 2u

int
python_transport(struct python_memory *memory, addr_t object)
{
	addr_t number =
		object ? python_attribute(memory, object, "_sock_fd") : 0;

	return number ? python_small_int(memory, number, DESCRIPTOR_MOST) : -1;
}

/* The object's attribute or slot of this name; 0 if it has none, or if it
 * cannot be read. */
static addr_t
member_of(struct python_memory *memory, addr_t object, const char *name)
{
	addr_t member = python_attribute(memory, object, name);

	if (!peek_failed(memory->peek) && member)
		return member;
	member = python_member(memory, object, name);
	return peek_failed(memory->peek) ? 0 : member;
}

/* The descriptor of a transport whose socket is not closed: afterwards, the
 * descriptor may be another connection's. */
static int
open_transport(struct python_memory *memory, addr_t object)
{
	int descriptor = python_transport(memory, object);
	addr_t socket =
		descriptor >= 0 ? python_attribute(memory, object, "_sock") : 0;

	if (!socket || !python_is(memory, socket, "socket"))
		descriptor = -1;
	return peek_failed(memory->peek) ? -1 : descriptor;
}

/* The descriptor of the open transport that the object is, or to which its
 * members lead; or -1. depth: how many members have led to the object. */
static int
descriptor_of(struct python_memory *memory, addr_t object, unsigned depth)
{
	int descriptor = open_transport(memory, object);

	for (size_t i = 0;
	     descriptor < 0 && depth < MEMBERS_MOST && i < array_size(members);
	     i++) {
		addr_t member = member_of(memory, object, members[i]);

		if (member)
			descriptor = descriptor_of(memory, member, depth + 1);
	}
	return descriptor;
}

size_t
python_sockets(struct python_memory *memory, addr_t frame, int *ret_descriptors,
	       size_t most)
{
	size_t variables = python_local_count(memory, frame), count = 0;

	for (size_t i = 0; i < variables && count < most; i++) {
		addr_t object = python_local(memory, frame, i);
		int descriptor = object ? descriptor_of(memory, object, 0) : -1;
		size_t known = 0;

		while (known < count && ret_descriptors[known] != descriptor)
			known++;
		if (descriptor >= 0 && known == count)
			ret_descriptors[count++] = descriptor;
	}
	return peek_failed(memory->peek) ? 0 : count;
}
