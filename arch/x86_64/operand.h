/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef ARCH_X86_64_OPERAND_H
#define ARCH_X86_64_OPERAND_H

#include "arch/operand.h"

/* Reads an operand as struct arch says. */
must_check int x86_64_operand(const char *text, size_t length,
			      struct operand *operand);
/* As x86_64_operand(), for the notes of i386 files. */
must_check int i386_operand(const char *text, size_t length,
			    struct operand *operand);

#endif
