/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * errno has the same distance from the thread pointer in all threads of a
 * program. The distance is found once, in the first module with an
 * __errno_location(): the C library, or a static program.
 */
#include "tracer/report/thread_errno.h"

#include "arch/libc.h"
#include "process/space.h"
#include "symbols/symtab.h"
#include "tracer/report/findings.h"

#include <errno.h>

static bool
is_static(const struct module *module)
{
	return module->main && !image_interpreter(module->image);
}

/*
 * A static program need not contain __errno_location(), but it contains the
 * variable: the symbol gives its place in the TLS block, which ends at the
 * thread pointer (TLS variant 2, psABI 3.4.6).
 */
static bool
find_static(const struct arch *arch, const struct module *module,
	    int64_t *ret_distance)
{
	const struct symbol *symbol =
		is_static(module)
			? symtab_find(module->image, SYMTAB_ALL, "errno")
			: NULL;
	uint64_t size, align;

	if (!symbol || symbol->kind != SYMBOL_TLS ||
	    !image_tls(module->image, &size, &align))
		return false;
	*ret_distance = arch->libc->tls_distance(symbol->address, size, align);
	return true;
}

static const struct symbol *
location_of(const struct module *module)
{
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, "__errno_location");

	if (!symbol && is_static(module))
		symbol = symtab_find(module->image, SYMTAB_ALL,
				     "__errno_location");
	return symbol;
}

static bool
find_in(struct program *program, const struct module *module)
{
	const struct symbol *symbol = location_of(module);
	struct errno_place place;
	const struct arch *arch = program->space->arch;
	uint8_t bytes[ERRNO_CODE];
	struct code code = { bytes, sizeof(bytes), 0 };
	uint64_t distance;

	if (find_static(arch, module, &program->findings->errno_distance))
		return true;
	if (!symbol || image_read(module->image, symbol->address, bytes,
				  sizeof(bytes)) < 0)
		return false;
	code.at = module->bias + symbol->address;
	if (!arch->libc->errno_place(&code, &place))
		return false;
	distance = (uint64_t)place.distance;
	if (place.word && reader_word(program_memory(program), place.word,
				      arch->word, &distance) < 0)
		return false;
	if (arch->word == sizeof(int32_t))
		distance = (uint64_t)(int64_t)(int32_t)distance;
	program->findings->errno_distance = (int64_t)distance;
	return true;
}

/* Where the thread with these registers has errno; 0: not known. */
static addr_t
place_of_errno(struct program *program, const struct regs *regs)
{
	const struct modmap *map = &program->modules;
	struct findings *findings = program->findings;

	for (size_t i = 0; i < map->modules.count && !findings->errno_known;
	     i++)
		findings->errno_known = find_in(program, map->modules.at[i]);
	return findings->errno_known ? regs_thread_pointer(regs) +
					       (addr_t)findings->errno_distance
				     : 0;
}

int
thread_errno(struct program *program, const struct regs *regs)
{
	addr_t place = place_of_errno(program, regs);
	uint32_t number;

	if (!place || reader_u32(program_memory(program), place, &number) < 0)
		return 0;
	return (int)number;
}

int
thread_set_errno(struct program *program, const struct regs *regs, int number)
{
	addr_t place = place_of_errno(program, regs);

	if (!place)
		return -ENOENT;
	return space_write(program->space, place, &number, sizeof(number));
}
