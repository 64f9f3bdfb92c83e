/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * memcached's binary protocol. Both directions consist of packets, whose
 * numbers have the highest byte first:
 *
 *	 0	magic: 0x80 of the client, 0x81 of the server
 *	 1	opcode
 *	 2	length of the key
 *	 4	length of the extras
 *	 5	type: 0
 *	 6	status, of the server
 *	 8	length of the body
 *	12	opaque, which the server repeats
 *	16	version (cas)
 *	24	body: the extras, the key, the value
 *
 * A command begins when its packet is complete. Its text is the opcode's name
 * and the key. Packets of the server name the command by opcode and opaque. The
 * answer of a quiet command may be missing. Then the command is over when a
 * later one is answered. Several packets answer stat; the last has no key.
 *
 * Facts: protocol_binary.h and doc/protocol-binary.txt of memcached 1.6.18.
 */
#include "protocols/memcached_parts.h"

#include <errno.h>
#include <string.h>

enum {
	MAGIC_CLIENT = 0x80,
	MAGIC_SERVER = 0x81,
	HEADER = 24,
	KEY_MOST = 250,
	EXTRAS_MOST = 20,
	MESSAGE_MOST = 256, /* of an error, that is looked at */
	BODY_KEEP = EXTRAS_MOST + KEY_MOST + MESSAGE_MOST,
	BODY_MOST = 1 << 30, /* the most that a server accepts */
	OPAQUE = 4,
};

enum {
	STATUS_OK,
	STATUS_NOT_FOUND,
	STATUS_EXISTS,
	STATUS_NOT_STORED = 5,
};

enum opcode_kind {
	KIND_PLAIN = 1,
	KIND_VALUE,  /* the answer is a value, or "not found" */
	KIND_NUMBER, /* the answer is a number of 8 bytes */
	KIND_LIST,
	KIND_NOTHING, /* no answer, or none that the client waits for */
};

static const struct opcode {
	const char *name;
	enum opcode_kind kind;
	bool quiet;
} opcodes[] = {
	[0x00] = { "get", KIND_VALUE, false },
	[0x01] = { "set", KIND_PLAIN, false },
	[0x02] = { "add", KIND_PLAIN, false },
	[0x03] = { "replace", KIND_PLAIN, false },
	[0x04] = { "delete", KIND_PLAIN, false },
	[0x05] = { "incr", KIND_NUMBER, false },
	[0x06] = { "decr", KIND_NUMBER, false },
	[0x07] = { "quit", KIND_NOTHING, false },
	[0x08] = { "flush", KIND_PLAIN, false },
	[0x09] = { "getq", KIND_VALUE, true },
	[0x0a] = { "noop", KIND_PLAIN, false },
	[0x0b] = { "version", KIND_PLAIN, false },
	[0x0c] = { "getk", KIND_VALUE, false },
	[0x0d] = { "getkq", KIND_VALUE, true },
	[0x0e] = { "append", KIND_PLAIN, false },
	[0x0f] = { "prepend", KIND_PLAIN, false },
	[0x10] = { "stat", KIND_LIST, false },
	[0x11] = { "setq", KIND_PLAIN, true },
	[0x12] = { "addq", KIND_PLAIN, true },
	[0x13] = { "replaceq", KIND_PLAIN, true },
	[0x14] = { "deleteq", KIND_PLAIN, true },
	[0x15] = { "incrq", KIND_NUMBER, true },
	[0x16] = { "decrq", KIND_NUMBER, true },
	[0x17] = { "quitq", KIND_NOTHING, false },
	[0x18] = { "flushq", KIND_PLAIN, true },
	[0x19] = { "appendq", KIND_PLAIN, true },
	[0x1a] = { "prependq", KIND_PLAIN, true },
	[0x1b] = { "verbosity", KIND_PLAIN, false },
	[0x1c] = { "touch", KIND_PLAIN, false },
	[0x1d] = { "gat", KIND_VALUE, false },
	[0x1e] = { "gatq", KIND_VALUE, true },
	[0x20] = { "sasl_list_mechs", KIND_PLAIN, false },
	[0x21] = { "sasl_auth", KIND_PLAIN, false },
	[0x22] = { "sasl_step", KIND_PLAIN, false },
	[0x23] = { "gatk", KIND_VALUE, false },
	[0x24] = { "gatkq", KIND_VALUE, true },
};

