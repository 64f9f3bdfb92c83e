/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calling convention of System V for x86-64 (psABI 3.2.3, "Parameter
 * Passing"). Each eight bytes of a value have a class, merged from the classes
 * of the scalars in them:
 *
 *	class		arguments		results
 *	INTEGER		rdi rsi rdx rcx r8 r9	rax rdx
 *	SSE		xmm0 .. xmm7		xmm0 xmm1
 *	SSE + SSEUP	one of them, whole	xmm0
 *	X87 (+ X87UP)	memory			st0
 *	COMPLEX_X87	memory			st0 st1
 *	MEMORY		memory			where rax points
 *
 * A value larger than two eightbytes is MEMORY. The psABI has exceptions for
 * types of 32 and 64 bytes in one vector register, which conf/ does not have. A
 * value with a misaligned field is MEMORY, too. All of an argument is in
 * registers, or nothing of it. A function whose result is MEMORY gets the
 * address for the result as a hidden first argument.
 *
 * Memory means the stack. The arguments there are in order, each at the next
 * multiple of eight, or of sixteen if it has that alignment. The first is
 * directly above the return address, at a multiple of sixteen.
 *
 * Structs and unions without bytes, which GCC allows and C does not, are not
 * passed at all. Unnamed bit-fields have no class. In the random prototypes of
 * the unit test, GCC and clang agree with this and with each other, except for
 * misaligned parts of a packed struct: clang considers structs, not only
 * scalars, and GCC considers only an array's first element. We consider
 * scalars.
 */
#include "arch/arch.h"
#include "arch/regs.h"
#include "conf/model/expr.h"
#include "conf/model/type.h"
#include "values/abi_parts.h"
#include "values/abi_sysv_i386.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#define WORD 8u
#define IN_REGISTERS (2 * WORD)
#define LONG_BYTES 16u /* bytes of a long double or a _Float128 */
#define ARGUMENT_INTEGERS 6u
#define ARGUMENT_VECTORS 8u
/* bytes from one register to the next in FXSAVE's layout */
#define FXSAVE_BYTES 16u

enum eightbyte {
	EIGHTBYTE_NONE,
	EIGHTBYTE_INTEGER,
	EIGHTBYTE_SSE,
	EIGHTBYTE_SSEUP,
	EIGHTBYTE_X87,
	EIGHTBYTE_X87UP,
	EIGHTBYTE_COMPLEX_X87,
	EIGHTBYTE_MEMORY,
};

/* The most scalars of a value that are classified, because nested unions can
 * have a huge number of them. */
#define SCALARS_MOST 4096u

/* The classes of a value's eightbytes. A large value is MEMORY in the first. */
struct classes {
	enum eightbyte of[2];
};

/* The merging of two classes in psABI 3.2.3, "Classification". */
static enum eightbyte
merge(enum eightbyte a, enum eightbyte b)
{
	if (a == b || b == EIGHTBYTE_NONE)
		return a;
	if (a == EIGHTBYTE_NONE)
		return b;
	if (a == EIGHTBYTE_MEMORY || b == EIGHTBYTE_MEMORY)
		return EIGHTBYTE_MEMORY;
	if (a == EIGHTBYTE_INTEGER || b == EIGHTBYTE_INTEGER)
		return EIGHTBYTE_INTEGER;
	if (a >= EIGHTBYTE_X87 || b >= EIGHTBYTE_X87)
		return EIGHTBYTE_MEMORY;
	return EIGHTBYTE_SSE;
}

/* Gives this class to the bytes from offset on. */
static void
mark(struct classes *classes, size_t offset, size_t bytes, enum eightbyte kind)
{
	size_t last = (offset + bytes - 1) / WORD;

	for (size_t i = offset / WORD; i <= last && i < 2; i++)
		classes->of[i] = merge(classes->of[i], kind);
}

static void
classify_scalar(struct classes *classes, const struct type *type, size_t offset)
{
	enum eightbyte kind = EIGHTBYTE_SSE;

	if (offset % type_align(type) != 0) {
		classes->of[0] = EIGHTBYTE_MEMORY;
		return;
	}
	if (type->kind == TYPE_INT || type->kind == TYPE_POINTER)
		kind = EIGHTBYTE_INTEGER;
	if (type->kind != TYPE_FLOAT || type->bytes < LONG_BYTES) {
		mark(classes, offset, type->bytes, kind);
		return;
	}
	mark(classes, offset, WORD,
	     type->is_quad ? EIGHTBYTE_SSE : EIGHTBYTE_X87);
	mark(classes, offset + WORD, WORD,
	     type->is_quad ? EIGHTBYTE_SSEUP : EIGHTBYTE_X87UP);
}

static struct classes classify_within(const struct type *type, size_t offset,
				      unsigned *left);

/* A nested type is classified alone, and then merged with its neighbours. If a
 * nested union is MEMORY, the whole value becomes MEMORY. */
static void
merge_part(struct classes *classes, const struct type *type, size_t offset,
	   unsigned *left)
{
	struct classes part = classify_within(type, offset, left);

	for (unsigned i = 0; i < 2; i++)
		classes->of[i] = merge(classes->of[i], part.of[i]);
}

static void
merge_array(struct classes *classes, const struct type *type, size_t offset,
	    unsigned *left)
{
	size_t element = type_size(type->to);
	size_t end = offset + type_size(type);

	for (; element > 0 && offset < end; offset += element)
		merge_part(classes, type->to, offset, left);
}

static void
merge_field(struct classes *classes, const struct type_field *field,
	    size_t offset, unsigned *left)
{
	size_t first = 8 * (offset + field->offset) + field->first_bit;
	size_t byte = first / 8;

	if (field->bits == 0)
		merge_part(classes, field->type, offset + field->offset, left);
	else if (field->name)
		mark(classes, byte, (first + field->bits - 1) / 8 - byte + 1,
		     EIGHTBYTE_INTEGER);
}

/* Applies the "post merger cleanup" of psABI 3.2.3. */
static void
clean_up(struct classes *classes)
{
	enum eightbyte *of = classes->of;

	if (of[1] == EIGHTBYTE_MEMORY ||
	    (of[1] == EIGHTBYTE_X87UP && of[0] != EIGHTBYTE_X87))
		of[0] = EIGHTBYTE_MEMORY;
	if (of[1] == EIGHTBYTE_SSEUP && of[0] != EIGHTBYTE_SSE)
		of[1] = EIGHTBYTE_SSE;
}

/* Classifies a type at offset in a value of at most two eightbytes. */
static struct classes
classify_within(const struct type *type, size_t offset, unsigned *left)
{
	struct classes classes = { { EIGHTBYTE_NONE, EIGHTBYTE_NONE } };

	if (type_size(type) == 0 || *left == 0)
		return classes;
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		for (size_t i = 0; i < type->body->count; i++)
			merge_field(&classes, &type->body->fields[i], offset,
				    left);
		break;
	case TYPE_ARRAY:
		merge_array(&classes, type, offset, left);
		break;
	default:
		--*left;
		classify_scalar(&classes, type, offset);
	}
	clean_up(&classes);
	return classes;
}

