/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "stacks/native_places.h"

#include "base/attempt.h"
#include "base/die.h"
#include "base/xmalloc.h"
#include "symbols/demangle.h"
#include "symbols/symtab.h"

#include <stdlib.h>

/* How many addresses are kept with their names. */
#define PLACES_MOST 50000u

/* Finds the line by searching every unit. This is needed if the table of ranges
 * (.debug_aranges) is missing, as with clang. */
static bool
line_by_units(Dwfl_Module *module, addr_t address,
	      struct native_location *place)
{
	Dwarf_Addr bias;

	for (Dwarf_Die *unit = NULL;
	     (unit = dwfl_module_nextcu(module, unit, &bias));) {
		Dwarf_Line *line;
		int number;

		if (dwarf_haspc(unit, address - bias) != 1)
			continue;
		line = dwarf_getsrc_die(unit, address - bias);
		if (!line || dwarf_lineno(line, &number) != 0)
			return false;
		place->file = dwarf_linesrc(line, NULL, NULL);
		place->line = (unsigned)number;
		return place->file != NULL;
	}
	return false;
}

static never_returns void
no_memory(void)
{
	die("out of memory");
}

static void
find_line(Dwfl_Module *module, addr_t address, struct native_location *place)
{
	Dwfl_Line *line;
	Dwarf_Addr bias;
	Dwarf *dwarf = dwfl_module_getdwarf(module, &bias);
	int number = 0;

	if (!dwarf)
		return;
	/* libdw's own handler calls exit(3). */
	dwarf_new_oom_handler(dwarf, no_memory);
	line = dwfl_module_getsrc(module, address);
	if (!line) {
		line_by_units(module, address, place);
		return;
	}
	place->file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	place->line = number > 0 ? (unsigned)number : 0;
}

/* Finds the line with native_lines. Returns false if native_lines cannot tell
 * it, so that libdwfl must be asked. */
static bool
find_line_quickly(struct reported *reported, addr_t address,
		  struct native_location *place)
{
	if (!reported->lines)
		reported->lines = native_lines_new(reported->image);
	return native_lines_find(reported->lines, address - reported->bias,
				 &place->file, &place->line);
}

struct place_sought {
	struct reported *reported;
	Dwfl_Module *module;
	addr_t address;
	struct native_location *place;
};

/* Finds one line. attempt() calls this function, so it has only one
 * argument. */
static void
search_line(void *argument)
{
	const struct place_sought *sought = argument;

	if (!find_line_quickly(sought->reported, sought->address,
			       sought->place))
		find_line(sought->module, sought->address, sought->place);
}

static const char *
plain_name(struct native_places *places, const char *name)
{
	cleanup(freep) char *plain = demangle_short(name);

	return arena_strdup(&places->names, plain ? plain : name);
}

static struct native_location *
find_place(struct native_places *places, struct image *image, addr_t bias,
	   addr_t address)
{
	struct native_location *place;
	const struct symbol *symbol;

	if (places->found.count >= PLACES_MOST)
		native_places_forget(places);
	place = arena_zalloc(&places->names, sizeof(*place));
	map_put(&places->found, address, place);
	if (!image)
		return place;
	symbol = symtab_covering(image, address - bias);
	if (symbol) {
		place->function = plain_name(places, symbol->name);
		place->start = bias + symbol->address;
	}
	return place;
}

bool
native_place_known(const struct native_places *places, addr_t address,
		   bool with_line)
{
	const struct native_location *place = map_get(&places->found, address);

	return place && (place->lined || !with_line);
}

const struct native_location *
native_place(struct native_places *places, Dwfl_Module *module,
	     const struct module *mapped, addr_t address, bool with_line)
{
	struct reported *reported =
		places->abandoned ? NULL : native_modules_reported(module);
	struct image *image = reported			    ? reported->image
			      : places->abandoned && mapped ? mapped->image
							    : NULL;
	addr_t bias = reported ? reported->bias : image ? mapped->bias : 0;
	struct native_location *place = map_get(&places->found, address);
	struct place_sought sought = { reported, module, address, place };

	if (!place)
		place = sought.place = find_place(places, image, bias, address);
	if (place->lined || !with_line)
		return place;
	place->lined = true;
	if (reported && !attempt(search_line, &sought)) {
		if (!attempt_hurried())
			die("out of memory");
		places->abandoned = true;
		place->file = NULL;
	}
	if (place->file)
		place->file = arena_strdup(&places->names, place->file);
	return place;
}

void
native_places_init(struct native_places *places)
{
	arena_init(&places->names);
	map_init(&places->found);
}

void
native_places_release(struct native_places *places)
{
	map_release(&places->found);
	arena_release(&places->names);
}

void
native_places_forget(struct native_places *places)
{
	map_clear(&places->found);
	arena_clear(&places->names);
}
