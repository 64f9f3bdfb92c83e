/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes arguments of a prototype and the registers at a function's entry.
 *
 * Registers and the stack's words are copied at once, because the function will
 * overwrite both. Memory that a pointer points to is not read here. It is read
 * through the capture when needed, while the thread is stopped.
 *
 * The ABI's cursor gives each parameter its place in turn. A parameter whose
 * condition is false has no place. If one parameter is a format, its arguments
 * follow. The format is read to its end, whatever its length, because the types
 * of all these arguments depend on it.
 *
 * Without a prototype we guess like ltrace: four longs, and a long result. We
 * cannot know whether floating arguments were passed, so we assume none.
 */
#include "values/fetch.h"

#include "arch/arch.h"
#include "arch/regs.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/type.h"
#include "values/abi.h"
#include "values/capture.h"
#include "values/format.h"
#include "values/placed.h"
#include "values/scope.h"
#include "values/visit.h"

#include <limits.h>
#include <string.h>

#define FORMAT_MOST ((size_t)1 << 20)
/* The most bytes of an argument that are copied from the stack at the entry. A
 * larger struct is read from the stack when it is needed. */
#define COPY_MOST 4096u
#define ARGUMENT_BYTES 16u /* the most that registers hold of one argument */

static const struct lens guess_lens = { .kind = LENS_GUESS };