static struct classes
classify(const struct type *type)
{
	struct classes classes = { { EIGHTBYTE_MEMORY, EIGHTBYTE_NONE } };
	size_t size = type_size(type);
	unsigned left = SCALARS_MOST;

	if (type->kind == TYPE_COMPLEX && size == 2 * LONG_BYTES &&
	    !type->to->is_quad)
		classes.of[0] = EIGHTBYTE_COMPLEX_X87;
	else if (size <= IN_REGISTERS)
		classes = classify_within(type, 0, &left);
	return classes;
}

/* The number of eightbytes of this class. For INTEGER and SSE, this is the
 * number of registers that an argument needs. */
static unsigned
count(const struct classes *classes, enum eightbyte kind)
{
	return (classes->of[0] == kind) + (classes->of[1] == kind);
}

static void
add_part(struct abi_place *place, enum abi_bank bank, unsigned number,
	 size_t offset, size_t bytes)
{
	place->parts[place->count++] = (struct abi_part){
		.bank = (unsigned char)bank,
		.number = (unsigned char)number,
		.offset = (unsigned char)offset,
		.bytes = (unsigned char)bytes,
	};
}

static void
place_in_registers(const struct classes *classes, unsigned integers,
		   unsigned vectors, struct abi_place *place)
{
	bool whole = classes->of[1] == EIGHTBYTE_SSEUP;

	for (unsigned i = 0; i < 2; i++) {
		if (classes->of[i] == EIGHTBYTE_INTEGER)
			add_part(place, ABI_INTEGER, integers++, i * WORD,
				 WORD);
		else if (classes->of[i] == EIGHTBYTE_SSE)
			add_part(place, ABI_VECTOR, vectors++, i * WORD,
				 whole ? 2 * WORD : WORD);
	}
}

static void
place_on_stack(struct abi_cursor *cursor, const struct type *type,
	       struct abi_place *place)
{
	size_t align = type_align(type);

