/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Two places have the text of a query in flight: the frames of the script, in
 * which the driver waits (stacks/statement.h); and, in libmariadb, the buffer
 * of the connection, which keeps the packet that was sent until the answer
 * comes:
 *
 *	MYSQL	begins with NET { pvio 0, buff 8, buff_end 16, write_pos 24,
 *		read_pos 32 }					(mysql_com.h)
 *	buff	the packet: length, three bytes; number 0; command 3; text
 *
 * While nothing was received, write_pos is at the beginning of the buffer.
 */
#include "tracer/queries/probe_recover.h"

#include "conf/model/lens.h"
#include "tracer/queries/probe_scope.h"
#include "tracer/report/statements.h"
#include "values/fetch.h"

#include <string.h>

enum { NET_WORDS = 5, NET_BUFF = 1, NET_END = 2, NET_WRITE = 3 };
enum { PACKET_HEAD = 4, COMMAND_QUERY = 3 };

/* The MYSQL to which the call belongs, or 0. */
static addr_t
connection_of(const struct arguments *arguments)
{
	addr_t at = 0;

	for (size_t i = 0; i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];

		if (argument->name && !strcmp(argument->name, "mysql") &&
		    value_pointer(&argument->value, &at) < 0)
			at = 0;
	}
	return at;
}

static bool
from_connection(struct probed *of, struct handle_text *ret_text)
{
	struct reader *memory = program_memory(of->program);
	addr_t mysql = connection_of(of->call->event.arguments);
	uint64_t net[NET_WORDS], length, room;
	uint8_t head[PACKET_HEAD + 1];
	char *bytes;

	if (!mysql || reader_read(memory, mysql, net, sizeof(net)) < 0 ||
	    net[NET_WRITE] != net[NET_BUFF] || net[NET_END] < net[NET_BUFF] ||
	    reader_read(memory, net[NET_BUFF], head, sizeof(head)) < 0)
		return false;
	length = (uint64_t)head[0] | (uint64_t)head[1] << 8 |
		 (uint64_t)head[2] << 16;
	room = net[NET_END] - net[NET_BUFF];
	if (head[3] != 0 || head[PACKET_HEAD] != COMMAND_QUERY || length < 2 ||
	    length + PACKET_HEAD > room)
		return false;
	length--;
	bytes = arena_alloc(&of->call->arena, length);
	if (reader_read(memory, net[NET_BUFF] + sizeof(head), bytes, length) <
	    0)
		return false;
	*ret_text = (struct handle_text){ .bytes = bytes,
					  .length = length,
					  .lens = LENS_SQL };
	return true;
}

static bool
from_script(struct probed *of, struct handle_text *ret_text)
{
	struct statement_query query;

	if (!statements_query(of->program, of->regs, &of->call->arena, &query))
		return false;
	*ret_text = (struct handle_text){
		.bytes = query.text.bytes,
		.length = query.text.length,
		.lens = LENS_SQL,
		.cut = query.text.whole > query.text.length,
	};
	return true;
}

void
probe_recover(struct probed *of)
{
	const struct probe *probe = of->probing->probe;

	for (size_t i = 0; i < probe->count; i++) {
		struct argument *argument;
		struct handle_text text;
		struct value_chars known;

		if (probe->acts[i].kind != ACT_SHOW)
			continue;
		argument = probe_argument(of->call->event.arguments,
					  &probe->acts[i]);
		if (!argument || strcmp(argument->name, "query") != 0 ||
		    value_text(&argument->value, 1, &known) == 0)
			continue;
		if (from_connection(of, &text) || from_script(of, &text))
			probe_text_value(of, &text, &argument->value);
	}
}
