/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which of the words in a block is a reference is not known, so each word may
 * be one. A str is told by its type, and its number of references, its flags
 * and its length have to be possible (Include/cpython/unicodeobject.h). When a
 * str is freed, its number of references is 0.
 *
 *	str: 0 references, 8 type, 16 number of characters, 32 flags; 48 or 72
 *		characters of 1, 2 or 4 bytes each, and a 0 of this size
 *	list: 16 number, 24 items
 *	dict: 32 keys; keys: 9 log2 of the bytes of the index, 10 kind, 24
 *		number; 32 index, then entries of 16 or 24 bytes
 *	set: 32 size of the table - 1, 40 table, with entries of 16 bytes
 *	tuple: 16 number, 24 items
 */
#include "heaps/python_text.h"

#include "heaps/words.h"

#include <string.h>

#define POOLED_MOST 512u /* larger blocks are in no pool */

#define REFERENCES_MOST (UINT64_C(1) << 32)
#define TYPE 8
#define TEXT_LENGTH 16
#define TEXT_STATE 32
#define TEXT_LEAST 48u /* of ASCII, without its characters */
#define TEXT_WIDE 72u  /* of other characters */
#define TEXT_COMPACT (1u << 5)
#define TEXT_ASCII (1u << 6)
#define TEXT_LENGTH_MOST (UINT64_C(1) << 40)
#define TEXT_READ (TEXT_WIDE + 4 * CENSUS_STRING_SHOWN + 4)

/* Addresses outside of the arenas that are looked at. */
#define SEEN_MOST (UINT64_C(1) << 23)

/* Flags of types. */
#define FLAG_GC (UINT64_C(1) << 14)
#define FLAG_INT (UINT64_C(1) << 24)
#define FLAG_LIST (UINT64_C(1) << 25)
#define FLAG_BYTES (UINT64_C(1) << 27)
#define FLAG_DICT (UINT64_C(1) << 29)

#define NUMBER 16
#define LIST_ITEMS 24
#define TUPLE_ITEMS 24
#define DICT_KEYS 32
#define SET_MASK 32
#define SET_TABLE 40
#define KEYS_HEAD 32u
#define KEYS_INDEX 9
#define KEYS_KIND 10
#define KEYS_NUMBER 24
#define ITEMS_MOST (UINT64_C(1) << 28)
/* The most bytes of large lists, dicts and sets that one census reads. A
 * damaged heap may have many wrong ones. */
#define BYTES_MOST (UINT64_C(4) << 30)

/* ---- one string ------------------------------------------------------------
 */