	if (align < WORD)
		align = WORD;
	place->in_memory = true;
	place->stack = type_round_up(cursor->stack, align);
	cursor->stack = place->stack + type_round_up(type_size(type), WORD);
}

static void
begin(struct abi_cursor *cursor, bool hidden)
{
	cursor->integers = hidden;
}

/* True for most arguments: they use one general register. */
static bool
is_word(const struct type *type)
{
	return type->kind == TYPE_POINTER ||
	       (type->kind == TYPE_INT && type->bytes <= WORD);
}

static void
next(struct abi_cursor *cursor, const struct type *type,
     struct abi_place *ret_place)
{
	struct classes classes;
	unsigned integers, vectors;

	if (is_word(type) && cursor->integers < ARGUMENT_INTEGERS) {
		add_part(ret_place, ABI_INTEGER, cursor->integers++, 0, WORD);
		return;
	}
	if (type_size(type) == 0)
		return;
	classes = classify(type);
	integers = count(&classes, EIGHTBYTE_INTEGER);
	vectors = count(&classes, EIGHTBYTE_SSE);
	if (classes.of[0] > EIGHTBYTE_SSEUP ||
	    classes.of[1] > EIGHTBYTE_SSEUP ||
	    cursor->integers + integers > ARGUMENT_INTEGERS ||
	    cursor->vectors + vectors > ARGUMENT_VECTORS) {
		place_on_stack(cursor, type, ret_place);
		return;
	}
	place_in_registers(&classes, cursor->integers, cursor->vectors,
			   ret_place);
	cursor->integers += integers;
	cursor->vectors += vectors;
}

static void
result_place(const struct type *type, struct abi_place *ret_place)
{
	struct classes classes;

	if (is_word(type)) {
		add_part(ret_place, ABI_INTEGER, 0, 0, WORD);
		return;
	}
	if (type_size(type) == 0)
		return;
	classes = classify(type);
	switch (classes.of[0]) {
	case EIGHTBYTE_MEMORY:
		ret_place->in_memory = true;
		break;
	case EIGHTBYTE_COMPLEX_X87:
		add_part(ret_place, ABI_X87, 0, 0, LONG_BYTES);
		add_part(ret_place, ABI_X87, 1, LONG_BYTES, LONG_BYTES);
		break;
	case EIGHTBYTE_X87:
		add_part(ret_place, ABI_X87, 0, 0, LONG_BYTES);
		break;
	default:
		place_in_registers(&classes, 0, 0, ret_place);
	}
}

/* A general register by its number in the order of arguments; or, after the
 * call, in the order of results. */
static uint64_t
general_register(const struct registers *registers, unsigned number,
		 bool result)
{
	const struct user_regs_struct *r = &registers->regs->gpr;
	const uint64_t arguments[ARGUMENT_INTEGERS] = {
		r->rdi, r->rsi, r->rdx, r->rcx, r->r8, r->r9,
	};

	if (!result)
		return arguments[number];
	return number == 0 ? r->rax : r->rdx;
}

static addr_t
result_address(const struct registers *registers)
{
	return registers->regs->gpr.rax;
}

static const struct abi abi_sysv_x86_64 = {
	.result = result_place,
	.begin = begin,
	.next = next,
	.integer = general_register,
	.word = WORD,
	.result_address = result_address,
};

const struct abi *
abi_of(const struct arch *arch)
{
	return arch && arch->word == abi_sysv_i386.word ? &abi_sysv_i386
							: &abi_sysv_x86_64;
}

/* Stores a number of an x87 register in the format of its type. */
static void
store_number(const char *from, unsigned bytes, char *to)
{
	long double number;
	double in_double;
	float in_float;

	memcpy(&number, from, sizeof(number));
	in_double = (double)number;
	in_float = (float)number;
	if (bytes == sizeof(in_float))
		memcpy(to, &in_float, sizeof(in_float));
	else if (bytes == sizeof(in_double))
		memcpy(to, &in_double, sizeof(in_double));
	else
		memcpy(to, from, bytes);
}

int
abi_load_wide(const struct abi_part *part, struct registers *registers,
	      char *to)
{
	const struct vregs *vregs = registers->vregs(registers);
	size_t at = part->number * FXSAVE_BYTES;

	if (!vregs)
		return -EFAULT;
	if (part->bank == ABI_X87)
		store_number((const char *)vregs->fxsave.st_space + at,
			     part->bytes, to);
	else
		memcpy(to, (const char *)vregs->fxsave.xmm_space + at,
		       part->bytes);
	return 0;
}