static const struct opcode *
opcode_of(unsigned char number)
{
	return number < array_size(opcodes) && opcodes[number].name
		       ? &opcodes[number]
		       : NULL;
}

static uint32_t
number_at(const unsigned char *at, size_t bytes)
{
	uint32_t number = 0;

	while (bytes-- > 0)
		number = number << 8 | *at++;
	return number;
}

/* Reads a header of 24 bytes. Returns false if the bytes are no header of the
 * client or of the server, whose magic is given. */
static bool
read_header(const unsigned char *at, unsigned char magic,
	    struct memcached_packet *packet)
{
	packet->opcode = at[1];
	packet->key = number_at(at + 2, 2);
	packet->extras = at[4];
	packet->status = number_at(at + 6, 2);
	packet->body = number_at(at + 8, 4);
	memcpy(packet->opaque, at + 12, sizeof(packet->opaque));
	return at[0] == magic && opcode_of(at[1]) && at[5] == 0 &&
	       packet->key <= KEY_MOST && packet->extras <= EXTRAS_MOST &&
	       packet->key + packet->extras <= packet->body &&
	       packet->body <= BODY_MOST;
}

/* Returns 1 and the kept bytes of the body if the block completes a packet, 0
 * if the body comes, or -EPROTO. */
static int
take_block(struct line_reader *lines, const struct text_line *block,
	   unsigned char magic, struct memcached_packet *packet)
{
	bool is_body = packet->coming;

	if (!is_body) {
		if (!read_header(block->bytes, magic, packet))
			return -EPROTO;
		packet->began = block->began;
		packet->kept = 0;
		packet->coming = packet->body > 0;
		lines_block(lines, packet->coming ? packet->body : HEADER,
			    packet->coming ? BODY_KEEP : HEADER);
		return !packet->coming;
	}
	packet->coming = false;
	packet->bytes = block->bytes;
	packet->kept = block->kept;
	lines_block(lines, HEADER, HEADER);
	return 1;
}

/* ---- the client ------------------------------------------------------------
 */

static int
ask(struct memcached *memcached, const struct memcached_packet *packet,
    uint64_t when)
{
	const struct opcode *opcode = opcode_of(packet->opcode);
	struct question *question;
	struct text *text;

	str_clear(&memcached->line);
	str_add(&memcached->line, opcode->name);
	if (packet->key > 0) {
		str_add_char(&memcached->line, ' ');
		str_add_bytes(&memcached->line,
			      (const char *)packet->bytes + packet->extras,
			      packet->key);
	}
	text = text_new(memcached->line.text, memcached->line.length,
			memcached->line.length);
	question = questions_add(&memcached->questions, packet->opcode,
				 packet->began, text);
	text_unref(text);
	if (!question)
		return -EPROTO;
	memcpy(question->name, packet->opaque, OPAQUE);
	question_begins(&memcached->questions, question, QUERY_TEXT);
	if (opcode->kind == KIND_NOTHING)
		memcached_no_reply(memcached, question, when);
	return 0;
}

static int
client_packets(struct memcached *memcached, struct piece piece)
{
	struct text_line block;
	int r = 0;

	while (r == 0) {
		int answer = lines_next(&memcached->client, &piece, &block);

		if (answer <= 0)
			return answer;
		r = take_block(&memcached->client, &block, MAGIC_CLIENT,
			       &memcached->asked);
		if (r > 0)
			r = ask(memcached, &memcached->asked, piece.when);
	}
	return r;
}

/* ---- the server ------------------------------------------------------------
 */

/* The opaque of several commands may be the same. If the answer has a key, it
 * decides. */
static bool
is_answer(const struct question *question,
	  const struct memcached_packet *packet)
{
	const struct text *text = question->text;

	if (question->command != packet->opcode ||
	    memcmp(question->name, packet->opaque, OPAQUE) != 0)
		return false;
	return packet->key == 0 ||
	       opcode_of(packet->opcode)->kind == KIND_LIST ||
	       (text && text->length >= packet->key &&
		memcmp(text->bytes + text->length - packet->key,
		       packet->bytes + packet->extras, packet->key) == 0);
}