/* Appends a character as UTF-8. Returns the new length. */
static size_t
add_character(uint8_t *text, size_t length, uint32_t character)
{
	static const uint8_t firsts[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned bytes = character < 0x80      ? 1
			 : character < 0x800   ? 2
			 : character < 0x10000 ? 3
					       : 4;

	if (length + bytes > CENSUS_STRING_SHOWN)
		return length;
	for (unsigned i = bytes - 1; i > 0; i--) {
		text[length + i] = (uint8_t)(0x80 | (character & 0x3f));
		character >>= 6;
	}
	text[length] = bytes == 1 ? (uint8_t)character
				  : (uint8_t)(firsts[bytes] | character);
	return length + bytes;
}

/* How a str is laid out, from its first bytes. False if it is none. */
struct text_layout {
	uint64_t length;
	unsigned each, begin;
};

static bool
layout_of(const uint8_t *object, struct text_layout *ret_layout)
{
	uint32_t state = word32(object, TEXT_STATE);
	struct text_layout layout = {
		.length = word64(object, TEXT_LENGTH),
		.each = state >> 2 & 7,
		.begin = state & TEXT_ASCII ? TEXT_LEAST : TEXT_WIDE,
	};

	if (!(state & TEXT_COMPACT) ||
	    (layout.each != 1 && layout.each != 2 && layout.each != 4) ||
	    layout.length > TEXT_LENGTH_MOST)
		return false;
	*ret_layout = layout;
	return true;
}

/* Adds a str of which the first `size` bytes are known. */
static void
add_text(struct python_texts *texts, const uint8_t *object, size_t size,
	 const struct text_layout *layout, uint64_t memory)
{
	uint8_t bytes[CENSUS_STRING_SHOWN];
	struct census_text text = { .text = bytes, .length = layout->length };

	for (uint64_t i = 0; i < layout->length; i++) {
		uint64_t at = layout->begin + i * layout->each;
		uint32_t character = 0;
		size_t before = text.shown;

		text.cut = at + layout->each > size;
		if (text.cut)
			break;
		memcpy(&character, object + at, layout->each);
		text.shown = add_character(bytes, before, character);
		text.cut = text.shown == before;
		if (text.cut)
			break;
	}
	census_strings_add(texts->strings, &text, memory);
}

void
python_texts_add(struct python_texts *texts, const uint8_t *object,
		 unsigned size)
{
	struct text_layout layout;

	if (layout_of(object, &layout) && layout.begin + layout.each <= size &&
	    layout.length <= (size - layout.begin) / layout.each - 1)
		add_text(texts, object, size, &layout, size);
}

/* ---- arenas ----------------------------------------------------------------
 */

void
python_texts_init(struct python_texts *texts, struct binary *binary,
		  struct reader *memory, struct census_strings *strings)
{
	*texts = (struct python_texts){
		.memory = memory,
		.strings = strings,
		.text_type = binary_symbol(binary, "PyUnicode_Type"),
		.tuple_type = binary_symbol(binary, "PyTuple_Type"),
		.set_type = binary_symbol(binary, "PySet_Type"),
		.frozenset_type = binary_symbol(binary, "PyFrozenSet_Type"),
		.float_type = binary_symbol(binary, "PyFloat_Type"),
	};
	map_init(&texts->seen);
}

void
python_texts_release(struct python_texts *texts)
{
	vec_release(&texts->arenas);
	vec_release(&texts->waiting);
	map_release(&texts->seen);
}

void
python_texts_arena(struct python_texts *texts, addr_t from, addr_t end)
{
	struct python_range arena = { from, end };

	vec_push(&texts->arenas, arena);
	texts->sorted = false;
}

static int
by_address(const void *a, const void *b)
{
	const struct python_range *one = a, *other = b;

	return (one->from > other->from) - (one->from < other->from);
}

static bool
in_arena(const struct python_texts *texts, addr_t at)
{
	size_t low = 0, high = texts->arenas.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (texts->arenas.at[middle].from <= at)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && at < texts->arenas.at[low - 1].end;
}

/* ---- references ------------------------------------------------------------
 */

/* Words that are read later, because they are many. */
static void
wait_for(struct python_texts *texts, addr_t from, uint64_t bytes)
{
	struct python_range range = { from, from + bytes };

	if (bytes <= POOLED_MOST || bytes / 8 > ITEMS_MOST ||
	    in_arena(texts, from))
		return;
	if (bytes > BYTES_MOST - texts->bytes) {
		texts->strings->left_out++;
		return;
	}
	texts->bytes += bytes;
	vec_push(&texts->waiting, range);
}

/* Is there a 0 behind the last character, and is it still the same str? */
static bool
is_whole(struct python_texts *texts, addr_t at, const uint8_t *object,
	 const struct text_layout *layout)
{
	uint64_t end = layout->begin + layout->length * layout->each;
	uint8_t last[4] = { 0 }, now[TEXT_STATE + 4];

	return reader_read(texts->memory, at + end, last, layout->each) == 0 &&
	       word32(last, 0) == 0 &&
	       reader_read(texts->memory, at, now, sizeof(now)) == 0 &&
	       word64(now, 0) - 1 < REFERENCES_MOST &&
	       memcmp(now + TYPE, object + TYPE, sizeof(now) - TYPE) == 0;
}

/* Adds the long str at that address, if one is there. Of it, `size` bytes were
 * read: less than wanted at the end of mapped memory. */
static void
try_text(struct python_texts *texts, addr_t at, const uint8_t *object,
	 size_t size)
{
	struct text_layout layout;
	uint64_t bytes;

	if (!layout_of(object, &layout))
		return;
	bytes = layout.begin + (layout.length + 1) * layout.each;
	if (bytes > POOLED_MOST && is_whole(texts, at, object, &layout))
		add_text(texts, object, size, &layout, bytes);
}

/* A word of a block or an item: is it a reference to a long str, or to a long
 * tuple? */
static void
try_word(struct python_texts *texts, addr_t at)
{
	uint8_t object[TEXT_READ];
	long size;
	addr_t type;

	if (at % 16 != 0 || at < 65536 || at >> 47 != 0 ||
	    in_arena(texts, at) || map_get(&texts->seen, at))
		return;
	if (texts->seen.count >= SEEN_MOST) {
		texts->strings->not_looked = true;
		return;
	}
	map_put(&texts->seen, at, texts);
	size = reader_some(texts->memory, at, object, sizeof(object));
	if (size < (long)TEXT_LEAST || word64(object, 0) - 1 >= REFERENCES_MOST)
		return;
	type = word64(object, TYPE);
	if (type == texts->text_type)
		try_text(texts, at, object, (size_t)size);
	else if (type == texts->tuple_type &&
		 word64(object, NUMBER) <= ITEMS_MOST)
		wait_for(texts, at + TUPLE_ITEMS, word64(object, NUMBER) * 8);
}

static void
try_words(struct python_texts *texts, const uint8_t *words, size_t size)
{
	for (size_t i = 0; i + 8 <= size; i += 8)
		try_word(texts, word64(words, i));
}

static void
read_waiting(struct python_texts *texts)
{
	while (texts->waiting.count > 0) {
		struct python_range range =
			texts->waiting.at[--texts->waiting.count];
		uint8_t words[4096];

		while (range.from < range.end) {
			size_t size = range.end - range.from < sizeof(words)
					      ? range.end - range.from
					      : sizeof(words);

			if (reader_read(texts->memory, range.from, words,
					size) < 0)
				break;
			try_words(texts, words, size);
			range.from += size;
		}
	}
}

static void
look_at_dict(struct python_texts *texts, addr_t keys)
{
	uint8_t head[KEYS_HEAD];
	uint64_t number;

	if (keys % 16 != 0 || in_arena(texts, keys) ||
	    reader_read(texts->memory, keys, head, sizeof(head)) < 0)
		return;
	number = word64(head, KEYS_NUMBER);
	if (head[KEYS_INDEX] <= 32 && number <= ITEMS_MOST)
		wait_for(texts,
			 keys + KEYS_HEAD + (UINT64_C(1) << head[KEYS_INDEX]),
			 number * (head[KEYS_KIND] ? 16 : 24));
}

/* Does the object contain no references? Then its words may look like
 * addresses, for example small numbers. */
static bool
is_plain(const struct python_texts *texts, addr_t type, uint64_t flags)
{
	return !(flags & FLAG_GC) && type &&
	       (flags & (FLAG_INT | FLAG_BYTES) || type == texts->float_type);
}

void
python_texts_look(struct python_texts *texts, const uint8_t *block,
		  unsigned size, const uint8_t *object, uint64_t flags)
{
	size_t left = object ? size - (size_t)(object - block) : 0;
	addr_t type = left >= 16 ? word64(object, TYPE) : 0;

	if (!texts->sorted)
		vec_sort(&texts->arenas, by_address);
	texts->sorted = true;
	if (is_plain(texts, type, flags))
		return;
	try_words(texts, block, size);
	if (flags & FLAG_LIST && left >= LIST_ITEMS + 8 &&
	    word64(object, NUMBER) <= ITEMS_MOST)
		wait_for(texts, word64(object, LIST_ITEMS),
			 word64(object, NUMBER) * 8);
	else if (flags & FLAG_DICT && left >= DICT_KEYS + 8)
		look_at_dict(texts, word64(object, DICT_KEYS));
	else if (type &&
		 (type == texts->set_type || type == texts->frozenset_type) &&
		 left >= SET_TABLE + 8 &&
		 word64(object, SET_MASK) <= ITEMS_MOST)
		wait_for(texts, word64(object, SET_TABLE),
			 (word64(object, SET_MASK) + 1) * 16);
	read_waiting(texts);
}
