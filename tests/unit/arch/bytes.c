/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libc's text is found in a simple way: the file of one of its functions, its
 * section headers, ".text". The instructions are found by decoding one after
 * the other.
 */
#include "tests/unit/arch/bytes.h"

#include "arch/x86_64/insn.h"
#include "base/fd.h"
#include "base/xmalloc.h"
#include "tests/unit/checks.h"

#include <dlfcn.h>
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t
bytes_of(const char *hex, uint8_t *to, size_t room)
{
	size_t n = 0;

	while (*hex) {
		char *end = (char *)hex + 2;

		ck_assert_uint_lt(n, room);
		if (hex[0] != '?')
			to[n] = (uint8_t)strtoul(hex, &end, 16);
		n++;
		hex = end + strspn(end, " ");
	}
	return n;
}

const char *
hex_of(const uint8_t *bytes, size_t length, char *to)
{
	char *at = to;

	*at = '\0';
	for (size_t i = 0; i < length; i++)
		at += sprintf(at, "%s%02x", i ? " " : "", bytes[i]);
	return to;
}

uint64_t
random_u64(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * UINT64_C(0x2545f4914f6cdd1d);
}

unsigned
random_below(uint64_t *state, unsigned below)
{
	return (unsigned)((random_u64(state) >> 32) % below);
}

static const Elf64_Shdr *
section_named(const char *file, const char *name)
{
	const Elf64_Ehdr *head = (const Elf64_Ehdr *)file;
	const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + head->e_shoff);
	const char *names = file + sections[head->e_shstrndx].sh_offset;

	for (unsigned i = 0; i < head->e_shnum; i++) {
		if (!strcmp(names + sections[i].sh_name, name))
			return &sections[i];
	}
	ck_abort_msg("no section %s", name);
}

static void
find_starts(struct text *text)
{
	size_t at = 0;

	text->starts = xcalloc(text->length, sizeof(*text->starts));
	while (at < text->length) {
		struct insn insn;

		if (insn_decode(text->bytes + at, text->length - at, at,
				&insn) < 0) {
			text->unknown++;
			at++;
			continue;
		}
		text->starts[text->count++] = at;
		at += insn.length;
	}
}

void
text_of_libc(struct text *ret_text)
{
	cleanup(freep) char *file = NULL;
	const Elf64_Shdr *section;
	Dl_info info;

	ck_assert_int_ne(dladdr(dlsym(RTLD_DEFAULT, "gnu_get_libc_version"),
				&info),
			 0);
	ck_assert_int_eq(fd_read_file(info.dli_fname, &file, NULL), 0);
	section = section_named(file, ".text");
	*ret_text = (struct text){ .length = section->sh_size };
	ret_text->bytes = xmalloc(section->sh_size);
	memcpy(ret_text->bytes, file + section->sh_offset, section->sh_size);
	find_starts(ret_text);
}
