/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file taken apart (System V gABI, chapters 4 and 5; <elf.h>
 * has the layouts). No ELF library stands between: what the loader goes by,
 * PT_DYNAMIC, is what such libraries do not know, and what they do know, a
 * table of sections, is a screenful.
 *
 * A file may be cut short, may lie, may have no section headers, may have
 * headers and none of the bytes (a debug file). So nothing is read but
 * through content_at() and elf_bytes(), which know the length of the file; no
 * count is believed that was not checked against it. What is outside is
 * simply not there: a broken table is an empty table. Refused is only what no
 * kernel would run.
 */
#include "symbols/elf.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <string.h>

/* The kernel runs no file with more of them (fs/binfmt_elf.c,
 * load_elf_phdrs). */
#define PROGRAM_HEADERS_MOST (65536 / sizeof(Elf64_Phdr))

struct strings
strings_of(const uint8_t *bytes, size_t size)
{
	const uint8_t *last = size ? memrchr(bytes, 0, size) : NULL;

	if (!last)
		return (struct strings){ 0 };
	return (struct strings){ (const char *)bytes,
				 (size_t)(last - bytes) + 1 };
}

const struct segment *
elf_segment(const struct elf *elf, addr_t address)
{
	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct segment *segment = &elf->segments.at[i];

		if (address - segment->address < segment->size)
			return segment;
	}
	return NULL;
}

struct bytes
elf_bytes(const struct elf *elf, addr_t from, uint64_t most)
{
	const struct segment *segment = elf_segment(elf, from);
	uint64_t into, offset, have;
	const uint8_t *at;

	if (!segment || elf->hollow)
		return (struct bytes){ 0 };
	into = from - segment->address;
	offset = segment->offset + into;
	if (into >= segment->file_size || offset < into ||
	    offset >= elf->content->length)
		return (struct bytes){ 0 };
	have = elf->content->length - offset;
	if (have > segment->file_size - into)
		have = segment->file_size - into;
	have = have < most ? have : most;
	at = content_at(elf->content, offset, have);
	return (struct bytes){ at, at ? have : 0 };
}

const uint8_t *
elf_span(const struct elf *elf, addr_t from, uint64_t length)
{
	struct bytes bytes = elf_bytes(elf, from, length);

	return length <= bytes.count ? bytes.at : NULL;
}

/* As many of length bytes as lie in one piece: how many, or 0. */
static size_t
read_piece(const struct elf *elf, addr_t from, uint8_t *to, size_t length)
{
	const struct segment *segment = elf_segment(elf, from);
	const struct bytes bytes = elf_bytes(elf, from, length);
	size_t have;

	if (bytes.at) {
		memcpy(to, bytes.at, bytes.count);
		return bytes.count;
	}
	if (!segment || elf->hollow ||
	    from - segment->address < segment->file_size)
		return 0;
	have = segment->size - (from - segment->address);
	have = have < length ? have : length;
	memset(to, 0, have);
	return have;
}

int
elf_read(const struct elf *elf, addr_t from, void *to, size_t length)
{
	uint8_t *next = to;

	while (length) {
		size_t piece = read_piece(elf, from, next, length);

		if (!piece)
			return -EFAULT;
		from += piece;
		next += piece;
		length -= piece;
	}
	return 0;
}

static int
check_header(const Elf64_Ehdr *header, const char *name, struct err *err)
{

	if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
		return err_set(err, -ENOEXEC, "%s: not an ELF file", name);
	if (header->e_ident[EI_CLASS] == ELFCLASS32)
		return err_set(err, -ENOEXEC,
			       "%s: a 32-bit file, which is not supported",
			       name);
	if (header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    header->e_machine != EM_X86_64)
		return err_set(err, -ENOEXEC,
			       "%s: not for x86-64 (ELF machine %u)", name,
			       header->e_machine);
	if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
		return err_set(err, -ENOEXEC,
			       "%s: neither a program nor a library "
			       "(ELF type %u)",
			       name, header->e_type);
	return 0;
}

static void
add_segment(struct elf *elf, const Elf64_Phdr *header)
{
	struct segment segment = {
		.address = header->p_vaddr,
		.size = header->p_memsz,
		.file_size = header->p_filesz,
		.offset = header->p_offset,
		.alignment = header->p_align,
		.executable = header->p_flags & PF_X,
		.writable = header->p_flags & PF_W,
	};

	if (segment.size > UINT64_MAX - segment.address)
		segment.size = UINT64_MAX - segment.address;
	if (segment.file_size > segment.size)
		segment.file_size = segment.size;
	if (segment.size)
		vec_push(&elf->segments, segment);
}

