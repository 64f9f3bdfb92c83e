/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Code is bytes that are read as instructions, wherever they are kept. */
#ifndef ARCH_CODE_H
#define ARCH_CODE_H

#include "base/addr.h"

#include <stddef.h>
#include <stdint.h>

/* `length` bytes that are, or would be, at address `at` of a space. */
struct code {
	const uint8_t *bytes;
	size_t length;
	addr_t at;
};

#endif
