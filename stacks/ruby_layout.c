/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The offsets were computed from the structures of each version, and tested
 * with 2.7, 3.1, 3.3 and 3.4. Every walk checks the row: a thread must point to
 * its VM, and its execution context must point back to the thread.
 */
#include "stacks/ruby_layout.h"

#include <stdio.h>

static const struct ruby_layout rows[] = {
	{
		.version = 0x0207,
		.vm_list = 312,
		.ractor_node = RUBY_NONE,
		.thread_vm = 24,
		.thread_ec = 32,
		.thread_id = 72,
		.ec_thread = 56,
		.frame_size = 56,
		.insns = 120,
		.insns_count = 136,
		.insns_index = 144,
		.insn_size = 8,
		.local_iseq = 176,
		.string_embedded = 16,
		.last_operator = 168,
	},
	{
		.version = 0x0300,
		.vm_list = 8,
		.ractor_node = 568,
		.ractor_threads = 304,
		.thread_vm = 32,
		.thread_ec = 40,
		.thread_id = 80,
		.ec_thread = 56,
		.frame_size = 56,
		.insns = 120,
		.insns_count = 136,
		.insns_index = 144,
		.insn_size = 8,
		.local_iseq = 176,
		.string_embedded = 16,
		.last_operator = 168,
	},
	{
		.version = 0x0301,
		.vm_list = 8,
		.ractor_node = 568,
		.ractor_threads = 304,
		.thread_vm = 32,
		.thread_ec = 40,
		.thread_id = 80,
		.ec_thread = 48,
		.frame_size = 64,
		.insns = 120,
		.insns_count = 136,
		.insns_index = 144,
		.insn_size = 12,
		.local_iseq = 176,
		.string_embedded = 16,
		.last_operator = 169,
		.heap_flags = 0x10,
		.heap_range = 0x120,
		.heap_count = 0x1b8,
		.ractor_holder = 336,
		.ractor_waiting = 384,
		.thread_ractor = 24,
		.thread_waiting = 0x68,
	},
	{
		.version = 0x0302,
		.vm_list = 8,
		.ractor_node = 568,
		.ractor_threads = 304,
		.thread_vm = 32,
		.thread_ec = 48,
		.thread_id = RUBY_NONE,
		.thread_native = 40,
		.native_id = 8,
		.ec_thread = 48,
		.frame_size = 64,
		.insns = 112,
		.insns_count = 128,
		.insns_index = 136,
		.insn_size = 12,
		.local_iseq = 168,
		.string_embedded = 24,
		.last_operator = 169,
	},
	{
		.version = 0x0303,
		.vm_list = 8,
		.ractor_node = 432,
		.ractor_threads = 256,
		.thread_vm = 32,
		.thread_ec = 48,
		.thread_id = RUBY_NONE,
		.thread_native = 40,
		.native_id = 16,
		.ec_thread = 48,
		.frame_size = 56,
		.insns = 112,
		.insns_count = 128,
		.insns_index = 136,
		.insn_size = 12,
		.local_iseq = 168,
		.string_embedded = 24,
		.last_operator = 169,
	},
	{
		.version = 0x0304,
		.vm_list = 8,
		.ractor_node = 432,
		.ractor_threads = 256,
		.thread_vm = 32,
		.thread_ec = 48,
		.thread_id = RUBY_NONE,
		.thread_native = 40,
		.native_id = 16,
		.ec_thread = 48,
		.frame_size = 56,
		.insns = 112,
		.insns_count = 128,
		.insns_index = 136,
		.insn_size = 12,
		.local_iseq = 168,
		.string_embedded = 24,
		.last_operator = 170,
		.class_path = 152,
		.class_attached = 128,
	},
	{
		.version = 0x0400,
		.vm_list = 8,
		.ractor_node = 360,
		.ractor_threads = 184,
		.thread_vm = 32,
		.thread_ec = 48,
		.thread_id = RUBY_NONE,
		.thread_native = 40,
		.native_id = 16,
		.ec_thread = 48,
		.frame_size = 56,
		.insns = 112,
		.insns_count = 128,
		.insns_index = 136,
		.insn_size = 12,
		.local_iseq = 176,
		.string_embedded = 24,
		.last_operator = 170,
		.class_path = 152,
		.class_attached = 136,
	},
	{
		.version = 0x0400, /* for a later release of 4.0 */
		.vm_list = 8,
		.ractor_node = 368,
		.ractor_threads = 184,
		.thread_vm = 32,
		.thread_ec = 48,
		.thread_id = RUBY_NONE,
		.thread_native = 40,
		.native_id = 16,
		.ec_thread = 48,
		.frame_size = 56,
		.insns = 112,
		.insns_count = 128,
		.insns_index = 136,
		.insn_size = 12,
		.local_iseq = 176,
		.string_embedded = 24,
		.last_operator = 170,
		.class_path = 152,
		.class_attached = 136,
	},
};

const struct ruby_layout *
ruby_layout_of(unsigned version, size_t nth)
{
	for (size_t i = 0; i < array_size(rows); i++) {
		if (rows[i].version == version && nth-- == 0)
			return &rows[i];
	}
	return NULL;
}

unsigned
ruby_version_at(struct reader *memory, addr_t at)
{
	unsigned major, minor;
	char text[16];

	if (!at || reader_cstr(memory, at, text, sizeof(text), NULL) < 0 ||
	    sscanf(text, "%3u.%3u", &major, &minor) != 2)
		return 0;
	return major << 8 | (minor & 0xff);
}
