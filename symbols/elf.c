/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An ELF file taken apart by libelf (System V gABI, chapters 4 and 5). This
 * file and its parts (elf_*.c) are the only ones that include libelf.
 *
 * A file may be truncated, may contain wrong numbers, may have no section
 * headers, or may have section headers without the bytes (a debug file). A
 * broken table is an empty table. A file is refused only if no kernel would run
 * it.
 *
 * libelf gets the copy of the file that the content has, with elf_memory().
 * Of this copy it may only read what content_at() has read before, so each
 * offset of the file is checked here first. Also checked here, because libelf
 * does not do it (elfutils 0.188):
 *
 * - A wrong table of section headers makes elf_memory() fail, although
 *   kernels run the file. The header in our copy then says that there is none.
 * - A compressed section is allocated with the size that it claims.
 *
 * What libelf does not know (PT_DYNAMIC of files without section headers, the
 * hash tables) is in symbols/dynamic.
 */
#include "symbols/elf.h"

#include "base/die.h"
#include "base/xmalloc.h"

#include <errno.h>
#include <gelf.h>
#include <libelf.h>
#include <string.h>

/*
 * The kernel runs no file with more bytes of program headers
 * (fs/binfmt_elf.c, load_elf_phdrs).
 */
#define PROGRAM_HEADERS_MOST 65536u

/* A table of symbols that inflates to more is not read. */
#define INFLATED_MOST (UINT64_C(256) << 20)

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

/*
 * Copies as many of length bytes as are in one piece of the file. Returns how
 * many, or 0.
 */
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

/* ---- headers -------------------------------------------------------------*/

static const struct arch *
arch_of(const Elf64_Ehdr *header)
{
	return arch_of_file(header->e_machine, header->e_ident[EI_CLASS],
			    header->e_ident[EI_DATA]);
}

/* The sizes of headers depend on the file's class. */
static const struct header_sizes {
	size_t file, program, section;
} sizes_64 = { sizeof(Elf64_Ehdr), sizeof(Elf64_Phdr), sizeof(Elf64_Shdr) },
  sizes_32 = { sizeof(Elf32_Ehdr), sizeof(Elf32_Phdr), sizeof(Elf32_Shdr) };

static bool
is_narrow(const Elf64_Ehdr *header)
{
	return header->e_ident[EI_CLASS] == ELFCLASS32;
}

static const struct header_sizes *
sizes_of(const Elf64_Ehdr *header)
{
	return is_narrow(header) ? &sizes_32 : &sizes_64;
}

/* The header of either class, as that of ELFCLASS64. False if the file is too
 * short. */
static bool
take_header(struct content *content, Elf64_Ehdr *ret_header)
{
	const uint8_t *bytes = content_at(content, 0, sizeof(Elf32_Ehdr));
	Elf32_Ehdr narrow;

	if (!bytes)
		return false;
	memcpy(&narrow, bytes, sizeof(narrow));
	if (narrow.e_ident[EI_CLASS] != ELFCLASS32) {
		bytes = content_at(content, 0, sizeof(*ret_header));
		if (bytes)
			memcpy(ret_header, bytes, sizeof(*ret_header));
		return bytes;
	}
	*ret_header = (Elf64_Ehdr){
		.e_type = narrow.e_type,
		.e_machine = narrow.e_machine,
		.e_version = narrow.e_version,
		.e_entry = narrow.e_entry,
		.e_phoff = narrow.e_phoff,
		.e_shoff = narrow.e_shoff,
		.e_flags = narrow.e_flags,
		.e_ehsize = narrow.e_ehsize,
		.e_phentsize = narrow.e_phentsize,
		.e_phnum = narrow.e_phnum,
		.e_shentsize = narrow.e_shentsize,
		.e_shnum = narrow.e_shnum,
		.e_shstrndx = narrow.e_shstrndx,
	};
	memcpy(ret_header->e_ident, narrow.e_ident, EI_NIDENT);
	return true;
}

static int
read_header(struct content *content, Elf64_Ehdr *ret_header, const char *name,
	    struct err *err)
{
	Elf64_Ehdr header;

