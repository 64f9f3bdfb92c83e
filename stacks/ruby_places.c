/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A variable that is not exported has no symbol in a stripped file, but
 * functions that are exported refer to it. All data that such a function refers
 * to near its beginning are candidates, because its code alone does not tell
 * which of them is the variable.
 */
#include "stacks/ruby_places.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "base/attr.h"
#include "stacks/ruby_names.h"

/* Candidates for the pointer to the virtual machine: it is not exported since
 * 3.3, but exported functions refer to it. */
static void
find_machines(struct ruby_places *places, struct binary *binary,
	      struct reader *memory)
{
	static const char *const knowing[] = { "ruby_vm_at_exit",
					       "rb_gc_count" };
	addr_t known = binary_symbol(binary, "ruby_current_vm_ptr"), data;

	if (known) {
		vec_push(&places->machines, known);
		return;
	}
	for (size_t i = 0; i < array_size(knowing); i++) {
		addr_t code = binary_symbol(binary, knowing[i]);

		for (size_t k = 0;
		     code &&
		     (data = binary->arch->code->data_address(memory, code, k));
		     k++)
			vec_push(&places->machines, data);
	}
}

/* Candidates for the table of symbols. It is a local symbol; a function that
 * walks the table refers to its second member, .str, near its beginning. */
static void
find_tables(struct ruby_names *names, struct binary *binary,
	    struct reader *memory)
{
	addr_t known = binary_symbol(binary, "ruby_global_symbols"), data;
	addr_t code = binary_symbol(binary, "rb_sym_all_symbols");

	if (known)
		vec_push(&names->candidates, known);
	for (size_t i = 0;
	     (data = binary->arch->code->data_address(memory, code, i)); i++)
		vec_push(&names->candidates, data - 8);
}

void
ruby_places_find(struct ruby_places *places, struct ruby_names *names,
		 struct binary *binary, struct reader *memory)
{
	find_machines(places, binary, memory);
	find_tables(names, binary, memory);
}

void
ruby_places_release(struct ruby_places *places)
{
	vec_release(&places->machines);
}