static void
set_build_id(struct elf *elf, const uint8_t *bytes, size_t length)
{
	static const char digits[] = "0123456789abcdef";
	char *text = xmalloc(2 * length + 1);

	for (size_t i = 0; i < length; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 15];
	}
	text[2 * length] = 0;
	elf->build_id = text;
}

static uint64_t
aligned(uint64_t value, uint64_t alignment)
{
	return (value + alignment - 1) & ~(alignment - 1);
}

/* Go's linker writes its own build-id into each program (cmd/internal/buildid,
 * note.go). */
#define NT_GO_BUILD_ID 4

/* bytes: a note's header, then its name, padded; the description follows. */
static void
read_note(struct elf *elf, const Elf64_Nhdr *note, const uint8_t *bytes,
	  uint64_t description)
{
	const char *name = (const char *)bytes + sizeof(*note);

	if (note->n_namesz != 4 || !note->n_descsz)
		return;
	if (note->n_type == NT_GNU_BUILD_ID && !elf->build_id &&
	    memcmp(name, "GNU", 4) == 0)
		set_build_id(elf, bytes + description, note->n_descsz);
	if (note->n_type == NT_GO_BUILD_ID && memcmp(name, "Go\0", 4) == 0)
		elf->go = true;
}

/* Takes the build-ids from notes (gABI 5, "Note Section"); names and
 * descriptions are padded to 4 bytes, in a segment aligned to 8 to 8. */
static void
read_notes(struct elf *elf, const uint8_t *bytes, uint64_t length,
	   uint64_t alignment)
{
	const uint64_t pad = alignment == 8 ? 8 : 4;
	Elf64_Nhdr note;

	while (length >= sizeof(note)) {
		uint64_t description, next;

		memcpy(&note, bytes, sizeof(note));
		description = aligned(sizeof(note) + note.n_namesz, pad);
		next = aligned(description + note.n_descsz, pad);
		if (description + note.n_descsz > length)
			return;
		read_note(elf, &note, bytes, description);
		if (next > length)
			return;
		bytes += next;
		length -= next;
	}
}

static void
read_program_header(struct elf *elf, const Elf64_Phdr *header)
{
	const uint8_t *bytes;
	struct strings text;

	switch (header->p_type) {
	case PT_LOAD:
		add_segment(elf, header);
		break;
	case PT_DYNAMIC:
		elf->dynamic = header->p_vaddr;
		elf->dynamic_size = header->p_filesz;
		break;
	case PT_GNU_EH_FRAME:
		elf->eh_frame_hdr = header->p_vaddr;
		break;
	case PT_TLS:
		elf->tls_size = header->p_memsz;
		elf->tls_align = header->p_align;
		break;
	case PT_INTERP:
		bytes = content_at(elf->content, header->p_offset,
				   header->p_filesz);
		text = bytes ? strings_of(bytes, header->p_filesz)
			     : (struct strings){ 0 };
		elf->interpreter = strings_at(&text, 0);
		break;
	case PT_NOTE:
		bytes = content_at(elf->content, header->p_offset,
				   header->p_filesz);
		if (bytes)
			read_notes(elf, bytes, header->p_filesz,
				   header->p_align);
		break;
	}
}

static int
read_program_headers(struct elf *elf, const Elf64_Ehdr *header,
		     const char *name, struct err *err)
{
	const uint64_t size = header->e_phnum * sizeof(Elf64_Phdr);
	const uint8_t *bytes = content_at(elf->content, header->e_phoff, size);
	Elf64_Phdr each;

	if (!bytes || !size || header->e_phentsize != sizeof(Elf64_Phdr) ||
	    header->e_phnum > PROGRAM_HEADERS_MOST)
		return err_set(err, -ENOEXEC, "%s: damaged, no program headers",
			       name);
	for (size_t i = 0; i < header->e_phnum; i++) {
		memcpy(&each, bytes + i * sizeof(each), sizeof(each));
		read_program_header(elf, &each);
	}
	for (size_t i = 0; i < elf->segments.count; i++) {
		const struct segment *segment = &elf->segments.at[i];
		uint64_t into = header->e_phoff - segment->offset;

		if (into < segment->file_size &&
		    size <= segment->file_size - into)
			elf->phdr = segment->address + into;
	}
	return 0;
}

