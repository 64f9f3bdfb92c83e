/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every language reads and writes sockets with the C library's functions. If a
 * connection is encrypted, the bytes that libssl gets and returns are used
 * (Python lets libssl encrypt into memory and sends that itself). Functions
 * with other names, such as __send and the checked functions, are the same
 * functions or call them.
 *
 * libpq waits in poll(2) before it reads. Event loops call poll() often, so
 * only libpq's own calls of poll() are trapped: at the gate through which libpq
 * makes them, and only while that is needed (poll_traps.h).
 *
 * A static program has no C library as a module; its functions are not
 * searched.
 */
#include "tracer/queries/socket_calls.h"

#include "arch/regs.h"
#include "conf/model/probe.h"
#include "process/status.h"
#include "symbols/plt.h"
#include "symbols/symtab.h"
#include "tracer/plan/sets.h"
#include "tracer/plan/batch.h"
#include "tracer/queries/poll_traps.h"
#include "tracer/report/thread_errno.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

/* In which arguments of a function the bytes are. */
enum form {
	FORM_NONE,
	FORM_BUFFER,  /* arguments 1 and 2 */
	FORM_VECTORS, /* argument 1, with argument 2 elements */
	FORM_MESSAGE, /* argument 1 is a struct msghdr */
	FORM_POLL,    /* argument 0 is a struct pollfd */
	FORM_FILE,    /* argument 3 is a length: bytes of a file */
};

enum { NO_FLAGS = 0 };

struct socket_function {
	const char *name;
	enum socket_act act;
	enum form form;
	unsigned flags; /* which argument may contain MSG_PEEK, or NO_FLAGS */
	bool ssl;
	bool counts; /* argument 3 points to the length; the result is 1 or 0 */
};

static const struct socket_function functions[] = {
	{ "send", SOCKET_SENDS, FORM_BUFFER, NO_FLAGS, false, false },
	{ "sendto", SOCKET_SENDS, FORM_BUFFER, NO_FLAGS, false, false },
	{ "write", SOCKET_SENDS, FORM_BUFFER, NO_FLAGS, false, false },
	{ "writev", SOCKET_SENDS, FORM_VECTORS, NO_FLAGS, false, false },
	{ "sendmsg", SOCKET_SENDS, FORM_MESSAGE, NO_FLAGS, false, false },
	{ "sendfile", SOCKET_SENDS, FORM_FILE, NO_FLAGS, false, false },
	{ "recv", SOCKET_RECEIVES, FORM_BUFFER, 3, false, false },
	{ "recvfrom", SOCKET_RECEIVES, FORM_BUFFER, 3, false, false },
	{ "read", SOCKET_RECEIVES, FORM_BUFFER, NO_FLAGS, false, false },
	{ "readv", SOCKET_RECEIVES, FORM_VECTORS, NO_FLAGS, false, false },
	{ "recvmsg", SOCKET_RECEIVES, FORM_MESSAGE, 2, false, false },
	{ "connect", SOCKET_CONNECTS, FORM_NONE, NO_FLAGS, false, false },
	{ "close", SOCKET_BEGINS, FORM_NONE, NO_FLAGS, false, false },
	{ "SSL_write", SOCKET_SENDS, FORM_BUFFER, NO_FLAGS, true, false },
	{ "SSL_write_ex", SOCKET_SENDS, FORM_BUFFER, NO_FLAGS, true, true },
	{ "SSL_read", SOCKET_RECEIVES, FORM_BUFFER, NO_FLAGS, true, false },
	{ "SSL_read_ex", SOCKET_RECEIVES, FORM_BUFFER, NO_FLAGS, true, true },
	{ "SSL_free", SOCKET_BEGINS, FORM_NONE, NO_FLAGS, true, false },
	{ "SSL_clear", SOCKET_BEGINS, FORM_NONE, NO_FLAGS, true, false },
};

static const struct socket_function waiting = {
	"poll", SOCKET_WAITS, FORM_POLL, NO_FLAGS, false, false,
};

/* ---- where they are -------------------------------------------------------
 */

static bool
begins_so(const char *label, const char *beginning)
{
	return label && !strncmp(label, beginning, strlen(beginning));
}

static bool
is_libc(const char *label)
{
	return begins_so(label, "libc.so") || begins_so(label, "libc.musl") ||
	       begins_so(label, "ld-musl") || begins_so(label, "libpthread.so");
}

