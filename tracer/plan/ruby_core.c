/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Ruby makes FrozenCore as a class, names it, and then gives it the type of an
 * included module (vm.c, Init_VM). A garbage collection does not mark the
 * variables of an object of this type (gc.c, gc_mark_children), and no other
 * place refers to the string of the name. So the string is freed, and its
 * memory is used for other objects. A probe of a method in C asks for the name
 * of the method's class (vm.c, rb_dtrace_setup). For FrozenCore, it then takes
 * one of these other objects for the string.
 *
 * xtrace writes the value nil over the reference. For a class without a name
 * Ruby makes up a new string with the class's address (variable.c,
 * make_temporary_path). Nothing is written back when xtrace leaves: the program
 * keeps nil instead of a reference to memory that was freed.
 *
 * This is done for Ruby 3.1, whose layout is known (heaps/ruby_class).
 */
#include "tracer/plan/ruby_core.h"

#include "base/log.h"
#include "heaps/ruby_class.h"
#include "process/space.h"
#include "stacks/ruby_layout.h"
#include "symbols/sdt.h"
#include "symbols/symtab.h"
#include "tracer/plan/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define VERSION 0x0301
#define NIL UINT64_C(8) /* Qnil (special_consts.h) */

static addr_t
variable(const struct module *module, const char *name)
{
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, name);

	return symbol ? module->bias + symbol->address : 0;
}

void
ruby_core_locate(const struct program *program, const struct module *module,
		 const struct sdt *sdt, struct sdt_point *point)
{
	addr_t version;

	if (strcmp(sdt->provider, "ruby") != 0)
		return;
	version = variable(module, "ruby_version");
	if (!version ||
	    ruby_version_at(program_memory(program), version) != VERSION)
		return;
	point->core = variable(module, "rb_mRubyVMFrozenCore");
	point->object_class = variable(module, "rb_cObject");
}

void
ruby_core_mend(struct program *program, const struct sdt_point *point)
{
	struct reader *memory = program_memory(program);
	struct ruby_classes classes;
	const uint64_t nil = NIL;
	addr_t core, object, at = 0;

	if (!point->core || program->planned->ruby_core ||
	    reader_u64(memory, point->core, &core) < 0 || !core)
		return;
	program->planned->ruby_core = core;
	if (reader_u64(memory, point->object_class, &object) == 0 &&
	    ruby_classes_init(&classes, memory, object) == 0)
		at = ruby_class_name_at(&classes, core);
	if (!at || space_write(program->space, at, &nil, sizeof(nil)) < 0)
		debug("%d: FrozenCore keeps its name", program->space->pid);
}

const char *
ruby_core_class(const struct program *program, const char *name)
{
	char made_up[64];

	if (!program->planned->ruby_core || name[0] != '#')
		return name;
	snprintf(made_up, sizeof(made_up), "#<Class:0x%016" PRIx64 ">",
		 program->planned->ruby_core);
	return strcmp(name, made_up) == 0 ? "RubyVM::FrozenCore" : name;
}