/* Finds the question that the packet answers, and ends the quiet questions
 * before it, so that it is the first one. Returns 1, or 0 if no such question
 * is known. */
static int
find_question(struct memcached *memcached,
	      const struct memcached_packet *packet, uint64_t when)
{
	struct questions *questions = &memcached->questions;

	for (size_t i = 0; i < questions->count; i++) {
		const struct question *question = question_at(questions, i);

		if (is_answer(question, packet)) {
			memcached_end_quiet(memcached, i, when);
			return 1;
		}
		if (!opcode_of(question->command)->quiet)
			return 0;
	}
	return 0;
}

static void
take_message(const struct memcached_packet *packet, struct answer *answer)
{
	size_t head = packet->extras + packet->key;
	size_t length = packet->kept > head ? packet->kept - head : 0;

	answer->outcome = QUERY_FAILED;
	answer->code = packet->status;
	if (length > sizeof(answer->message) - 1)
		length = sizeof(answer->message) - 1;
	if (length > 0)
		memcpy(answer->message, packet->bytes + head, length);
}

static void
take_answer(const struct memcached_packet *packet, struct question *question,
	    struct answer *answer)
{
	enum opcode_kind kind = opcode_of(packet->opcode)->kind;
	struct query_reply *reply = &question->reply;

	if (packet->status == STATUS_NOT_STORED) {
		strcpy(reply->text, "NOT_STORED");
	} else if (packet->status == STATUS_EXISTS) {
		strcpy(reply->text, "EXISTS");
	} else if (packet->status > STATUS_NOT_FOUND) {
		take_message(packet, answer);
	} else if (kind == KIND_VALUE) {
		answer->rows_known = true;
		answer->rows = packet->status == STATUS_OK;
	} else if (packet->status == STATUS_NOT_FOUND) {
		strcpy(reply->text, "NOT_FOUND");
	} else if (kind == KIND_NUMBER && packet->kept >= 8) {
		reply->known = true;
		reply->number =
			(int64_t)((uint64_t)number_at(packet->bytes, 4) << 32 |
				  number_at(packet->bytes + 4, 4));
	} else {
		strcpy(reply->text, "OK");
	}
}

static void
answer(struct memcached *memcached, const struct memcached_packet *packet,
       uint64_t when)
{
	struct answer answer = { .outcome = QUERY_DONE };

	if (!find_question(memcached, packet, when))
		return;
	if (memcached->answered == 0)
		memcached->answered = packet->began;
	memcached->bytes += HEADER + (uint64_t)packet->body;
	if (opcode_of(packet->opcode)->kind == KIND_LIST && packet->key > 0)
		return;
	take_answer(packet, question_at(&memcached->questions, 0), &answer);
	memcached_done(memcached, &answer, when);
}

static int
server_packets(struct memcached *memcached, struct piece piece)
{
	struct text_line block;

	for (;;) {
		int r = lines_next(&memcached->server, &piece, &block);

		if (r <= 0)
			return r;
		r = take_block(&memcached->server, &block, MAGIC_SERVER,
			       &memcached->told);
		if (r < 0)
			return r;
		if (r > 0)
			answer(memcached, &memcached->told, piece.when);
	}
}

/* ---- which protocol it is --------------------------------------------------
 */

int
memcached_client(struct memcached *memcached, struct piece piece)
{
	if (!memcached->begun && piece.left > 0) {
		memcached->begun = true;
		memcached->packets = *piece.at == MAGIC_CLIENT;
		if (memcached->packets) {
			lines_block(&memcached->client, HEADER, HEADER);
			lines_block(&memcached->server, HEADER, HEADER);
		}
	}
	return memcached->packets ? client_packets(memcached, piece)
				  : memcached_client_lines(memcached, piece);
}

int
memcached_server(struct memcached *memcached, struct piece piece)
{
	return memcached->packets ? server_packets(memcached, piece)
				  : memcached_server_lines(memcached, piece);
}

bool
memcached_detect_client(const unsigned char *bytes, size_t have, uint64_t whole)
{
	struct memcached_packet packet;

	if (have >= HEADER && read_header(bytes, MAGIC_CLIENT, &packet))
		return true;
	return memcached_detect_line(bytes, have, whole);
}
