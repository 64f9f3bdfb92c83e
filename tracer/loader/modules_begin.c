/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How following the loader begins. At an exec it begins with the program and
 * its loader, before either has run; at an attach with what is loaded now. If
 * ld.so itself was run as the program (AT_BASE is 0), the program will be the
 * first entry of the list.
 */
#include "tracer/loader/links.h"
#include "tracer/loader/locate.h"
#include "tracer/loader/modules.h"
#include "tracer/loader/rbrk.h"
#include "tracer/loader/scratch.h"
#include "tracer/plan/plan.h"

#include "process/auxv.h"
#include "symbols/symtab.h"

#include <errno.h>

static addr_t
brk_of_file(const struct module *ld)
{
	addr_t brk = rbrk_symbol(ld, "_dl_debug_state");

	return brk ? brk : rbrk_symbol(ld, "r_debug_state");
}

static int
begin_loader(struct program *program, struct module *ld, struct thread *thread)
{
	addr_t brk = brk_of_file(ld);

	ld->loader = true;
	return brk ? rbrk_plant(program, brk, thread) : 0;
}

/* Adds the program itself, found by the address of its headers. */
static struct module *
begin_main(struct program *program, const struct auxv *auxv)
{
	struct image *image;
	struct module *module;
	addr_t bias;

	if (locate_image(program, auxv->phdr, &image) < 0)
		return NULL;
	bias = image_type(image) == IMAGE_FIXED
		       ? 0
		       : auxv->entry - image_entry(image);
	module = links_add_module(program, image, bias);
	module->main = true;
	if (image_dynamic(image))
		module->dynamic = bias + image_dynamic(image);
	return module;
}

static struct module *
begin_interpreter(struct program *program, const struct auxv *auxv)
{
	struct image *image;
	struct module *module;

	if (!auxv->base || locate_image(program, auxv->base, &image) < 0)
		return NULL;
	module = links_add_module(program, image, auxv->base);
	module->dynamic = auxv->base + image_dynamic(image);
	return module;
}

/* Is the program, which has no loader, the loader itself? If not, the program
 * is static, and no module will be added. */
static bool
is_loader_itself(const struct module *module)
{
	return !image_interpreter(module->image) && module->dynamic &&
	       image_soname(module->image) &&
	       symtab_find(module->image, SYMTAB_DYNAMIC, "_r_debug");
}

static addr_t
take_address(addr_t *from)
{
	addr_t address = *from;

	*from = 0;
	return address;
}

/* Adds the program and its loader, which the kernel has mapped, before the
 * loader's list is read. */
static int
attach_main(struct program *program, struct module **ret_main,
	    struct module **ret_ld)
{
	struct module *main, *ld;
	struct auxv auxv;

	if (auxv_read(program->space->pid, program_word(program), &auxv) < 0)
		return -ESRCH;
	/* The process is inside its exec. Its exec event will follow, and the
	 * program begins then. */
	if (!auxv.phdr && !auxv.entry)
		return -ESRCH;
	main = begin_main(program, &auxv);
	ld = begin_interpreter(program, &auxv);
	scratch_find(program, auxv.vdso);
	if (main && !ld && is_loader_itself(main)) {
		main->main = false;
		main->loader = true;
		ld = main;
		main = NULL;
	} else if (ld) {
		ld->loader = true;
	}
	rbrk_find(program);
	program->loader.absent = main && !ld;
	*ret_main = main;
	*ret_ld = ld;
	return 0;
}

/*
 * Before glibc 2.41, the loader tells of a new module before it relocates the
 * module. If the module itself does not show that it is relocated, it is taken
 * for relocated at the second look.
 */
static void
note_relocated(struct program *program, const struct walk *walk)
{
	const struct modmap *map = &program->modules;

	for (size_t i = 0; i < map->modules.count; i++) {
		struct module *module = map->modules.at[i];
		bool fresh = false;
		addr_t at, value;

		for (size_t f = 0; f < walk->fresh.count; f++)
			fresh |= walk->fresh.at[f] == module;
		if (image_relocated_word(module->image, &at, &value))
			module->relocated =
				module->relocated ||
				modules_relocated_yet(program, module);
		else if (!fresh)
			module->relocated = true;
	}
}

