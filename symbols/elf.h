/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The headers of an ELF file, taken apart. Only the files of this room use
 * this. Every offset is checked against the length of the file: a part that is
 * outside of the file is NULL.
 */
#ifndef SYMBOLS_ELF_H
#define SYMBOLS_ELF_H

#include "arch/arch.h"
#include "base/vec.h"
#include "symbols/content.h"
#include "symbols/image.h"

#include <elf.h>

struct Elf; /* libelf's handle */

/* A string table: its last byte is a NUL, so every offset below size is the
 * start of a terminated string. */
struct strings {
	const char *at;
	size_t size;
};

/* The complete strings in size bytes; bytes after the last NUL are cut off. */
struct strings strings_of(const uint8_t *bytes, size_t size);

static inline const char *
strings_at(const struct strings *strings, uint64_t offset)
{
	return offset < strings->size ? strings->at + offset : NULL;
}

/* Bytes of a file; at is NULL if the file does not have them. */
struct bytes {
	const uint8_t *at;
	size_t count;
};

struct section {
	const char *name; /* "" if it has no name */
	size_t index;	  /* index in the table of section headers */
	uint32_t type;
	uint32_t link;
	uint64_t flags;
	addr_t address;
	uint64_t offset;
	uint64_t size;
	bool present; /* the section's bytes are in the file */
};

/* The table of DT_GNU_HASH, as symbols/dynamic finds it. */
struct gnu_hash {
	const uint8_t *bloom;	/* bloom_count addresses */
	const uint8_t *buckets; /* bucket_count words */
	const uint8_t *chains;	/* one word for each symbol from first on */
	uint32_t bucket_count;	/* 0 if there is no DT_GNU_HASH */
	uint32_t bloom_count, bloom_shift;
	uint32_t first;
	uint32_t end; /* the number of symbols */
};

struct elf {
	/* the kind of program that the file is made for; its ELF class says
	 * whether headers and tables have their 32-bit forms */
	const struct arch *arch;
	struct content *content; /* owned by the caller of elf_init() */
	struct Elf *file;
	enum image_type type;
	addr_t entry;
	addr_t dynamic; /* address of PT_DYNAMIC, 0 if there is none */
	uint64_t dynamic_size;
	struct gnu_hash gnu_hash;
	/* address of PT_GNU_EH_FRAME, 0 if there is none */
	addr_t eh_frame_hdr;
	/* size and alignment of PT_TLS, 0 if there is none */
	uint64_t tls_size, tls_align;
	const char *interpreter;
	char *build_id;
	bool go; /* the file has a note of Go's linker */
	/*
	 * A debug file: it has the program headers of the file from which it
	 * was stripped, but not the bytes of its segments.
	 */
	bool hollow;
	vec_of(struct segment) segments;
	struct section *sections; /* NULL if there are no section headers */
	size_t section_count;
};

/*
 * Returns -ENOEXEC and a sentence about name if this machine cannot run the
 * file. elf_release() must be called then, too.
 */
must_check int elf_init(struct elf *elf, struct content *content,
			const char *name, struct err *err);
void elf_release(struct elf *elf);

/* Is it a file of ELFCLASS32? */
static inline bool
elf_narrow(const struct elf *elf)
{
	return elf->arch->elf.class == ELFCLASS32;
}

/* An address of the file's class, at any alignment. */
static inline addr_t
elf_address(const struct elf *elf, const uint8_t *bytes)
{
	addr_t address = 0;

	__builtin_memcpy(&address, bytes, elf->arch->word);
	return address;
}

/* The file's bytes that are loaded at an address: as many as there are up to
 * the end of the segment, but no more than most. */
struct bytes elf_bytes(const struct elf *elf, addr_t from, uint64_t most);
/* Exactly length bytes of the file, or NULL. */
const uint8_t *elf_span(const struct elf *elf, addr_t from, uint64_t length);
/*
 * Copies length bytes. Bytes that are only in memory, not in the file, are 0.
 * Returns 0 or -EFAULT.
 */
must_check int elf_read(const struct elf *elf, addr_t from, void *to,
			size_t length);

/* The segment that contains the address, or NULL. */
const struct segment *elf_segment(const struct elf *elf, addr_t address);
/* The executable segment that contains the address, or NULL. */
const struct segment *elf_text(const struct elf *elf, addr_t address);

/*
 * The first section with this name, or of this type, whose bytes are in the
 * file; or NULL.
 */
const struct section *elf_section(const struct elf *elf, const char *name);
const struct section *elf_section_of(const struct elf *elf, uint32_t type);
/*
 * The section's bytes, inflated if they are compressed. They are valid until
 * elf_release().
 */
struct bytes elf_section_bytes(const struct elf *elf,
			       const struct section *section);

#endif
