/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stacks/native_modules.h"

#include "base/die.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "symbols/debugfile.h"
#include "symbols/elf_handle.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VDSO_MOST (UINT64_C(64) << 10)

/* ---- what libdwfl asks -----------------------------------------------------
 */

struct reported *
native_modules_reported(Dwfl_Module *module)
{
	void **user;

	if (!module || !dwfl_module_info(module, &user, NULL, NULL, NULL, NULL,
					 NULL, NULL))
		return NULL;
	return *user;
}

static int
find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
	 char **ret_path, Elf **ret_elf)
{
	struct reported *reported = *user;

	(void)module;
	(void)name;
	(void)base;
	if (!reported)
		return -1;
	*ret_elf = elf_handle_new(reported->image);
	*ret_path = strdup(image_name(reported->image));
	return -1;
}

static int
find_debuginfo(Dwfl_Module *module, void **user, const char *name,
	       Dwarf_Addr base, const char *path, const char *link,
	       GElf_Word crc, char **ret_path)
{
	const struct reported *reported = *user;

	(void)module;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	/* libdwfl frees the path with free(). */
	return reported ? debugfile_open(reported->image, ret_path) : -1;
}

const Dwfl_Callbacks native_callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
};

/* ---- what it is told -------------------------------------------------------
 */

/*
 * The first address of the image as libdwfl computes it: the address of the
 * first PT_LOAD, rounded down to the alignment of this PT_LOAD, which may be
 * larger than a page.
 */
static addr_t
first_address(const struct image *image)
{
	size_t count;
	const struct segment *segments = image_segments(image, &count);

	return count ? segments->address & -segments->alignment : 0;
}

static struct reported *
find_reported(const struct native_modules *modules, unsigned serial)
{
	for (size_t i = 0; i < modules->told.count; i++) {
		if (modules->told.at[i]->serial == serial)
			return modules->told.at[i];
	}
	return NULL;
}

static struct reported *
add_reported(struct native_modules *modules, struct image *image,
	     const char *label, addr_t bias, unsigned serial)
{
	struct reported *reported = xcalloc(1, sizeof(*reported));

	reported->serial = serial;
	reported->image = image_ref(image);
	reported->label = label ? label : image_label(image);
	reported->bias = bias;
	vec_push(&modules->told, reported);
	return reported;
}

static void
free_reported(struct reported *reported)
{
	native_lines_free(reported->lines);
	image_unref(reported->image);
	free(reported);
}

static void
report(struct native_modules *modules, struct reported *reported, addr_t end)
{
	addr_t first = reported->bias + first_address(reported->image);
	Dwfl_Module *module;
	char name[24];
	void **user;

	/* The name that libdwfl gets is the serial number of the module, not
	 * its path: another version of the file may be mapped at the same place
	 * later. */
	snprintf(name, sizeof(name), "%u", reported->serial);
	module = dwfl_report_module(modules->dwfl, name, first, end);
	if (!module || !dwfl_module_info(module, &user, NULL, NULL, NULL, NULL,
					 NULL, NULL)) {
		debug("%s is not taken: %s", reported->label, dwfl_errmsg(-1));
		return;
	}
	*user = reported;
	reported->module = module;
	reported->current = true;
}

static addr_t
image_end(const struct image *image)
{
	size_t count;
	const struct segment *segments = image_segments(image, &count);
	addr_t end = 0;

	for (size_t i = 0; i < count; i++) {
		if (segments[i].address + segments[i].size > end)
			end = segments[i].address + segments[i].size;
	}
	return end;
}

static void
report_vdso(struct native_modules *modules)
{
	struct reported *reported = find_reported(modules, 0);

	if (!modules->vdso_image)
		return;
	if (!reported)
		reported = add_reported(modules, modules->vdso_image, "[vdso]",
					modules->vdso, 0);
	report(modules, reported,
	       modules->vdso + image_end(modules->vdso_image));
}

static bool
drop_gone(struct native_modules *modules)
{
	bool gone = false;

	for (size_t i = modules->told.count; i-- > 0;) {
		if (modules->told.at[i]->current)
			continue;
		free_reported(modules->told.at[i]);
		vec_remove(&modules->told, i);
		gone = true;
	}
	return gone;
}

static void
read_vdso(struct native_modules *modules, struct reader *memory)
{
	cleanup(freep) uint8_t *bytes = NULL;
	struct err err;
	long length;

	if (!modules->vdso || modules->vdso_read)
		return;
	modules->vdso_read = true;
	bytes = xcalloc(1, VDSO_MOST);
	length = reader_some(memory, modules->vdso, bytes, VDSO_MOST);
	if (length <= 0 || image_open_memory(bytes, (size_t)length, "[vdso]",
					     &modules->vdso_image, &err) < 0)
		modules->vdso_image = NULL;
}

/* Makes libdwfl sort its table of modules now. It would do so at the first
 * lookup, but if memory is short then, the table stays unsorted, without an
 * error (elfutils 0.188). */
static void
sort_addresses(struct native_modules *modules)
{
	dwfl_errno(); /* discards an older error */
	dwfl_addrmodule(modules->dwfl, 0);
	if (dwfl_errno())
		die("out of memory");
}

/* libdwfl keeps a module if its name and place are unchanged. */
bool
native_modules_follow(struct native_modules *modules, const struct modmap *map,
		      struct reader *memory)
{
	read_vdso(modules, memory);
	if (modules->begun && modules->changes == map->changes)
		return false;
	modules->begun = true;
	modules->changes = map->changes;
	for (size_t i = 0; i < modules->told.count; i++)
		modules->told.at[i]->current = false;
	dwfl_report_begin(modules->dwfl);
	for (size_t i = 0; i < map->modules.count; i++) {
		const struct module *module = map->modules.at[i];
		struct reported *reported =
			find_reported(modules, module->serial);

		if (!reported)
			reported = add_reported(modules, module->image, NULL,
						module->bias, module->serial);
		report(modules, reported, module->end);
	}
	report_vdso(modules);
	dwfl_report_end(modules->dwfl, NULL, NULL);
	sort_addresses(modules);
	return drop_gone(modules);
}

void
native_modules_read(struct native_modules *modules)
{
	for (size_t i = 0; i < modules->told.count; i++) {
		struct reported *reported = modules->told.at[i];
		Dwarf_Addr bias;

		if (reported->prepared || !reported->module)
			continue;
		reported->prepared = true;
		dwfl_module_eh_cfi(reported->module, &bias);
	}
}

void
native_modules_init(struct native_modules *modules, Dwfl *dwfl)
{
	*modules = (struct native_modules){ .dwfl = dwfl };
}

void
native_modules_release(struct native_modules *modules)
{
	for (size_t i = 0; i < modules->told.count; i++)
		free_reported(modules->told.at[i]);
	vec_release(&modules->told);
	image_unref(modules->vdso_image);
}