static void
add(struct batch *batch, const struct socket_function *function, addr_t address)
{
	struct tracepoint *tracepoint =
		tracepoint_new(batch, TRACEPOINT_SOCKET, function->name,
			       batch->label.label,
			       batch->module->bias + address);

	tracepoint->socket = function;
	tracepoint->begins_connection = function->act == SOCKET_BEGINS ||
					function->act == SOCKET_CONNECTS;
	tracepoint->waits = function->act == SOCKET_WAITS;
	batch_add(batch, tracepoint);
}

static void
add_waiting(struct batch *batch)
{
	const struct plt *plt = image_plt(batch->module->image);

	for (size_t i = 0; i < plt->count; i++) {
		const struct import *import = &plt->at[i];

		if (!import->name || strcmp(import->name, waiting.name) != 0)
			continue;
		for (size_t g = 0; g < import->gate_count; g++) {
			add(batch, &waiting, import->gates[g]);
			poll_traps_add(batch->program,
				       batch->module->bias + import->gates[g]);
		}
	}
}

void
socket_calls_add(struct batch *batch)
{
	bool libc = is_libc(batch->label.label);
	bool ssl = begins_so(batch->label.label, "libssl.so");

	if (!sets_wire(batch->program->session->sets) &&
	    !sets_connects(batch->program->session->sets))
		return;
	if (begins_so(batch->label.label, "libpq.so"))
		add_waiting(batch);
	if (!libc && !ssl)
		return;
	for (size_t i = 0; i < array_size(functions); i++) {
		const struct socket_function *function = &functions[i];
		const struct symbol *symbol;

		/* Functions that send a file are only needed for HTTP: no
		 * database sends files. */
		if (function->ssl != ssl ||
		    (function->form == FORM_FILE &&
		     !(sets_wire(batch->program->session->sets) & WIRE_HTTP)))
			continue;
		symbol = symtab_find(batch->module->image, SYMTAB_DYNAMIC,
				     function->name);
		if (symbol && symbol->kind == SYMBOL_FUNCTION)
			add(batch, function, symbol->address);
	}
}

/* ---- a call ------------------------------------------------------------- */

static bool
read_vectors(struct reader *memory, addr_t at, uint64_t count,
	     struct socket_call *call)
{
	struct iovec vectors[SOCKET_VECTORS_MOST];

	if (count == 0 || count > SOCKET_VECTORS_MOST ||
	    reader_read(memory, at, vectors, count * sizeof(*vectors)) < 0)
		return false;
	for (size_t i = 0; i < count; i++) {
		call->parts[i] = (struct span){
			.from = (addr_t)(uintptr_t)vectors[i].iov_base,
			.length = vectors[i].iov_len,
		};
		call->length += vectors[i].iov_len;
	}
	call->count = count;
	return true;
}

static bool
read_message(struct reader *memory, addr_t at, struct socket_call *call)
{
	struct msghdr message;

	return reader_read(memory, at, &message, sizeof(message)) == 0 &&
	       read_vectors(memory, (addr_t)(uintptr_t)message.msg_iov,
			    message.msg_iovlen, call);
}

static bool
read_poll(struct reader *memory, addr_t at, struct socket_call *call)
{
	struct pollfd waits;

	if (reader_read(memory, at, &waits, sizeof(waits)) < 0 || waits.fd < 0)
		return false;
	call->key = (uint32_t)waits.fd;
	return true;
}

bool
socket_call_read(const struct hit *hit, const struct socket_function *function,
		 struct socket_call *ret_call)
{
	struct reader *memory = program_memory(hit->program);
	struct socket_call *call = ret_call;
	uint64_t first = hit_argument(hit, 0);

