/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files that include capstone share. */
#ifndef ARCH_X86_64_INSN_PARTS_H
#define ARCH_X86_64_INSN_PARTS_H

#include "base/addr.h"

#include <capstone/capstone.h>
#include <stddef.h>
#include <stdint.h>

/* The instruction as capstone decodes it, valid until the next call; or
 * NULL. */
const cs_insn *insn_disassemble(const uint8_t *bytes, size_t have, addr_t at);
/* The handle that the calling thread last used to disassemble. */
csh insn_handle(void);

#endif