	if (!take_header(content, &header) ||
	    memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
		return err_set(err, -ENOEXEC, "%s: not an ELF file", name);
	if (!arch_of(&header) && is_narrow(&header))
		return err_set(err, -ENOEXEC,
			       "%s: a 32-bit file, which is not supported",
			       name);
	if (!arch_of(&header))
		return err_set(err, -ENOEXEC, "%s: not for %s (ELF machine %u)",
			       name, arch_of_host()->name, header.e_machine);
	if (header.e_type != ET_EXEC && header.e_type != ET_DYN)
		return err_set(err, -ENOEXEC,
			       "%s: neither a program nor a library "
			       "(ELF type %u)",
			       name, header.e_type);
	*ret_header = header;
	return 0;
}

/* Counts that do not fit in the header are in section 0 (gABI 4, "Section
 * Header"). */
static bool
has_sections(struct content *content, const Elf64_Ehdr *header)
{
	const size_t size = sizes_of(header)->section;
	const uint8_t *bytes = content_at(content, header->e_shoff, size);
	uint64_t count = header->e_shnum;
	Elf32_Shdr narrow;
	Elf64_Shdr first;

	if (!header->e_shoff || !bytes || header->e_shentsize != size)
		return false;
	if (!count && is_narrow(header)) {
		memcpy(&narrow, bytes, sizeof(narrow));
		count = narrow.sh_size;
	} else if (!count) {
		memcpy(&first, bytes, sizeof(first));
		count = first.sh_size;
	}
	return count && count <= content->length / size &&
	       content_at(content, header->e_shoff, count * size);
}

/* Writes to the copy that the file has no section headers. */
static void
drop_sections(struct content *content, const Elf64_Ehdr *header)
{
	Elf32_Ehdr narrow;
	Elf64_Ehdr wide;

	if (is_narrow(header)) {
		memcpy(&narrow, content->bytes, sizeof(narrow));
		narrow.e_shoff = narrow.e_shnum = narrow.e_shstrndx = 0;
		memcpy(content->bytes, &narrow, sizeof(narrow));
	} else {
		memcpy(&wide, content->bytes, sizeof(wide));
		wide.e_shoff = wide.e_shnum = wide.e_shstrndx = 0;
		memcpy(content->bytes, &wide, sizeof(wide));
	}
}

/*
 * Gives the copy of the file to libelf. First changes in its header what libelf
 * would reject and the kernel does not read.
 */
static void
open_file(struct elf *elf, const Elf64_Ehdr *header)
{
	struct content *content = elf->content;

	content->bytes[EI_VERSION] = EV_CURRENT;
	if (!has_sections(content, header))
		drop_sections(content, header);
	elf_version(EV_CURRENT);
	elf->file = elf_memory((char *)content->bytes, content->length);
	/* The header was made valid above, so elf_memory() fails only if memory
	 * is short. */
	if (!elf->file)
		die("out of memory");
}

static void
add_segment(struct elf *elf, const GElf_Phdr *header)
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

/* Go's linker writes its own build-id into each program (cmd/internal/buildid,
 * note.go). */
#define NT_GO_BUILD_ID 4

static void
read_note(struct elf *elf, const GElf_Nhdr *note, const char *name,
	  const uint8_t *description)
{
	if (note->n_namesz != 4 || !note->n_descsz)
		return;
	if (note->n_type == NT_GNU_BUILD_ID && !elf->build_id &&
	    memcmp(name, "GNU", 4) == 0)
		set_build_id(elf, description, note->n_descsz);
	if (note->n_type == NT_GO_BUILD_ID && memcmp(name, "Go\0", 4) == 0)
		elf->go = true;
}

/* Takes the build-ids from notes (gABI 5, "Note Section"). */
static void
read_notes(struct elf *elf, Elf_Data *data)
{
	size_t next, name, description;
	GElf_Nhdr note;

	for (size_t at = 0;; at = next) {
		next = gelf_getnote(data, at, &note, &name, &description);
		if (!next)
			return;
		read_note(elf, &note, (char *)data->d_buf + name,
			  (uint8_t *)data->d_buf + description);
	}
}

static void
read_note_segment(struct elf *elf, const GElf_Phdr *header)
{
	const Elf_Type type = header->p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR;
	/* The last note need not be padded, but libelf wants it to be. */
	uint64_t size = (header->p_filesz + 3) & ~UINT64_C(3);
	Elf_Data *data;

	if (!content_at(elf->content, header->p_offset, size))
		size = header->p_filesz;
	if (!content_at(elf->content, header->p_offset, size))
		return;
	errno = 0;
	data = elf_getdata_rawchunk(elf->file, (int64_t)header->p_offset, size,
				    type);
	if (!data && errno == ENOMEM)
		die("out of memory");
	read_notes(elf, data);
}

static void
read_program_header(struct elf *elf, const GElf_Phdr *header)
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
		read_note_segment(elf, header);
		break;
	}
}

static int
read_program_headers(struct elf *elf, const Elf64_Ehdr *header,
		     const char *name, struct err *err)
{
	const size_t each_size = sizes_of(header)->program;
	const uint64_t size = header->e_phnum * each_size;
	GElf_Phdr each;

	if (!size || header->e_phentsize != each_size ||
	    size > PROGRAM_HEADERS_MOST ||
	    !content_at(elf->content, header->e_phoff, size))
		return err_set(err, -ENOEXEC, "%s: damaged, no program headers",
			       name);
	for (int i = 0; i < header->e_phnum; i++)
		if (gelf_getphdr(elf->file, i, &each))
			read_program_header(elf, &each);
	return 0;
}

