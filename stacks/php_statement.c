/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A PDOStatement executes: it is $this of the innermost frame, and the text is
 * its first property, queryString. (mysqli and pgsql keep no texts.)
 *
 * The object is the end of a pdo_stmt_t, whose second member is the driver's
 * own structure. This must name the same statement: pdo_pgsql's contains the
 * address of the name that libpq got; pdo_mysql's leads to a MYSQLND_STMT and
 * so to its data, which begin with the connection and the statement's number.
 *
 *	frame	  { this 32, its type 40 }
 *	object	  { handlers 24, first property 40, its type 48 }
 *	handlers  { offset of the object 0 }
 *	string	  { type 4, length 16, characters 24, a zero }
 *
 * (7.4 to 8.5: zend_types.h, php_pdo_driver.h, mysqlnd_structs.h.)
 */
#include "stacks/php_statement.h"

#include <stdlib.h>
#include <string.h>

#define METHOD "PDOStatement->execute"
#define FRAME_THIS 32
#define FRAME_THIS_TYPE 40
#define OBJECT_HANDLERS 24
#define OBJECT_TEXT 40
#define OBJECT_TEXT_TYPE 48
#define STRING_TYPE 4
#define STRING_TYPE_MASK 0x0fu
#define STRING_LENGTH 16
#define STRING_TEXT 24
#define DRIVER_DATA 8
#define NUMBER 8
#define TYPE_MASK 0xffu
#define TYPE_STRING 6u
#define TYPE_OBJECT 8u
#define OFFSET_MOST 4096u
#define WORDS_MOST 16u

static bool
has_number(struct peek *peek, addr_t word, uint64_t number)
{
	addr_t data;
	bool has;

	if (!word || word % 8)
		return false;
	data = peek_u64(peek, word);
	has = data && data % 8 == 0 && peek_u64(peek, data + NUMBER) == number;
	return !peek_failed(peek) && has;
}

/* Does the driver's structure name the statement? */
static bool
names(struct peek *peek, addr_t driver, const struct statement *statement)
{
	uint64_t number =
		statement->name ? strtoull(statement->name, NULL, 10) : 0;

	for (unsigned i = 0; i < WORDS_MOST; i++) {
		addr_t word = peek_u64(peek, driver + 8 * i);

		if (peek_failed(peek))
			return false;
		if (statement->handle
			    ? word == statement->handle
			    : number && has_number(peek, word, number))
			return true;
	}
	return false;
}

static bool
characters(struct peek *peek, addr_t string, struct arena *arena,
	   struct statement_text *ret_text)
{
	uint64_t whole = peek_u64(peek, string + STRING_LENGTH);
	uint32_t type = peek_u32(peek, string + STRING_TYPE);
	size_t length;
	char *bytes;

	if (peek->fault || whole > INT32_MAX ||
	    (type & STRING_TYPE_MASK) != TYPE_STRING ||
	    peek_u8(peek, string + STRING_TEXT + whole) != 0)
		return false;
	length = whole < STATEMENT_TEXT_MOST ? whole : STATEMENT_TEXT_MOST;
	bytes = arena_alloc(arena, length + 1);
	if (!peek_bytes(peek, string + STRING_TEXT, bytes, length))
		return false;
	bytes[length] = '\0';
	*ret_text = (struct statement_text){ bytes, length, whole };
	return true;
}

bool
php_statement(struct peek *peek, const struct stack *stack,
	      const struct statement *statement,
	      struct statement_text *ret_text)
{
	const struct frame *frame = stack->at;
	addr_t object, driver;
	uint32_t offset;

	if (stack->count == 0 || !frame->at_call || !frame->function ||
	    strcmp(frame->function, METHOD) != 0)
		return false;
	if ((peek_u32(peek, frame->at + FRAME_THIS_TYPE) & TYPE_MASK) !=
	    TYPE_OBJECT)
		return false;
	object = peek_u64(peek, frame->at + FRAME_THIS);
	offset = peek_u32(peek, peek_u64(peek, object + OBJECT_HANDLERS));
	if (peek_failed(peek) || offset == 0 || offset % 8 ||
	    offset > OFFSET_MOST)
		return false;
	driver = peek_u64(peek, object - offset + DRIVER_DATA);
	if (peek_failed(peek) || !driver || driver % 8 ||
	    !names(peek, driver, statement))
		return false;
	if ((peek_u32(peek, object + OBJECT_TEXT_TYPE) & TYPE_MASK) !=
	    TYPE_STRING)
		return false;
	return characters(peek, peek_u64(peek, object + OBJECT_TEXT),
			  stack->arena, ret_text);
}