static void
add_section(struct elf *elf, const Elf64_Shdr *header,
	    const struct strings *names)
{
	const char *name = strings_at(names, header->sh_name);
	struct section section = {
		.name = name ? name : "",
		.type = header->sh_type,
		.link = header->sh_link,
		.flags = header->sh_flags,
		.address = header->sh_addr,
		.offset = header->sh_offset,
		.size = header->sh_size,
	};
	const uint64_t length = elf->content->length;

	if (section.type != SHT_NOBITS)
		section.present = section.offset <= length &&
				  section.size <= length - section.offset;
	else if (section.flags & SHF_EXECINSTR && section.size)
		elf->hollow = true;
	vec_push(&elf->sections, section);
}

static Elf64_Shdr
section_header(const uint8_t *bytes, size_t i)
{
	Elf64_Shdr header;

	memcpy(&header, bytes + i * sizeof(header), sizeof(header));
	return header;
}

/* Counts that do not fit in the header stand in section 0 (gABI 4, "Section
 * Header"). */
static void
read_sections(struct elf *elf, const Elf64_Ehdr *header)
{
	const uint8_t *bytes =
		content_at(elf->content, header->e_shoff, sizeof(Elf64_Shdr));
	struct strings names = { 0 };
	const uint8_t *text;
	Elf64_Shdr each;
	uint64_t count = header->e_shnum, link = header->e_shstrndx;

	if (!header->e_shoff || !bytes ||
	    header->e_shentsize != sizeof(Elf64_Shdr))
		return;
	each = section_header(bytes, 0);
	count = count ? count : each.sh_size;
	link = link == SHN_XINDEX ? each.sh_link : link;
	if (count > elf->content->length / sizeof(each))
		return;
	bytes = content_at(elf->content, header->e_shoff, count * sizeof(each));
	if (!bytes)
		return;
	if (link < count) {
		each = section_header(bytes, link);
		text = content_at(elf->content, each.sh_offset, each.sh_size);
		if (text)
			names = strings_of(text, each.sh_size);
	}
	for (size_t i = 0; i < count; i++) {
		each = section_header(bytes, i);
		add_section(elf, &each, &names);
	}
}

static void
read_note_sections(struct elf *elf)
{
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct section *section = &elf->sections.at[i];
		struct bytes bytes;

		if (section->type != SHT_NOTE)
			continue;
		bytes = elf_section_bytes(elf, section);
		if (bytes.at)
			read_notes(elf, bytes.at, bytes.count, 4);
	}
}

int
elf_init(struct elf *elf, struct content *content, const char *name,
	 struct err *err)
{
	Elf64_Ehdr header = { 0 };
	const size_t length = content->length < sizeof(header) ? content->length
							       : sizeof(header);
	const uint8_t *bytes = content_at(content, 0, length);
	int error;

	*elf = (struct elf){ .content = content };
	if (bytes)
		memcpy(&header, bytes, length);
	error = check_header(&header, name, err);
	if (error)
		return error;
	elf->type = header.e_type == ET_EXEC ? IMAGE_FIXED : IMAGE_RELOCATABLE;
	elf->entry = header.e_entry;
	error = read_program_headers(elf, &header, name, err);
	if (error)
		return error;
	read_sections(elf, &header);
	if (!elf->build_id)
		read_note_sections(elf);
	return 0;
}

void
elf_release(struct elf *elf)
{
	vec_release(&elf->segments);
	vec_release(&elf->sections);
	free(elf->build_id);
}

const struct segment *
elf_text(const struct elf *elf, addr_t address)
{
	const struct segment *segment = elf_segment(elf, address);

	return segment && segment->executable ? segment : NULL;
}

const struct section *
elf_section(const struct elf *elf, const char *name)
{
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct section *section = &elf->sections.at[i];

		if (section->present && strcmp(section->name, name) == 0)
			return section;
	}
	return NULL;
}

const struct section *
elf_section_of(const struct elf *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->sections.count; i++) {
		const struct section *section = &elf->sections.at[i];

		if (section->present && section->type == type)
			return section;
	}
	return NULL;
}

struct bytes
elf_section_bytes(const struct elf *elf, const struct section *section)
{
	const uint8_t *at = NULL;

	if (section->present)
		at = content_at(elf->content, section->offset, section->size);
	return (struct bytes){ at, at ? section->size : 0 };
}
