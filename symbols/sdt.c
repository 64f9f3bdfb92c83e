/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A note (Elf64_Nhdr, elf(5), which has the same form in both classes) is owned
 * by "stapsdt" and has type 3. Its description:
 *
 *	address		of the nop
 *	address		of the section .stapsdt.base when the file was linked
 *	address		of the semaphore, or 0
 *	text, NUL	the provider
 *	text, NUL	the name
 *	text, NUL	the arguments
 *
 * If that section is elsewhere now (prelink moves sections, but not addresses
 * in notes), all addresses have moved by the same distance. The section of
 * notes is not loaded, so a file without section headers has no probes.
 */
#include "symbols/sdt.h"

#include "symbols/image_parts.h"

#include <string.h>

#define NOTES ".note.stapsdt"
#define BASE ".stapsdt.base"
#define OWNER "stapsdt"
#define NT_STAPSDT 3
#define ADDRESSES 3

static size_t
aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Takes a text with its NUL from the front; NULL if there is none. */
static const char *
take_text(struct bytes *bytes)
{
	const char *text = (const char *)bytes->at;
	size_t length = strnlen(text, bytes->count);

	if (length == bytes->count)
		return NULL;
	bytes->at += length + 1;
	bytes->count -= length + 1;
	return text;
}

static bool
is_data(const struct elf *elf, addr_t address)
{
	const struct segment *segment = elf_segment(elf, address);

	return segment && segment->writable &&
	       segment->size - (address - segment->address) >= sizeof(uint16_t);
}

/* How far the file's sections have moved since it was linked. */
static addr_t
distance(const struct elf *elf, addr_t base)
{
	const struct section *section = elf_section(elf, BASE);

	return section && base ? section->address - base : 0;
}

static bool
read_description(const struct elf *elf, struct bytes bytes, struct sdt *sdt)
{
	const size_t word = elf->arch->word;
	addr_t addresses[ADDRESSES], moved;

	if (bytes.count < ADDRESSES * word)
		return false;
	for (unsigned i = 0; i < ADDRESSES; i++)
		addresses[i] = elf_address(elf, bytes.at + i * word);
	bytes.at += ADDRESSES * word;
	bytes.count -= ADDRESSES * word;
	moved = distance(elf, addresses[1]);
	sdt->address = addresses[0] + moved;
	sdt->semaphore = addresses[2] ? addresses[2] + moved : 0;
	sdt->provider = take_text(&bytes);
	sdt->name = sdt->provider ? take_text(&bytes) : NULL;
	sdt->arguments = sdt->name ? take_text(&bytes) : NULL;
	return sdt->arguments && sdt->provider[0] && sdt->name[0] &&
	       elf_text(elf, sdt->address) &&
	       (!sdt->semaphore || is_data(elf, sdt->semaphore));
}

/* Takes a note from the front. False if no whole note is left. */
static bool
take_note(struct bytes *bytes, Elf64_Nhdr *ret_header,
	  struct bytes *ret_description)
{
	size_t owner, size;

	if (bytes->count < sizeof(*ret_header))
		return false;
	memcpy(ret_header, bytes->at, sizeof(*ret_header));
	owner = aligned(ret_header->n_namesz);
	size = ret_header->n_descsz;
	if (owner > bytes->count - sizeof(*ret_header) ||
	    size > bytes->count - sizeof(*ret_header) - owner)
		return false;
	if (ret_header->n_namesz != sizeof(OWNER) ||
	    memcmp(bytes->at + sizeof(*ret_header), OWNER, sizeof(OWNER)) != 0)
		ret_header->n_type = 0;
	*ret_description =
		(struct bytes){ bytes->at + sizeof(*ret_header) + owner, size };
	size = sizeof(*ret_header) + owner + aligned(size);
	if (size > bytes->count)
		size = bytes->count;
	bytes->at += size;
	bytes->count -= size;
	return true;
}

static void
read_section(const struct elf *elf, const struct section *section,
	     struct sdts *sdts)
{
	struct bytes bytes = elf_section_bytes(elf, section), description;
	Elf64_Nhdr header;
	struct sdt sdt;

	while (bytes.at && take_note(&bytes, &header, &description)) {
		if (header.n_type == NT_STAPSDT &&
		    read_description(elf, description, &sdt))
			vec_push(&sdts->list, sdt);
	}
}

static void
free_sdts(void *kept)
{
	struct sdts *sdts = kept;

	vec_release(&sdts->list);
	free(sdts);
}

const struct sdts *
image_sdts(struct image *image)
{
	struct sdts *sdts = image_kept(image, SHELF_SDTS);
	const struct elf *elf = image_elf(image);

	if (sdts)
		return sdts;
	sdts = xcalloc(1, sizeof(*sdts));
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct section *section = &elf->sections[i];

		if (section->present && section->type == SHT_NOTE &&
		    !strcmp(section->name, NOTES))
			read_section(elf, section, sdts);
	}
	image_keep(image, SHELF_SDTS, sdts, free_sdts);
	return sdts;
}
