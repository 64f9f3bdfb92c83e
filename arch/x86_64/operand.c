/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Operands in the syntax of AT&T:
 *
 *	$-1			a constant
 *	%eax %r9w %ah %xmm0	a register, or a part of one
 *	-24(%rbp)		memory
 *	16(%rax,%rcx,8)
 *	sym+8(%rip) 8+sym(%rip) memory of the module; so is sym without (%rip)
 *	%fs:-8 %fs:(%rax)	memory of the thread; i386 has %gs
 *
 * Displacements are sums of numbers and at most one symbol.
 */
#include "arch/x86_64/operand.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The names of general registers and of their parts, by DWARF's numbers (SysV
 * x86-64 psABI, figure 3.36). */
static const struct {
	const char *whole, *half, *word, *byte, *second;
} registers[] = {
	{ "rax", "eax", "ax", "al", "ah" }, { "rdx", "edx", "dx", "dl", "dh" },
	{ "rcx", "ecx", "cx", "cl", "ch" }, { "rbx", "ebx", "bx", "bl", "bh" },
	{ "rsi", "esi", "si", "sil", "" },  { "rdi", "edi", "di", "dil", "" },
	{ "rbp", "ebp", "bp", "bpl", "" },  { "rsp", "esp", "sp", "spl", "" },
};

#define VECTORS 16u
#define NARROW_VECTORS 8u
#define NUMBERED_FIRST 8u
#define NUMBERED_LAST 15u

/* The text that is still to be read. */
struct operand_text {
	const char *at, *end;
	bool narrow; /* the operand is of an i386 program */
};

static bool
accept(struct operand_text *piece, const char *text)
{
	size_t length = strlen(text);

	if ((size_t)(piece->end - piece->at) < length ||
	    memcmp(piece->at, text, length) != 0)
		return false;
	piece->at += length;
	return true;
}

static bool
in_set(const struct operand_text *piece, const char *characters)
{
	return piece->at < piece->end && *piece->at &&
	       strchr(characters, *piece->at);
}

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
/* glibc's and the compilers' local symbols have dots, versions have @. */
#define SYMBOL LETTERS DIGITS ".$@"

static bool
take_number(struct operand_text *piece, uint64_t *ret_number)
{
	uint64_t number = 0;
	unsigned base = accept(piece, "0x") ? 16 : 10;
	const char *start = piece->at;

	while (in_set(piece, base == 16 ? DIGITS "abcdefABCDEF" : DIGITS)) {
		char c = *piece->at++;
		unsigned digit = c <= '9' ? (unsigned)(c - '0')
					  : ((unsigned)c | 32u) - 'a' + 10;

		if (number > (UINT64_MAX - digit) / base)
			return false;
		number = number * base + digit;
	}
	*ret_number = number;
	return piece->at > start;
}

static bool
take_word(struct operand_text *piece, const char *characters,
	  const char **ret_word, size_t *ret_length)
{
	*ret_word = piece->at;
	while (in_set(piece, characters))
		piece->at++;
	*ret_length = (size_t)(piece->at - *ret_word);
	return *ret_length > 0;
}

/* A sum of numbers, and of at most one symbol. */
static bool
take_sum(struct operand_text *piece, struct operand *operand)
{
	bool first = true;

	while (in_set(piece, "+-") || first) {
		bool minus = accept(piece, "-");
		uint64_t number;

		if (!minus && !accept(piece, "+") && !first)
			return false;
		first = false;
		if (in_set(piece, DIGITS)) {
			if (!take_number(piece, &number))
				return false;
			operand->number = (int64_t)((uint64_t)operand->number +
						    (minus ? -number : number));
		} else if (minus || operand->symbol || !in_set(piece, SYMBOL) ||
			   !take_word(piece, SYMBOL, &operand->symbol,
				      &operand->symbol_length)) {
			return false;
		}
	}
	return true;
}

/* "%r9d" behind the percent sign. bytes and shift: the part of the register. */
static bool
find_register(const char *name, size_t length, unsigned *ret_number,
	      unsigned *ret_shift)
{
	char text[8] = "";
	char *end;
	unsigned long number;

	*ret_shift = 0;
	if (length >= sizeof(text))
		return false;
	memcpy(text, name, length);
	for (unsigned i = 0; i < array_size(registers); i++) {
		*ret_number = i;
		*ret_shift = strcmp(text, registers[i].second) ? 0 : 8;
		if (!strcmp(text, registers[i].whole) ||
		    !strcmp(text, registers[i].half) ||
		    !strcmp(text, registers[i].word) ||
		    !strcmp(text, registers[i].byte) || *ret_shift)
			return true;
	}
	if (text[0] != 'r' || text[1] < '1' || text[1] > '9')
		return false;
	number = strtoul(text + 1, &end, 10);
	*ret_number = (unsigned)number;
	return number >= NUMBERED_FIRST && number <= NUMBERED_LAST &&
	       (!*end || (strchr("bwdl", *end) && !end[1]));
}

