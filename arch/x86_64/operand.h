/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ARCH_X86_64_OPERAND_H
#define ARCH_X86_64_OPERAND_H

#include "arch/operand.h"

/* operand() of struct arch for x86-64. */
must_check int x86_64_operand(const char *text, size_t length,
			      struct operand *operand);
/* operand() of struct arch for i386. */
must_check int i386_operand(const char *text, size_t length,
			    struct operand *operand);

#endif
