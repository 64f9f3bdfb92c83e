/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The size in front of an operand is the same on all CPUs: "N@OPERAND", where N
 * is -8, -4, -2, -1, 1, 2, 4 or 8, negative for signed values, with an f behind
 * it for floating-point numbers. Old notes have no size; then the value is as
 * large as a register. What follows the size depends on the CPU, and is read by
 * operand() of struct arch.
 */
#include "arch/operand.h"

#include "arch/arch.h"

#include <errno.h>
#include <string.h>

/* Takes the size, if there is one. Returns the number of characters, or
 * -EINVAL. */
static int
take_size(const struct arch *arch, const char *text, size_t length,
	  struct operand *operand)
{
	const char *at = memchr(text, '@', length), *digit = text;

	operand->bytes = arch->word;
	if (!at)
		return 0;
	operand->is_signed = *digit == '-';
	digit += operand->is_signed;
	if (!strchr("1248", *digit))
		return -EINVAL;
	operand->bytes = (unsigned char)(*digit - '0');
	digit++;
	operand->real = *digit == 'f' && operand->bytes >= 4;
	digit += operand->real;
	return digit == at ? (int)(at + 1 - text) : -EINVAL;
}

int
operand_next(const struct arch *arch, const char **text,
	     struct operand *ret_operand)
{
	const char *from = *text + strspn(*text, " \t");
	size_t length = strcspn(from, " \t");
	int size;

	*text = from + length;
	if (!length)
		return 0;
	*ret_operand = (struct operand){
		.base = OPERAND_NOTHING,
		.index = OPERAND_NOTHING,
		.scale = 1,
	};
	size = take_size(arch, from, length, ret_operand);
	if (size < 0)
		return size;
	from += size;
	length -= (size_t)size;
	return arch->operand(from, length, ret_operand) < 0 ? -EINVAL : 1;
}
