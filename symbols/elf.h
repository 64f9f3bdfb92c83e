/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An elf is an ELF file with its headers taken apart: what the files of this
 * room read, and the rest of the house does not see. Everything is checked
 * against the length of the file: what lies outside is NULL, never a fault.
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

/* The whole strings among size bytes; what follows the last NUL is cut. */
struct strings strings_of(const uint8_t *bytes, size_t size);

static inline const char *
strings_at(const struct strings *strings, uint64_t offset)
{
	return offset < strings->size ? strings->at + offset : NULL;
}

/* Bytes of a file; at is NULL if they are not there. */
struct bytes {
	const uint8_t *at;
	size_t count;
};

struct section {
	const char *name; /* "" where it has none */
	size_t index;	  /* in the table of section headers */
	uint32_t type;
	uint32_t link;
	uint64_t flags;
	addr_t address;
	uint64_t offset;
	uint64_t size;
	bool present; /* its bytes are in the file */
};

/* DT_GNU_HASH, as symbols/dynamic has found it. */
struct gnu_hash {
	const uint8_t *buckets; /* bucket_count words */
	const uint8_t *chains;	/* one word for each symbol from first on */
	uint32_t bucket_count;	/* 0: there is no such table */
	uint32_t first;
	uint32_t end; /* the number of symbols */
};

struct elf {
	const struct arch *arch; /* what the file is made for */
	struct content *content; /* the caller's */
	struct Elf *file;
	enum image_type type;
	addr_t entry;
	addr_t dynamic; /* 0 where there is none */
	uint64_t dynamic_size;
	struct gnu_hash gnu_hash;
	addr_t eh_frame_hdr; /* PT_GNU_EH_FRAME, 0 where there is none */
	uint64_t tls_size, tls_align; /* PT_TLS, 0 where there is none */
	const char *interpreter;
	char *build_id;
	bool go; /* there is a note by Go's linker */
	/* Only what was stripped from another file: it has the program
	 * headers, but not the bytes that they speak of. */
	bool hollow;
	vec_of(struct segment) segments;
	struct section *sections; /* none where there are no headers */
	size_t section_count;
};

/* -ENOEXEC, with a sentence about name, for what this machine cannot run;
 * to be released then too. */
must_check int elf_init(struct elf *elf, struct content *content,
			const char *name, struct err *err);
void elf_release(struct elf *elf);

/* The file's bytes that are loaded at an address: as many as there are up to
 * the end of the segment, but no more than most. */
struct bytes elf_bytes(const struct elf *elf, addr_t from, uint64_t most);
/* Exactly length bytes, or NULL. */
const uint8_t *elf_span(const struct elf *elf, addr_t from, uint64_t length);
/* A copy, zeros beyond what the file has: 0 or -EFAULT. */
must_check int elf_read(const struct elf *elf, addr_t from, void *to,
			size_t length);

/* The segment around an address, or NULL. */
const struct segment *elf_segment(const struct elf *elf, addr_t address);
/* The executable segment around an address, or NULL. */
const struct segment *elf_text(const struct elf *elf, addr_t address);

/* The first of that name, or type, with bytes in the file, or NULL. */
const struct section *elf_section(const struct elf *elf, const char *name);
const struct section *elf_section_of(const struct elf *elf, uint32_t type);
/* Its bytes, inflated if they are compressed. They are valid until
 * elf_release(). */
struct bytes elf_section_bytes(const struct elf *elf,
			       const struct section *section);

#endif
