/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the debug information of an image is: in the file itself, or in its
 * separate debug file. libdw finds the rest from there: .dwo files by
 * DW_AT_dwo_name, and the file of dwz by .gnu_debugaltlink.
 *
 * The file is read with pread(2) and not mapped, because libelf changes the
 * headers of compressed sections in memory, and because a mapped file that is
 * truncated causes SIGBUS.
 */
#include "values/learn/learn_parts.h"

#include "base/attempt.h"
#include "base/log.h"
#include "symbols/debugfile.h"
#include "symbols/elf_handle.h"
#include "symbols/image.h"

#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/*
 * Notes why libdw finds no units. libdw leaves out a section that libelf cannot
 * read, for example without memory, and then says that there is no DWARF.
 */
static void
note_damage(struct learner *learner, Elf *elf)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(elf, section))) {
		if (!elf_rawdata(section, NULL)) {
			learner->damage = xstrdup(elf_errmsg(-1));
			return;
		}
	}
	if (learn_damaged(learner) < 0)
		debug("%s: %s", image_name(learner->image), learner->damage);
}

/* Takes over elf if it has units. */
static bool
try_elf(struct learner *learner, Elf *elf)
{
	Dwarf *dwarf = elf ? dwarf_begin_elf(elf, DWARF_C_READ, NULL) : NULL;
	Dwarf_CU *unit = NULL;
	int r;

	if (!dwarf) {
		elf_end(elf);
		return false;
	}
	/* libdw's own handler calls exit(3). */
	dwarf_new_oom_handler(dwarf, attempt_fail);
	r = dwarf_get_units(dwarf, NULL, &unit, NULL, NULL, NULL, NULL);
	if (r < 0)
		note_damage(learner, elf);
	if (r == 0) {
		learner->dwarf = dwarf;
		learner->elf = elf;
		return true;
	}
	dwarf_end(dwarf);
	elf_end(elf);
	return false;
}

void
learn_close(struct learner *learner)
{
	if (learner->dwarf)
		dwarf_end(learner->dwarf);
	if (learner->elf)
		elf_end(learner->elf);
	if (learner->fd >= 0)
		close(learner->fd);
	learner->dwarf = NULL;
	learner->elf = NULL;
	learner->fd = -1;
}

void
learn_abandon(struct learner *learner)
{
	learner->dwarf = NULL;
	learner->elf = NULL;
	learn_close(learner);
	learner->opened = true;
	learner->given = true;
	if (!learner->damage && !attempt_hurried())
		learner->damage = xstrdup("out of memory");
}

void
learn_open_file(struct learner *learner, const char *path)
{
	learner->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (learner->fd >= 0 &&
	    try_elf(learner, elf_begin(learner->fd, ELF_C_READ, NULL)))
		debug("%s: debug information in %s", image_name(learner->image),
		      path);
	else
		learn_close(learner);
}

static void
try_separate(struct learner *learner)
{
	cleanup(freep) char *path = debugfile_path(learner->image);

	if (path)
		learn_open_file(learner, path);
}

void
learn_open(struct learner *learner)
{
	learner->opened = true;
	elf_version(EV_CURRENT);
	if (!try_elf(learner, elf_handle_new(learner->image)) &&
	    !learner->damage && !learner->look.as_ltrace)
		try_separate(learner);
}

/* Does a section that consists of names contain this name? */
static bool
contains(Elf_Scn *section, const char *name, const char *of)
{
	GElf_Shdr header;
	const Elf_Data *data;

	if (!strcmp(of, ".gnu_debugaltlink"))
		return true;
	if (strcmp(of, ".debug_str") != 0 && strcmp(of, ".debug_info") != 0)
		return false;
	/* Neither a compressed section nor another file is searched. */
	if (!gelf_getshdr(section, &header) ||
	    (header.sh_flags & SHF_COMPRESSED) != 0)
		return true;
	data = elf_getdata(section, NULL);
	return data && data->d_buf &&
	       memmem(data->d_buf, data->d_size, name, strlen(name) + 1);
}

static bool
has_split_units(const struct learner *learner)
{
	Dwarf_CU *unit = NULL;
	uint8_t type;

	while (dwarf_get_units(learner->dwarf, unit, &unit, NULL, &type, NULL,
			       NULL) == 0) {
		if (type == DW_UT_skeleton)
			return true;
	}
	return false;
}

bool
learn_mentions(const struct learner *learner, const char *name)
{
	Elf_Scn *section = NULL;
	size_t names;

	if (!learner->elf || elf_getshdrstrndx(learner->elf, &names) != 0)
		return false;
	if (has_split_units(learner))
		return true;
	while ((section = elf_nextscn(learner->elf, section))) {
		GElf_Shdr header;
		const char *of = NULL;

		if (gelf_getshdr(section, &header))
			of = elf_strptr(learner->elf, names, header.sh_name);
		if (of && contains(section, name, of))
			return true;
	}
	return false;
}