static void
read_section(struct elf *elf, size_t index, const struct strings *names,
	     struct section *ret_section)
{
	const uint64_t length = elf->content->length;
	const char *name;
	GElf_Shdr header = { 0 };

	gelf_getshdr(elf_getscn(elf->file, index), &header);
	name = strings_at(names, header.sh_name);
	*ret_section = (struct section){
		.name = name ? name : "",
		.index = index,
		.type = header.sh_type,
		.link = header.sh_link,
		.flags = header.sh_flags,
		.address = header.sh_addr,
		.offset = header.sh_offset,
		.size = header.sh_size,
		.present = header.sh_type != SHT_NOBITS &&
			   header.sh_offset <= length &&
			   header.sh_size <= length - header.sh_offset,
	};
}

static struct strings
section_names(struct elf *elf)
{
	struct strings none = { 0 };
	struct section section;
	struct bytes bytes;
	size_t index;

	if (elf_getshdrstrndx(elf->file, &index) < 0)
		return none;
	read_section(elf, index, &none, &section);
	bytes = elf_section_bytes(elf, &section);
	return strings_of(bytes.at, bytes.count);
}

static void
read_sections(struct elf *elf)
{
	struct strings names;
	size_t count;

	if (elf_getshdrnum(elf->file, &count) < 0 || !count)
		return;
	names = section_names(elf);
	elf->sections = xcalloc(count, sizeof(*elf->sections));
	elf->section_count = count;
	for (size_t i = 0; i < count; i++) {
		struct section *section = &elf->sections[i];

		read_section(elf, i, &names, section);
		if (section->type == SHT_NOBITS && section->size &&
		    section->flags & SHF_EXECINSTR &&
		    elf_text(elf, section->address))
			elf->hollow = true;
	}
}

static void
read_note_sections(struct elf *elf)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct section *section = &elf->sections[i];

		if (section->type == SHT_NOTE &&
		    elf_section_bytes(elf, section).at)
			read_notes(elf,
				   elf_getdata(elf_getscn(elf->file, i), NULL));
	}
}

int
elf_init(struct elf *elf, struct content *content, const char *name,
	 struct err *err)
{
	Elf64_Ehdr header = { .e_ident = "" };
	int error = read_header(content, &header, name, err);

	*elf = (struct elf){ .content = content };
	if (error)
		return error;
	open_file(elf, &header);
	elf->arch = arch_of(&header);
	elf->type = header.e_type == ET_EXEC ? IMAGE_FIXED : IMAGE_RELOCATABLE;
	elf->entry = header.e_entry;
	error = read_program_headers(elf, &header, name, err);
	if (error)
		return error;
	read_sections(elf);
	if (!elf->build_id)
		read_note_sections(elf);
	return 0;
}

void
elf_release(struct elf *elf)
{
	elf_end(elf->file);
	vec_release(&elf->segments);
	free(elf->sections);
	free(elf->build_id);
}

/* ---- segments and sections -----------------------------------------------*/

const struct segment *
elf_text(const struct elf *elf, addr_t address)
{
	const struct segment *segment = elf_segment(elf, address);

	return segment && segment->executable ? segment : NULL;
}

const struct section *
elf_section(const struct elf *elf, const char *name)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct section *section = &elf->sections[i];

		if (section->present && strcmp(section->name, name) == 0)
			return section;
	}
	return NULL;
}

const struct section *
elf_section_of(const struct elf *elf, uint32_t type)
{
	for (size_t i = 0; i < elf->section_count; i++) {
		const struct section *section = &elf->sections[i];

		if (section->present && section->type == type)
			return section;
	}
	return NULL;
}

/* Inflates a section. Later calls find it inflated. */
static bool
inflate(Elf_Scn *scn)
{
	GElf_Shdr header;
	GElf_Chdr compression;

	if (!gelf_getshdr(scn, &header))
		return false;
	if (!(header.sh_flags & SHF_COMPRESSED))
		return true;
	return gelf_getchdr(scn, &compression) &&
	       compression.ch_size <= INFLATED_MOST &&
	       elf_compress(scn, 0, 0) >= 0;
}

struct bytes
elf_section_bytes(const struct elf *elf, const struct section *section)
{
	Elf_Scn *scn = elf_getscn(elf->file, section->index);
	Elf_Data *data = NULL;

	if (!section->present ||
	    !content_at(elf->content, section->offset, section->size))
		return (struct bytes){ 0 };
	errno = 0;
	if (!(section->flags & SHF_COMPRESSED) || inflate(scn))
		data = elf_rawdata(scn, NULL);
	if (!data && errno == ENOMEM)
		die("out of memory");
	return data ? (struct bytes){ data->d_buf, data->d_size }
		    : (struct bytes){ 0 };
}
