/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value is a head that leads to a body, whose layout depends on its kind
 * (sv.h, cv.h, gv.h, hv.h); names are keys of hashes (struct hek).
 */
#include "stacks/perl_text.h"

#define TEXT_MOST 4096u
#define PIECE 64u

enum {
	VALUE_BODY = 0,
	VALUE_UNION = 16, /* a scalar's text, a glob's GP, a hash's array */
	KEY_LENGTH = 4,
	KEY_TEXT = 8,
	CODE_STASH = 32,
	CODE_GLOB = 56, /* the code's name, or a glob that has it */
	CODE_FLAGS = 92,
	CODE_DEPTH = 96,
	GLOB_NAME = 32,
	GLOB_STASH = 40,
	GP_EFFECTIVE = 56,
	HASH_MOST = 24, /* the last index of a hash's array */
	HASH_BODY = 32, /* the size of a hash's body */
	AUX_NAME = 0,
	/* how many names a hash has; if any, AUX_NAME leads to them */
	AUX_NAMES = 28,
	SCALAR_LENGTH = 16,
};

#define KEY_WAS_UTF8 0x02u /* HVhek_WASUTF8 */
#define CODE_NAMED 0x8000u
#define CODE_LEXICAL 0x10000u

const char *
perl_text(struct peek *peek, addr_t at, struct arena *arena)
{
	char text[TEXT_MOST];
	size_t length = 0;

	while (length < sizeof(text)) {
		/* Do not read over the end of a page, because the next page may
		 * not be mapped. */
		size_t piece = PIECE - (at + length) % PIECE, part;

		if (piece > sizeof(text) - length)
			piece = sizeof(text) - length;
		if (!peek_bytes(peek, at + length, text + length, piece))
			return NULL;
		part = strnlen(text + length, piece);
		length += part;
		if (part < piece)
			break;
	}
	return arena_strndup(arena, text, length);
}

static const char *
text_of_length(struct peek *peek, addr_t at, uint64_t length,
	       struct arena *arena)
{
	char text[TEXT_MOST];

	if (length > sizeof(text))
		length = sizeof(text);
	if (!peek_bytes(peek, at, text, length))
		return NULL;
	return arena_strndup(arena, text, length);
}

static const char *
latin1_to_utf8(const char *text, struct arena *arena)
{
	char *utf8 = arena_alloc(arena, 2 * strlen(text) + 1), *to = utf8;

	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c >= 0x80)
			*to++ = (char)(0xc0 | c >> 6);
		*to++ = (char)(c < 0x80 ? c : 0x80 | (c & 0x3f));
	}
	*to = '\0';
	return utf8;
}

/* A name that was UTF-8 may be stored in Latin-1, with a flag behind it. */
static const char *
key_text(struct peek *peek, addr_t key, struct arena *arena)
{
	const char *text;
	uint32_t length;

	if (!key)
		return NULL;
	length = peek_u32(peek, key + KEY_LENGTH);
	text = text_of_length(peek, key + KEY_TEXT, length, arena);
	if (text && (peek_u8(peek, key + KEY_TEXT + length + 1) & KEY_WAS_UTF8))
		text = latin1_to_utf8(text, arena);
	return text;
}

const char *
perl_glob_name(struct peek *peek, addr_t glob, struct arena *arena)
{
	addr_t body = peek_u64(peek, glob + VALUE_BODY);

	return key_text(peek, peek_u64(peek, body + GLOB_NAME), arena);
}

/* The data of a hash besides its keys is stored behind its body, in older
 * versions behind its array. */
static addr_t
aux_of(struct peek *peek, const struct perl_layout *layout, addr_t hash)
{
	addr_t body = peek_u64(peek, hash + VALUE_BODY);

	if (layout->aux_in_body)
		return body + HASH_BODY;
	return peek_u64(peek, hash + VALUE_UNION) +
	       8 * (peek_u64(peek, body + HASH_MOST) + 1);
}

const char *
perl_package_name(struct peek *peek, const struct perl_layout *layout,
		  addr_t hash, struct arena *arena)
{
	const char *name = NULL;

	if (hash) {
		addr_t aux = aux_of(peek, layout, hash);
		addr_t key = peek_u64(peek, aux + AUX_NAME);

		if (key && peek_u32(peek, aux + AUX_NAMES))
			key = peek_u64(peek, key);
		name = key_text(peek, key, arena);
	}
	return name ? name : "__ANON__";
}

static const char *
qualified(const char *package, const char *name, struct arena *arena)
{
	char *text;

	if (!name)
		return NULL;
	text = arena_alloc(arena, strlen(package) + strlen(name) + 3);
	stpcpy(stpcpy(stpcpy(text, package), "::"), name);
	return text;
}

const char *
perl_sub_name(struct peek *peek, const struct perl_layout *layout, addr_t code,
	      struct arena *arena)
{
	addr_t body = peek_u64(peek, code + VALUE_BODY);
	uint32_t flags = peek_u32(peek, body + CODE_FLAGS);
	addr_t glob = peek_u64(peek, body + CODE_GLOB), stash, effective;
	const char *name;

	if (!glob)
		return NULL;
	if (flags & CODE_NAMED) {
		name = key_text(peek, glob, arena);
		if (flags & CODE_LEXICAL)
			return name;
		stash = peek_u64(peek, body + CODE_STASH);
		return qualified(perl_package_name(peek, layout, stash, arena),
				 name, arena);
	}
	effective = peek_u64(peek,
			     peek_u64(peek, glob + VALUE_UNION) + GP_EFFECTIVE);
	if (effective)
		glob = effective;
	stash = peek_u64(peek, peek_u64(peek, glob + VALUE_BODY) + GLOB_STASH);
	name = perl_glob_name(peek, glob, arena);
	return qualified(perl_package_name(peek, layout, stash, arena), name,
			 arena);
}

uint32_t
perl_sub_depth(struct peek *peek, addr_t code)
{
	return peek_u32(peek, peek_u64(peek, code + VALUE_BODY) + CODE_DEPTH);
}