int
modules_look_again(struct program *program)
{
	struct walk walk = { .program = program };
	struct r_debug_view view;
	int r;

	rbrk_find(program);
	if (!program->loader.r_debug)
		return 0;
	r = linkmap_r_debug(program_memory(program), program_word(program),
			    program->loader.r_debug, &view);
	program->loader.whole_list = true;
	if (r == 0)
		r = links_read(&walk, &view);
	if (r != -ESRCH)
		note_relocated(program, &walk);
	vec_release(&walk.fresh);
	return r == -EFAULT ? 0 : r;
}

/* Adds the program and its loader when the program has just begun, if no trap
 * is planted to follow the loader. */
static int
look_at_begin(struct program *program)
{
	struct walk walk = { .program = program };
	struct module *main, *ld;
	int r = attach_main(program, &main, &ld);

	program->loader.consistent = true;
	note_relocated(program, &walk);
	return r;
}

int
modules_look(struct program *program)
{
	struct walk walk = { .program = program };
	struct module *main, *ld;
	struct r_debug_view view;
	int r = attach_main(program, &main, &ld);

	if (r == 0 && program->loader.r_debug)
		r = linkmap_r_debug(program_memory(program),
				    program_word(program),
				    program->loader.r_debug, &view);
	if (r == 0 && program->loader.r_debug)
		r = links_read(&walk, &view);
	vec_release(&walk.fresh);
	program->loader.consistent = true;
	for (size_t i = 0; i < program->modules.modules.count; i++)
		program->modules.modules.at[i]->relocated = true;
	/* The loader may be changing the list. Then the entries that could be
	 * read are used. */
	return r == -EFAULT ? 0 : r;
}

int
modules_begin(struct program *program, struct thread *thread)
{
	struct module *main, *ld;
	struct auxv auxv;
	int r;

	if (!options_plant(program->session->options))
		return look_at_begin(program);
	r = auxv_read(program->space->pid, program_word(program), &auxv);
	if (r < 0)
		return -ESRCH;
	main = begin_main(program, &auxv);
	ld = begin_interpreter(program, &auxv);
	scratch_find(program, auxv.vdso);
	if (main && !ld && is_loader_itself(main)) {
		main->main = false;
		ld = main;
		main = NULL;
	}
	if (ld)
		r = begin_loader(program, ld, thread);
	if (r == 0 && main)
		r = plan_mapped(program, main, thread);
	if (r == 0 && ld)
		r = plan_mapped(program, ld, thread);
	program->loader.absent = main && !ld;
	if (r == 0 && !ld)
		r = modules_complete(program, thread);
	return r;
}

int
modules_attach(struct program *program)
{
	struct module *main, *ld;
	struct r_debug_view view;
	int r;

	if (!options_plant(program->session->options))
		return modules_look(program);
	r = attach_main(program, &main, &ld);
	if (r == 0 && main)
		r = plan_mapped(program, main, NULL);
	if (r == 0 && ld)
		r = plan_mapped(program, ld, NULL);
	if (r < 0 || !program->loader.r_debug ||
	    linkmap_r_debug(program_memory(program), program_word(program),
			    program->loader.r_debug, &view) < 0 ||
	    !view.brk) {
		/* The program is static, or the loader has not yet begun. */
		if (r == 0 && ld)
			program->loader.brk_to_be = brk_of_file(ld);
		else if (r == 0)
			r = modules_complete(program, NULL);
		return r;
	}
	program->loader.brk_to_be = view.brk;
	r = modules_compare(program, &view, NULL, true);
	if (r == 0)
		r = modules_complete(program, NULL);
	return r;
}

int
modules_attached(struct program *program, struct thread *thread)
{
	struct loader *loader = &program->loader;
	addr_t brk = take_address(&loader->brk_to_be);
	int r = brk ? rbrk_plant(program, brk, thread) : 0;

	/* Finds the modules that were loaded before the trap at r_brk was
	 * planted. If the loader had not begun, this may be every module. */
	if (r == 0 && brk)
		r = modules_changed(program, thread);
	return r;
}