/* i386 has other numbers: eax ecx edx ebx esp ebp esi edi (i386 psABI, table
 * 2.14), and no parts of the last four that are a byte. */
static bool
find_narrow_register(const char *name, size_t length, unsigned *ret_number,
		     unsigned *ret_shift)
{
	static const unsigned numbers[] = { 0, 2, 1, 3, 6, 7, 5, 4 };
	unsigned number;

	if (name[0] == 'r' || (length == 3 && name[2] == 'l') ||
	    !find_register(name, length, &number, ret_shift))
		return false;
	*ret_number = numbers[number];
	return true;
}

static bool
take_register(struct operand_text *piece, struct operand *operand)
{
	const char *name;
	size_t length;
	unsigned number = 0;

	if (!take_word(piece, LETTERS DIGITS, &name, &length))
		return false;
	if (length >= 4 && length <= 5 && !memcmp(name, "xmm", 3)) {
		for (size_t i = 3; i < length; i++)
			number = number * 10 + (unsigned)(name[i] - '0');
		operand->kind = OPERAND_VECTOR;
		operand->base = number;
		return number < (piece->narrow ? NARROW_VECTORS : VECTORS);
	}
	operand->kind = OPERAND_REGISTER;
	return (piece->narrow ? find_narrow_register
			      : find_register)(name, length, &operand->base,
					       &operand->shift);
}

/* A register in an address, which must be a whole register and not a part of
 * one. */
static bool
take_address_register(struct operand_text *piece, unsigned *ret_number)
{
	const char *name;
	size_t length;
	unsigned shift;

	if (!accept(piece, "%") ||
	    !take_word(piece, LETTERS DIGITS, &name, &length))
		return false;
	if (piece->narrow)
		return name[0] == 'e' &&
		       find_narrow_register(name, length, ret_number, &shift);
	return name[0] == 'r' && !strchr("bwdl", name[length - 1]) &&
	       find_register(name, length, ret_number, &shift);
}

static bool
take_index(struct operand_text *piece, struct operand *operand)
{
	uint64_t scale;

	if (!take_address_register(piece, &operand->index))
		return false;
	if (!accept(piece, ","))
		return true;
	if (!take_number(piece, &scale) ||
	    (scale != 1 && scale != 2 && scale != 4 && scale != 8))
		return false;
	operand->scale = (unsigned)scale;
	return true;
}

/* "(%rax,%rcx,8)". Relative to the pc means relative to a symbol. */
static bool
take_base(struct operand_text *piece, struct operand *operand)
{
	if (!piece->narrow && accept(piece, "%rip)"))
		return operand->symbol != NULL;
	if (in_set(piece, "%") && !take_address_register(piece, &operand->base))
		return false;
	if (accept(piece, ",") && !take_index(piece, operand))
		return false;
	return accept(piece, ")") && (operand->base != OPERAND_NOTHING ||
				      operand->index != OPERAND_NOTHING);
}

static bool
take_memory(struct operand_text *piece, struct operand *operand)
{
	operand->kind = OPERAND_MEMORY;
	if (!in_set(piece, "(") && !take_sum(piece, operand))
		return false;
	return !accept(piece, "(") || take_base(piece, operand);
}

static int
read_operand(struct operand_text piece, struct operand *operand)
{
	bool valid;

	if (accept(&piece, "$")) {
		operand->kind = OPERAND_CONSTANT;
		valid = take_sum(&piece, operand);
	} else if (accept(&piece, piece.narrow ? "%gs:" : "%fs:")) {
		operand->of_thread = true;
		valid = take_memory(&piece, operand) && !operand->symbol;
	} else if (accept(&piece, "%")) {
		valid = take_register(&piece, operand);
	} else {
		valid = take_memory(&piece, operand);
	}
	return valid && piece.at == piece.end ? 0 : -EINVAL;
}

int
x86_64_operand(const char *text, size_t length, struct operand *operand)
{
	return read_operand((struct operand_text){ text, text + length, false },
			    operand);
}

int
i386_operand(const char *text, size_t length, struct operand *operand)
{
	return read_operand((struct operand_text){ text, text + length, true },
			    operand);
}