	/* The members are set one by one. To clear the whole struct would cost
	 * more, because usually only one or two of its many parts are used. */
	call->function = function;
	call->act = function->act;
	call->encrypted = function->ssl;
	call->key = function->ssl ? first : (uint32_t)first;
	call->when = hit->when;
	call->count_at = function->counts ? hit_argument(hit, 3) : 0;
	call->length = call->count = 0;
	if (function->form == FORM_POLL)
		return read_poll(memory, first, call);
	if (!function->ssl && (int32_t)first < 0)
		return false;
	if (function->flags != NO_FLAGS &&
	    hit_argument(hit, function->flags) & MSG_PEEK)
		return false;
	switch (function->form) {
	case FORM_BUFFER:
		call->parts[0] = (struct span){
			.from = hit_argument(hit, 1),
			.length = hit_argument(hit, 2),
		};
		/* SSL_write() takes the length as an int. */
		if (function->ssl && !function->counts)
			call->parts[0].length &= 0x7fffffff;
		call->count = 1;
		call->length = call->parts[0].length;
		return true;
	case FORM_FILE:
		call->length = hit_argument(hit, 3);
		return true;
	case FORM_VECTORS:
		return read_vectors(memory, hit_argument(hit, 1),
				    (uint32_t)hit_argument(hit, 2), call);
	case FORM_MESSAGE:
		return read_message(memory, hit_argument(hit, 1), call);
	default:
		return true;
	}
}

int64_t
socket_call_result(const struct socket_call *call, struct program *program,
		   const struct regs *regs)
{
	int64_t result = (int64_t)program->space->arch->calling->result(regs);
	uint64_t count;

	if (call->encrypted)
		result = (int32_t)result;
	if (call->count_at) {
		if (result != 1 || reader_u64(program_memory(program),
					      call->count_at, &count) < 0)
			return -1;
		result = (int64_t)count;
	}
	/* A failure of an SSL call does not prove that the connection has
	 * ended. */
	if (result <= 0 && call->encrypted)
		return -1;
	return result < 0 || (uint64_t)result > call->length ? -1 : result;
}

size_t
socket_call_first(const struct socket_call *call, struct program *program,
		  unsigned char *to, size_t most)
{
	size_t have = 0;

	for (size_t i = 0; i < call->count && have < most; i++) {
		size_t length = call->parts[i].length;

		if (length > most - have)
			length = most - have;
		if (length == 0)
			continue;
		if (reader_read(program_memory(program), call->parts[i].from,
				to + have, length) < 0)
			break;
		have += length;
	}
	return have;
}

/* recv(2) and tcp(7): no bytes come after one of these errors. */
static const char *
cut_by(int error)
{
	switch (error) {
	case ECONNRESET:
	case ECONNABORTED:
		return "the connection was reset";
	case ETIMEDOUT:
		return "the connection timed out";
	case EPIPE:
	case ENOTCONN:
		return "the connection was closed";
	default:
		return NULL;
	}
}

bool
socket_call_again(const struct socket_call *call, struct program *program,
		  const struct regs *regs)
{
	int64_t result = (int64_t)program->space->arch->calling->result(regs);
	int error;

	if (call->encrypted)
		return (int32_t)result <= 0;
	if (result >= 0)
		return false;
	error = thread_errno(program, regs);
	return error == EAGAIN || error == EWOULDBLOCK;
}

const char *
socket_call_end(const struct socket_call *call, struct program *program,
		const struct regs *regs)
{
	int64_t result = (int64_t)program->space->arch->calling->result(regs);

	if (call->act != SOCKET_RECEIVES || call->encrypted)
		return NULL;
	if (result < 0)
		return cut_by(thread_errno(program, regs));
	return result == 0 && call->length > 0
		       ? "the server closed the connection"
		       : NULL;
}

bool
socket_calls_within(const struct calls *calls)
{
	for (size_t i = calls->live.count; i-- > 0;) {
		const struct open_call *open = report_open(calls->live.at[i]);

		if (open && open->tracepoint->kind == TRACEPOINT_SOCKET)
			return true;
	}
	return false;
}

static ssize_t
link_of(pid_t pid, uint64_t descriptor, char *target, size_t size)
{
	char link[64];

	snprintf(link, sizeof(link), "/proc/%d/fd/%u", pid,
		 (unsigned)descriptor);
	return readlink(link, target, size);
}

bool
socket_calls_socket(const struct program *program, uint64_t descriptor)
{
	pid_t pid = program->space->pid;
	char target[16];
	ssize_t length = link_of(pid, descriptor, target, sizeof(target));

	/* If the process's first thread has ended, it has no descriptors, and
	 * another thread of the process is needed. It is looked for only now,
	 * because this costs more than reading the link. */
	if (length < 0)
		length = link_of(status_living(pid), descriptor, target,
				 sizeof(target));
	return length > 7 && !strncmp(target, "socket:", 7);
}
