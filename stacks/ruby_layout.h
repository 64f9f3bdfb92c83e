/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where Ruby's structures have their fields, by version: constant from the
 * first to the last release of 2.7, 3.0 and so on. */
#ifndef STACKS_RUBY_LAYOUT_H
#define STACKS_RUBY_LAYOUT_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUBY_NONE UINT16_MAX

struct ruby_layout {
	unsigned version; /* 0x0301 for 3.1 */
	/* The lists of ractors, or to 2.7 of threads, and of a ractor's
	 * threads; where a ractor is in the former. */
	uint16_t vm_list, ractor_node, ractor_threads;
	/* Of a thread: its id, or the native thread that has it. */
	uint16_t thread_vm, thread_ec, thread_id, thread_native, native_id;
	uint16_t ec_thread;
	uint16_t frame_size;
	/* Of an instruction sequence's body. */
	uint16_t insns, insns_count, insns_index, insn_size, local_iseq;
	uint16_t string_embedded; /* bytes of a short string */
	uint16_t last_operator;	  /* tLAST_OP_ID */
	/* Of a class, from 3.4: its name; of a singleton: whose it is. */
	uint16_t class_path, class_attached;
};

/* The nth layout of that version, or NULL: where one was changed in the
 * middle, there are two. */
const struct ruby_layout *ruby_layout_of(unsigned version, size_t nth);

#endif
