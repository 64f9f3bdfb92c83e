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

/* The pointer to the virtual machine is not exported since 3.3. */
void
ruby_places_find(struct ruby_places *places, struct binary *binary,
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

void
ruby_places_release(struct ruby_places *places)
{
	vec_release(&places->machines);
}
