/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport of asyncio has the attribute _sock_fd; a transport that encrypts
 * has none. Its attribute _sock is None after it was closed. A transport of
 * uvloop is an object of an extension, with the address of libuv's handle
 * (uvloop/handles/handle.pxd of 0.14 to 0.21; uv.h and uv/unix.h of libuv 1):
 *
 *	transport	handle 24
 *	handle		{ data 0: the transport, type 16, io_watcher.fd 184: -1
 *			  if it was closed }
 *
 * The outermost coroutine of a server's task leads to the transport of the
 * connection on which it answers:
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
#define TRANSPORT_HANDLE 24
#define HANDLE_TYPE 16
#define HANDLE_DESCRIPTOR 184
#define HANDLE_IS_PIPE 7u
#define HANDLE_IS_TCP 12u

/* Members of an object through which its transport can be reached. */
static const char *const members[] = { "transport", "_transport", "writer",
				       "_writer" };
/* How many members lead from a variable to the transport at most. */
#define MEMBERS_MOST 2u

/* The descriptor of a transport of uvloop that is not closed, or -1. */
static int
of_uvloop(struct python_memory *memory, addr_t object)
{
	struct peek *peek = memory->peek;
	uint32_t type, descriptor;
	addr_t handle;

	if (!python_is(memory, object, "TCPTransport") &&
	    !python_is(memory, object, "UnixTransport"))
		return -1;
	handle = peek_u64(peek, object + TRANSPORT_HANDLE);
	if (peek_u64(peek, handle) != object)
		return -1;
	type = peek_u32(peek, handle + HANDLE_TYPE);
	descriptor = peek_u32(peek, handle + HANDLE_DESCRIPTOR);
	if (peek->fault || (type != HANDLE_IS_TCP && type != HANDLE_IS_PIPE) ||
	    descriptor > DESCRIPTOR_MOST)
		return -1;
	return (int)descriptor;
}

int
python_transport(struct python_memory *memory, addr_t object)
{
	addr_t number;
	int descriptor;

	if (!object)
		return -1;
	descriptor = of_uvloop(memory, object);
	if (descriptor >= 0)
		return descriptor;
	number = python_attribute(memory, object, "_sock_fd");
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
	int descriptor = of_uvloop(memory, object);
	addr_t socket;

	if (!peek_failed(memory->peek) && descriptor >= 0)
		return descriptor;
	descriptor = python_transport(memory, object);
	socket =
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
