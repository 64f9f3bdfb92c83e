/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A captured image: the memory that was read to walk a thread's stack, so that
 * the stack can be walked again without the process. It begins with lines of
 * text,
 *
 *	xtrace stack image
 *	thread 7f30216cb740
 *	stack 7ffe1b2f9a48
 *	module libpython3.9.so.1.0
 *	symbol _PyRuntime 7f3021adc340
 *	frame 12 plain /tmp/a.py
 *
 * then an empty line, then pieces of memory: address (8 bytes), length (4
 * bytes), bytes. tests/unit/stacks/capture/capture.c writes images.
 */
#ifndef TESTS_UNIT_STACKS_CAPTURED_H
#define TESTS_UNIT_STACKS_CAPTURED_H

#include "arch/regs.h"
#include "base/reader.h"
#include "base/vec.h"
#include "stacks/binary.h"
#include "stacks/source_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CAPTURED_TITLE "xtrace stack image"

struct captured_piece {
	addr_t at;
	const uint8_t *bytes;
	size_t length;
};

struct captured_symbol {
	char *name;
	addr_t address;
};

struct captured_frame {
	unsigned line;
	char *function, *file; /* "" if unknown */
};

struct captured {
	struct reader reader;
	struct binary binary;
	struct regs regs;
	char *label;
	vec_of(struct captured_piece) pieces;
	vec_of(struct captured_symbol) symbols;
	vec_of(struct captured_frame) frames;
};

static inline int
captured_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct captured *captured =
		container_of(reader, struct captured, reader);
	uint8_t *into = to;

	while (length > 0) {
		size_t part = 0;

		for (size_t i = 0; i < captured->pieces.count; i++) {
			const struct captured_piece *piece =
				&captured->pieces.at[i];

			if (from - piece->at >= piece->length)
				continue;
			part = piece->length - (from - piece->at);
			part = part < length ? part : length;
			memcpy(into, piece->bytes + (from - piece->at), part);
			break;
		}
		if (part == 0)
			return -EFAULT;
		into += part;
		from += part;
		length -= part;
	}
	return 0;
}

static inline addr_t
captured_symbol_of(struct binary *binary, const char *name)
{
	struct captured *captured =
		container_of(binary, struct captured, binary);

	for (size_t i = 0; i < captured->symbols.count; i++) {
		if (!strcmp(captured->symbols.at[i].name, name))
			return captured->symbols.at[i].address;
	}
	return 0;
}

static inline void
captured_line(struct captured *captured, char *line)
{
	unsigned long long number;
	char *rest = line;
	char *key = strsep(&rest, " ");
	char *word = rest ? strsep(&rest, " ") : NULL;

	if (!word)
		return;
	if (!strcmp(key, "thread")) {
		captured->regs.gpr.fs_base = strtoull(word, NULL, 16);
	} else if (!strcmp(key, "stack")) {
		captured->regs.gpr.rsp = strtoull(word, NULL, 16);
	} else if (!strcmp(key, "module")) {
		free(captured->label);
		captured->label = xstrdup(word);
	} else if (!strcmp(key, "symbol") && rest) {
		struct captured_symbol symbol = { xstrdup(word),
						  strtoull(rest, NULL, 16) };

		vec_push(&captured->symbols, symbol);
	} else if (!strcmp(key, "frame") && rest) {
		struct captured_frame frame = { 0 };

		number = strtoull(word, NULL, 10);
		frame.line = (unsigned)number;
		word = strsep(&rest, "\t");
		frame.function = xstrdup(word);
		frame.file = xstrdup(rest ? rest : "");
		vec_push(&captured->frames, frame);
	}
}

/* The caller owns bytes. They are modified: lines are cut in place. */
static inline void
captured_init(struct captured *captured, uint8_t *bytes, size_t length)
{
	uint8_t *end = bytes + length, *newline;

	*captured = (struct captured){
		.reader.read = captured_read,
		.binary.symbol = captured_symbol_of,
		.binary.arch = arch_of_host(),
	};
	while ((newline = memchr(bytes, '\n', (size_t)(end - bytes)))) {
		bool last = newline == bytes;

		*newline = '\0';
		captured_line(captured, (char *)bytes);
		bytes = newline + 1;
		if (last)
			break;
	}
	while (end - bytes > 12) {
		struct captured_piece piece = { .bytes = bytes + 12 };
		uint32_t size;

		memcpy(&piece.at, bytes, 8);
		memcpy(&size, bytes + 8, 4);
		if (size > (size_t)(end - piece.bytes))
			size = (uint32_t)(end - piece.bytes);
		piece.length = size;
		vec_push(&captured->pieces, piece);
		bytes += 12 + size;
	}
	captured->binary.label = captured->label ? captured->label : "";
}

static inline void
captured_release(struct captured *captured)
{
	for (size_t i = 0; i < captured->symbols.count; i++)
		free(captured->symbols.at[i].name);
	for (size_t i = 0; i < captured->frames.count; i++) {
		free(captured->frames.at[i].function);
		free(captured->frames.at[i].file);
	}
	vec_release(&captured->symbols);
	vec_release(&captured->frames);
	vec_release(&captured->pieces);
	free(captured->label);
}

#endif
