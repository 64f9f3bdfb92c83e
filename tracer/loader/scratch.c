/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A dynamic program has several modules, and the end of the last page of some
 * text is always free. A static program has one text. If that fills its last
 * page, there is still the vdso, which the kernel maps into each program: its
 * file ends within a page, and the rest of the page is zero.
 *
 * The page is the process's own copy after the first write, as with any text.
 */
#include "tracer/loader/scratch.h"

#include "arch/stub.h"
#include "base/log.h"
#include "process/maps.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

/* The size of the vdso's file: its section headers are at its end. 0 if that is
 * not certain. */
static uint64_t
file_size(struct program *program, addr_t vdso)
{
	Elf64_Ehdr header;

	if (reader_read(program_memory(program), vdso, &header,
			sizeof(header)) < 0 ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || !header.e_shnum ||
	    header.e_shoff < sizeof(header))
		return 0;
	return header.e_shoff + (uint64_t)header.e_shnum * header.e_shentsize;
}

void
scratch_find(struct program *program, addr_t vdso)
{
	struct slots *slots = &program->sites.slots;
	struct mapping mapping;
	uint64_t size;
	addr_t at;

	if (program->scratch || !vdso ||
	    maps_query(program->space->pid, vdso, &mapping) < 0)
		return;
	free(mapping.path);
	size = file_size(program, vdso);
	at = (vdso + size + 15) & ~UINT64_C(15);
	if (!size || mapping.start != vdso || !mapping.executable ||
	    at < vdso || at > mapping.end || mapping.end - at < STUB_ROOM)
		return;
	debug("%d: injected calls use the end of the vdso, %#" PRIxADDR,
	      program->space->pid, at);
	program->scratch = at;
	if (!slots->scratch)
		slots->scratch = at;
}
