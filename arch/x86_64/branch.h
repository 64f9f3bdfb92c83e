/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches in a stretch of code, looked for without knowing where its
 * instructions begin. */
#ifndef ARCH_X86_64_BRANCH_H
#define ARCH_X86_64_BRANCH_H

#include "base/addr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * May one of the `have` bytes that stand at address `at` be in a jump to
 * target that says where it goes itself? True also for bytes that only look
 * so; false only where there is none.
 */
bool branch_goes_to(const uint8_t *bytes, size_t have, addr_t at,
		    addr_t target);

#endif
