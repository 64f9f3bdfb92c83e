/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The offsets of fields in Ruby's structures, by version: they do not change
 * between the releases of 2.7, 3.0 and so on, with one exception that has two
 * rows. */
#ifndef STACKS_RUBY_LAYOUT_H
#define STACKS_RUBY_LAYOUT_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RUBY_NONE UINT16_MAX

struct ruby_layout {
	unsigned version; /* 0x0301 for 3.1 */
	/* The lists of ractors (to 2.7: of threads) and of a ractor's threads,
	 * and the offset of the node in a ractor. */
	uint16_t vm_list, ractor_node, ractor_threads;
	/*
	 * Offsets in a thread: of its id, or of its native thread, which has
	 * the id.
	 */
	uint16_t thread_vm, thread_ec, thread_id, thread_native, native_id;
	uint16_t ec_thread;
	uint16_t frame_size;
	/* Offsets in the body of an instruction sequence. */
	uint16_t insns, insns_count, insns_index, insn_size, local_iseq;
	uint16_t string_embedded; /* bytes of a short string */
	uint16_t last_operator;	  /* tLAST_OP_ID */
	/* Offsets in a class from 3.4 on: of its name; and in a singleton
	 * class, of its object. */
	uint16_t class_path, class_attached;
	/*
	 * In the heap (objspace): its flags, the range of addresses of its
	 * pages, and the number of collections. In a ractor:
	 * which thread holds the lock (GVL), and the list of threads that wait
	 * for it; in a thread: its ractor, and the node of that list. 0 if they
	 * are not known for the version.
	 */
	uint16_t heap_flags, heap_range, heap_count;
	uint16_t ractor_holder, ractor_waiting, thread_ractor, thread_waiting;
};

/* The nth layout of that version, or NULL. A version whose layout changed
 * between its releases has two. */
const struct ruby_layout *ruby_layout_of(unsigned version, size_t nth);

/* The version in the text at that address, "3.1.2": 0x0301; or 0. */
unsigned ruby_version_at(struct reader *memory, addr_t at);

#endif
