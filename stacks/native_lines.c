/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdw reads and inflates all debug sections of the file that it is given. So
 * it gets a separate handle of the file, in which all sections are marked as
 * empty except those with lines. line_ranges finds the table that has the
 * address, and libdw reads only this table.
 */
#include "stacks/native_lines.h"

#include "base/die.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "stacks/line_ranges.h"
#include "symbols/debugfile.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A table of lines that inflates to more bytes than this is not read. */
#define INFLATED_MOST (UINT64_C(512) << 20)

struct native_lines {
	Elf *elf;
	Dwarf *dwarf; /* NULL: the tables of lines cannot be read */
	int fd;	      /* the debug file's descriptor, or -1 */
	struct line_ranges ranges;
};

static never_returns void
no_memory(void)
{
	die("out of memory");
}

static bool
inflates_to_less(Elf_Scn *section, const GElf_Shdr *header)
{
	GElf_Chdr compression;

	return !(header->sh_flags & SHF_COMPRESSED) ||
	       (gelf_getchdr(section, &compression) &&
		compression.ch_size <= INFLATED_MOST);
}

/*
 * Marks all sections as empty except those with lines. Returns .debug_line, or
 * NULL.
 */
static Elf_Scn *
leave_lines(Elf *elf)
{
	Elf_Scn *lines = NULL, *section = NULL;
	size_t names;

	if (elf_getshdrstrndx(elf, &names) < 0)
		return NULL;
	while ((section = elf_nextscn(elf, section))) {
		GElf_Shdr header;
		const char *name =
			gelf_getshdr(section, &header)
				? elf_strptr(elf, names, header.sh_name)
				: NULL;

		if (!name || header.sh_type == SHT_NOBITS)
			continue;
		if (strcmp(name, ".debug_line") == 0)
			lines = section;
		if (strcmp(name, ".debug_line") == 0 ||
		    strcmp(name, ".debug_line_str") == 0 ||
		    strcmp(name, ".debug_str") == 0) {
			if (!inflates_to_less(section, &header))
				return NULL;
			continue;
		}
		if (strstr(name, "debug_") == NULL)
			continue;
		header.sh_type = SHT_NOBITS;
		if (!gelf_update_shdr(section, &header))
			return NULL;
	}
	return lines;
}

/* Reads which addresses each table of lines of the file covers. Returns false
 * if the file has no table that can be used. */
static bool
read_lines(struct native_lines *lines, int fd)
{
	Elf_Scn *section;
	Elf_Data *data;

	elf_version(EV_CURRENT);
	lines->elf = elf_begin(fd, ELF_C_READ, NULL);
	section = lines->elf ? leave_lines(lines->elf) : NULL;
	if (section)
		lines->dwarf = dwarf_begin_elf(lines->elf, DWARF_C_READ, NULL);
	if (!lines->dwarf)
		return false;
	/* libdw's own handler calls exit(3). */
	dwarf_new_oom_handler(lines->dwarf, no_memory);
	/* the bytes after libdw has inflated them */
	data = elf_rawdata(section, NULL);
	return data && data->d_buf &&
	       line_ranges_read(&lines->ranges, data->d_buf, data->d_size);
}

static void
drop_file(struct native_lines *lines)
{
	dwarf_end(lines->dwarf);
	elf_end(lines->elf);
	if (lines->fd >= 0)
		close(lines->fd);
	line_ranges_release(&lines->ranges);
	*lines = (struct native_lines){ .fd = -1 };
}

/* Does the file contain its own debug information? Then libdwfl looks for no
 * debug file, and neither do we. */
static bool
has_own(const struct native_lines *lines)
{
	return lines->dwarf != NULL;
}

struct native_lines *
native_lines_new(struct image *image)
{
	struct native_lines *lines = xcalloc(1, sizeof(*lines));
	cleanup(freep) char *path = NULL;

	lines->fd = -1;
	if (image_descriptor(image) < 0 ||
	    read_lines(lines, image_descriptor(image)))
		return lines;
	if (!has_own(lines))
		path = debugfile_path(image);
	drop_file(lines);
	if (!path)
		return lines;
	lines->fd = open(path, O_RDONLY | O_CLOEXEC);
	if (lines->fd >= 0 && !read_lines(lines, lines->fd))
		drop_file(lines);
	return lines;
}

void
native_lines_free(struct native_lines *lines)
{
	if (!lines)
		return;
	drop_file(lines);
	free(lines);
}

/* The row with the highest address that is not above `address`; NULL if a
 * sequence ends there. libdw has sorted the rows by address. */
static Dwarf_Line *
line_at(Dwarf_Lines *lines, size_t count, addr_t address)
{
	size_t low = 0, high = count;
	Dwarf_Addr at;
	bool ends;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, middle), &at) != 0)
			return NULL;
		if (at <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low ||
	    dwarf_lineendsequence(dwarf_onesrcline(lines, low - 1), &ends) ||
	    ends)
		return NULL;
	return dwarf_onesrcline(lines, low - 1);
}

bool
native_lines_find(struct native_lines *lines, addr_t address,
		  const char **ret_file, unsigned *ret_line)
{
	const struct line_range *range;
	Dwarf_Files *files;
	Dwarf_Lines *rows;
	Dwarf_Line *line;
	Dwarf_CU *unit = NULL;
	Dwarf_Off next;
	size_t count, file_count;
	int number;

	if (!lines->dwarf)
		return false;
	range = line_ranges_find(&lines->ranges, address);
	if (!range) {
		*ret_file = NULL;
		return true;
	}
	if (dwarf_next_lines(lines->dwarf, range->table, &next, &unit, &files,
			     &file_count, &rows, &count) != 0)
		return false;
	line = line_at(rows, count, address);
	if (!line || dwarf_lineno(line, &number) != 0)
		return false;
	*ret_file = dwarf_linesrc(line, NULL, NULL);
	*ret_line = number > 0 ? (unsigned)number : 0;
	return true;
}
