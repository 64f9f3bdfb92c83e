/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a function of Ruby's says by its machine code. */
#ifndef STACKS_RUBY_X86_64_H
#define STACKS_RUBY_X86_64_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

/* The nth address, from 0, of data that the function at code names among its
 * first instructions; 0 when there are no more. */
addr_t ruby_data_address(struct reader *memory, addr_t code, size_t nth);

#endif
