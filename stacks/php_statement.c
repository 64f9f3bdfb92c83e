/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While a PDOStatement executes, it is $this of the innermost frame. The text
 * is its first property, queryString. (mysqli and pgsql keep no texts.)
 *
 * The object is the end of a pdo_stmt_t, whose second member is the address of
 * the driver's own structure. The text is used only if this structure names the
 * same statement. The structure of pdo_pgsql contains the address of the name
 * that libpq got. That of pdo_mysql leads to a MYSQLND_STMT and so to its data,
 * which begin with the connection and the statement's number.
 *
 * The query for whose answer a function of mysqli or PDO waits is its argument.
 *
 *	frame	  { this 32, its type 40, arguments 80: value 0, type 8 }
 *	object	  { handlers 24, first property 40, its type 48 }
 *	handlers  { offset of the object 0 }
 *	string	  { type 4, length 16, characters 24, a zero }
 *
 * (7.4 to 8.5: zend_types.h, php_pdo_driver.h, mysqlnd_structs.h.)
 */
#include "stacks/php_statement.h"

#include "base/attr.h"

#include <stdlib.h>
#include <string.h>

#define METHOD "PDOStatement->execute"
#define FRAME_THIS 32
#define FRAME_THIS_TYPE 40
#define FRAME_ARGUMENTS 80
#define VALUE_SIZE 16
#define VALUE_TYPE 8
#define OBJECT_HANDLERS 24
#define OBJECT_TEXT 40
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
	*ret_text = (struct statement_text){ .bytes = bytes,
					     .length = length,
					     .whole = whole };
	return true;
}

/* The object of the class in the innermost frame, or 0. */
static addr_t
this_of(struct peek *peek, const struct frame *frame)
{
	return (peek_u32(peek, frame->at + FRAME_THIS_TYPE) & TYPE_MASK) ==
			       TYPE_OBJECT
		       ? peek_u64(peek, frame->at + FRAME_THIS)
		       : 0;
}

static bool
executes(const struct stack *stack)
{
	const struct frame *frame = stack->at;

	return stack->count > 0 && frame->at_call && frame->function &&
	       !strcmp(frame->function, METHOD);
}

/* The text of a value of PHP that is a string. */
static bool
text_at(struct peek *peek, addr_t value, struct arena *arena,
	struct statement_text *ret_text)
{
	return (peek_u32(peek, value + VALUE_TYPE) & TYPE_MASK) ==
		       TYPE_STRING &&
	       characters(peek, peek_u64(peek, value), arena, ret_text);
}

bool
php_statement(struct peek *peek, const struct stack *stack,
	      const struct statement *statement,
	      struct statement_text *ret_text)
{
	addr_t object, driver;
	uint32_t offset;

	object = executes(stack) ? this_of(peek, stack->at) : 0;
	if (!object)
		return false;
	offset = peek_u32(peek, peek_u64(peek, object + OBJECT_HANDLERS));
	if (peek_failed(peek) || offset == 0 || offset % 8 ||
	    offset > OFFSET_MOST)
		return false;
	driver = peek_u64(peek, object - offset + DRIVER_DATA);
	if (peek_failed(peek) || !driver || driver % 8 ||
	    !names(peek, driver, statement))
		return false;
	return text_at(peek, object + OBJECT_TEXT, stack->arena, ret_text);
}

static const struct {
	const char *function;
	unsigned argument;
} functions[] = {
	{ "mysqli->query", 0 },	      { "mysqli->real_query", 0 },
	{ "mysqli->multi_query", 0 }, { "mysqli->execute_query", 0 },
	{ "mysqli_query", 1 },	      { "mysqli_real_query", 1 },
	{ "mysqli_multi_query", 1 },  { "mysqli_execute_query", 1 },
	{ "PDO->query", 0 },	      { "PDO->exec", 0 },
};

bool
php_query(struct peek *peek, const struct stack *stack,
	  struct statement_query *ret_query)
{
	const struct frame *frame = stack->at;
	addr_t value = 0;

	if (executes(stack))
		value = this_of(peek, frame) + OBJECT_TEXT;
	for (size_t i = 0; i < array_size(functions) && !value; i++) {
		if (stack->count > 0 && frame->at_call && frame->function &&
		    !strcmp(frame->function, functions[i].function))
			value = frame->at + FRAME_ARGUMENTS +
				VALUE_SIZE * functions[i].argument;
	}
	ret_query->server = STATEMENT_MYSQL;
	return value && !peek_failed(peek) &&
	       text_at(peek, value, stack->arena, &ret_query->text) &&
	       !peek_failed(peek);
}