/* The guess: four parameters and a result, each a long of `word` bytes. */
#define GUESS(word)                                                           \
	static const struct type guess_type_##word = { .kind = TYPE_INT,      \
						       .bytes = (word),       \
						       .is_signed = true,     \
						       .lens = &guess_lens }; \
	static const struct param guess_params_##word[] = {                   \
		{ .type = &guess_type_##word },                               \
		{ .type = &guess_type_##word },                               \
		{ .type = &guess_type_##word },                               \
		{ .type = &guess_type_##word },                               \
	};                                                                    \
	static const struct proto guess_##word = {                            \
		.returns = &guess_type_##word,                                \
		.params = guess_params_##word,                                \
		.count = array_size(guess_params_##word),                     \
		.format = -1,                                                 \
	};

GUESS(8)
GUESS(4)

/* What is needed until all arguments are complete. */
struct fetch {
	struct arguments *arguments;
	struct registers *registers;
	struct capture *capture;
	struct abi_cursor cursor;
	/* Some arguments are not where the convention has them. */
	bool apart;
	/* Where the next argument on the stack is, is not known. */
	bool lost;
};

static const struct proto *
proto_of(const struct arguments *arguments)
{
	if (arguments->proto)
		return arguments->proto;
	return arguments->word == sizeof(uint32_t) ? &guess_4 : &guess_8;
}

/* For an argument on the stack: copies the bytes if they are few. */
static void
fetch_memory(const struct fetch *fetch, const struct abi_place *place,
	     struct value *value)
{
	size_t size = type_size(value->type), have;

	value->address = abi_argument_address(place, fetch->registers);
	if (size > COPY_MOST)
		return;
	value->bytes =
		capture_peek(fetch->capture, value->address, size, &have);
	value->room = size;
	if (value->bytes && have < size) {
		unsigned char *copy =
			arena_alloc(fetch->arguments->arena, size);

		value->bytes = copy;
		if (capture_read(fetch->capture, value->address, copy, size))
			value->bytes = NULL;
	}
	if (!value->bytes)
		value->address = 0;
}

static void
fetch_value(struct fetch *fetch, const struct type *type, struct value *value)
{
	struct arguments *arguments = fetch->arguments;
	struct abi_place place;
	unsigned char *raw;

	value_at(value, type, 0, fetch->capture, arguments);
	abi_next(&fetch->cursor, type, &place);
	if (place.in_memory) {
		fetch_memory(fetch, &place, value);
		return;
	}
	raw = arena_zalloc(arguments->arena, ARGUMENT_BYTES);
	if (abi_load_argument(&place, fetch->registers, raw) < 0)
		return;
	value->bytes = raw;
	value->room = ARGUMENT_BYTES;
}

/* Fetches an argument of a function of which some are not where the convention
 * has them. The others are on the stack, in order. */
static void
fetch_apart(struct fetch *fetch, const struct param *param, struct value *value)
{
	struct arguments *arguments = fetch->arguments;
	unsigned char *raw;

	if (placed_on_stack(param, fetch->registers->arch) && !fetch->lost) {
		fetch_value(fetch, param->type, value);
		return;
	}
	value_at(value, param->type, 0, fetch->capture, arguments);
	fetch->lost |= param->place != PARAM_IN_REGISTERS;
	if (param->place != PARAM_IN_REGISTERS ||
	    type_size(param->type) > param->register_count * arguments->word)
		return;
	raw = arena_zalloc(arguments->arena, ARGUMENT_BYTES);
	if (placed_load(param, fetch->registers, raw) < 0)
		return;
	value->bytes = raw;
	value->room = ARGUMENT_BYTES;
}

static bool
present(const struct fetch *fetch, const struct param *param)
{
	struct scope scope;
	bool holds;

	if (!param->condition)
		return true;
	scope_init(&scope, fetch->arguments, NULL);
	return expr_true(param->condition, &scope.expr, &holds) == 0 && holds;
}

static void
fetch_params(struct fetch *fetch)
{
	struct arguments *arguments = fetch->arguments;
	const struct proto *proto = proto_of(arguments);

	for (size_t i = 0; i < proto->count; i++) {
		const struct param *param = &proto->params[i];
		struct argument *argument = &arguments->at[arguments->count];

		if (!present(fetch, param))
			continue;
		argument->name = param->name;
		argument->param = i;
		argument->when = param->when;
		argument->hidden = false;
		argument->bound = false;
		argument->after = NULL;
		argument->file = NULL;
		argument->path = false;
		argument->folded = NULL;
		argument->conversion = 0;
		if (fetch->apart)
			fetch_apart(fetch, param, &argument->value);
		else
			fetch_value(fetch, param->type, &argument->value);
		arguments->count++;
	}
}

static const struct argument *
format_argument(const struct arguments *arguments)
{
	const struct proto *proto = proto_of(arguments);

	for (size_t i = 0; proto->format >= 0 && i < arguments->count; i++) {
		if (arguments->at[i].param == (size_t)proto->format)
			return &arguments->at[i];
	}
	return NULL;
}

/* A width or precision: the number in the format, or that of an argument. -1 if
 * there is none. */
static int64_t
count_of(const struct argument *described, long number, long argument)
{
	int64_t count = number;

	if (argument >= 0 &&
	    value_integer(&described[argument].value, &count) < 0)
		return -1;
	return count;
}

/* "%.5s" and "%.*s" show at most that many characters, perhaps without a NUL. A
 * negative precision counts as none (printf(3)). A width only pads the text,
 * but ltrace takes it for a limit, too. */
static void
limit_text(const struct fetch *fetch, size_t first,
	   const struct format_argument *described, struct value *value)
{
	const struct argument *at = &fetch->arguments->at[first];
	struct arena *arena = fetch->arguments->arena;
	int64_t precision, width;
	struct lens *lens;
	struct expr *length;

	if (!value->lens || !lens_is_text(value->lens->kind))
		return;
	precision = count_of(at, described->precision,
			     described->precision_argument);
	width = count_of(at, described->width, described->width_argument);
	if (precision < 0 && width <= 0)
		return;
	lens = arena_copy(arena, value->lens, sizeof(*lens));
	if (width > 0)
		lens->width = (uint32_t)width;
	if (precision >= 0) {
		length = arena_zalloc(arena, sizeof(*length));
		length->kind = EXPR_NUMBER;
		length->number = precision;
		lens->length = length;
	}
	value->lens = lens;
}

static void
fetch_described(struct fetch *fetch, const struct format_argument *described,
		size_t count)
{
	struct arguments *arguments = fetch->arguments;
	size_t first = arguments->count;
	struct argument *at =
		arena_alloc(arguments->arena, (first + count) * sizeof(*at));

	arguments->at = memcpy(at, arguments->at, first * sizeof(*at));
	for (size_t i = 0; i < count; i++) {
		at[first + i] = (struct argument){
			.param = SIZE_MAX,
			.when = described[i].conversion > 0 ? PARAM_AT_RETURN
							    : PARAM_AT_ENTRY,
			.conversion = described[i].conversion,
		};
		fetch_value(fetch, described[i].type, &at[first + i].value);
	}
	for (size_t i = 0; i < count; i++)
		limit_text(fetch, first, &described[i], &at[first + i].value);
	arguments->count += count;
}

static void
fetch_varargs(struct fetch *fetch)
{
	const struct argument *format = format_argument(fetch->arguments);
	const struct format_argument *(*read)(const char *, size_t, unsigned,
					      struct arena *, size_t *) =
		format_arguments;
	const struct format_argument *described;
	struct value_chars text;
	size_t count;

	if (!format || value_text(&format->value, FORMAT_MOST, &text) < 0)
		return;
	if (lens_of_kind(format->value.lens, LENS_SCAN))
		read = format_results;
	described = read(text.bytes, text.length, fetch->arguments->word,
			 fetch->arguments->arena, &count);
	if (count > 0)
		fetch_described(fetch, described, count);
}

static unsigned
word_of(const struct arch *arch)
{
	return arch ? arch->word : TYPE_WORD;
}

/* A value that cannot be read. */
static void
value_unknown(struct value *value)
{
	static const struct type type = { .kind = TYPE_INT, .bytes = 8 };

	value_at(value, &type, 0, NULL, NULL);
}

/* Adds one argument in place of all: their number is unknown. */
static void
add_unknown(struct arguments *arguments)
{
	struct argument *argument =
		arena_zalloc(arguments->arena, sizeof(*argument));

	argument->param = SIZE_MAX;
	value_unknown(&argument->value);
	arguments->at = argument;
	arguments->count = 1;
}

struct arguments *
arguments_fetch(const struct proto *proto, struct registers *registers,
		struct capture *capture, struct arena *arena)
{
	struct arguments *arguments = arena_alloc(arena, sizeof(*arguments));
	struct fetch fetch = { .arguments = arguments,
			       .registers = registers,
			       .capture = capture };

	*arguments = (struct arguments){
		.proto = proto,
		.arena = arena,
		.word = word_of(registers->arch),
		.system_call = registers->system_call != NULL,
	};
	if (proto && proto->elsewhere) {
		add_unknown(arguments);
		return arguments;
	}
	proto = proto_of(arguments);
	arguments->at =
		arena_alloc(arena, proto->count * sizeof(*arguments->at));
	if (registers->system_call)
		abi_begin_system_call(&fetch.cursor, registers->arch);
	else
		abi_begin(&fetch.cursor, registers->arch, proto->returns);
	fetch.apart = placed_apart(proto, registers->arch);
	/* A function that does not follow the convention gets the address for
	 * its result in a register, too. */
	if (fetch.apart)
		fetch.cursor.stack = 0;
	else if (!registers->system_call)
		abi_ask(&fetch.cursor, proto);
	fetch_params(&fetch);
	if (proto->format >= 0)
		fetch_varargs(&fetch);
	return arguments;
}

struct arguments *
arguments_unknown(const struct proto *proto, const struct arch *arch,
		  struct arena *arena)
{
	struct arguments *arguments = arena_zalloc(arena, sizeof(*arguments));

	arguments->word = word_of(arch);
	arguments->proto = proto;
	arguments->arena = arena;
	return arguments;
}

/* True if the function has failed. Then it has filled in nothing. */
static bool
has_failed(const struct value *result)
{
	return result && result->lens && result->lens->kind == LENS_ERRNO &&
	       value_is_failure(result);
}

/* If scanf() did not reach an argument, only its address is shown. */
static void
judge_conversion(const struct arguments *arguments,
		 const struct argument *argument, struct value *after)
{
	static const struct lens address = { .kind = LENS_ADDRESS };
	int64_t made;

	if (!arguments->result || value_integer(arguments->result, &made) < 0 ||
	    made < argument->conversion)
		after->lens = &address;
}

/* Combines the registers of the entry with the memory at the return. */
static void
look_again(struct arguments *arguments, struct capture *capture, bool failed)
{
	for (size_t i = 0; i < arguments->count; i++) {
		struct argument *argument = &arguments->at[i];
		struct value *after;

		if (argument->when == PARAM_AT_ENTRY ||
		    (failed && argument->when == PARAM_AT_RETURN))
			continue;
		after = arena_copy(arguments->arena, &argument->value,
				   sizeof(*after));
		after->capture = capture;
		if (argument->conversion > 0)
			judge_conversion(arguments, argument, after);
		argument->after = after;
	}
}

/* The result of a system call is in a register, whatever its type. */
static void
place_result(const struct arguments *arguments, const struct arch *arch,
	     const struct type *type, struct abi_place *ret_place)
{
	struct abi_cursor cursor;

	if (!arguments->system_call) {
		abi_result(arch, type, ret_place);
		return;
	}
	abi_begin_system_call(&cursor, arch);
	abi_next(&cursor, type, ret_place);
}

static const struct value *
fetch_result(const struct arguments *arguments, struct registers *registers,
	     struct capture *capture)
{
	const struct type *type = proto_of(arguments)->returns;
	struct abi_place place;
	struct value *result;
	unsigned char *raw;

	if (proto_of(arguments)->elsewhere) {
		result = arena_alloc(arguments->arena, sizeof(*result));
		value_unknown(result);
		return result;
	}
	if (!type_complete(type))
		return NULL;
	place_result(arguments, registers->arch, type, &place);
	result = arena_alloc(arguments->arena, sizeof(*result));
	value_at(result, type, 0, capture, arguments);
	if (place.in_memory) {
		result->address = abi_result_address(registers);
		return result;
	}
	raw = arena_zalloc(arguments->arena, ABI_REGISTER_BYTES);
	if (abi_load_result(&place, registers, raw) == 0) {
		result->bytes = raw;
		result->room = ABI_REGISTER_BYTES;
	}
	return result;
}

const struct value *
arguments_result(struct arguments *arguments, struct registers *registers,
		 struct capture *capture)
{
	arguments->result = fetch_result(arguments, registers, capture);
	look_again(arguments, capture, has_failed(arguments->result));
	return arguments->result;
}

bool
argument_hidden(const struct argument *argument)
{
	return argument->hidden || value_hidden(&argument->value);
}

size_t
argument_text_most(const struct argument *argument, size_t most)
{
	return argument->path && most < PATH_MAX ? PATH_MAX : most;
}

void
arguments_keep(struct arguments *arguments, size_t string_length,
	       size_t array_length)
{
	static const struct visitor_ops silent = { 0 };
	struct visitor visitor = { .ops = &silent,
				   .array_length = array_length };

	for (size_t i = 0; i < arguments->count; i++) {
		const struct argument *argument = &arguments->at[i];

		visitor.string_length =
			argument_text_most(argument, string_length);
		if (argument->when != PARAM_AT_RETURN &&
		    !argument_hidden(argument))
			visit_value(&visitor, &argument->value);
	}
}

static void
keep_leaves(struct scope *scope, const struct expr *expr)
{
	struct expr_value ignored;

	switch (expr->kind) {
	case EXPR_ARG:
	case EXPR_NAME:
	case EXPR_FIELD:
		if (scope_leaf(&scope->expr, expr, &ignored) < 0)
			return;
		break;
	default:
		if (expr->left)
			keep_leaves(scope, expr->left);
		if (expr->right)
			keep_leaves(scope, expr->right);
	}
}

void
arguments_keep_for(struct arguments *arguments, const struct expr *expr)
{
	struct scope scope;

	scope_init(&scope, arguments, NULL);
	keep_leaves(&scope, expr);
}
