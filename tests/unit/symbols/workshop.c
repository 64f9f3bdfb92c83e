/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/symbols/workshop.h"

#include "base/fd.h"
#include "base/xmalloc.h"
#include "tests/unit/checks.h"

#include <elf.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

void
workshop_build(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/xtrace-symbols.XXXXXX",
		 parent ? parent : "/tmp");
	if (!mkdtemp(folder) || chdir(folder) < 0) {
		perror(folder);
		exit(1);
	}
	/* readelf and objdump must print English. */
	setenv("LC_ALL", "C", 1);
}

void
workshop_clear(void)
{
	if (chdir("/") < 0 || !workshop_try("rm -rf '%s'", folder))
		perror(folder);
}

void
workshop_write(const char *name, const char *text)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(text, file), 0);
	ck_assert_int_eq(fclose(file), 0);
}

static char *command_line(const char *format, va_list arguments)
	printf_like(1, 0);

static char *
command_line(const char *format, va_list arguments)
{
	char *text;

	/* Not ck_assert, because the workshop is removed when no test is
	 * running. */
	if (vasprintf(&text, format, arguments) < 0)
		abort();
	return text;
}

void
workshop_run(const char *format, ...)
{
	va_list arguments;
	char *command;

	va_start(arguments, format);
	command = command_line(format, arguments);
	va_end(arguments);
	ck_assert_msg(system(command) == 0, "failed: %s", command);
	free(command);
}

/* The name of a file for what this command makes: a hash of the command
 * (FNV-1a). */
static void
name_copy(const char *command, char ret_name[32])
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *command; command++)
		hash = (hash ^ (uint8_t)*command) * 0x100000001b3;
	snprintf(ret_name, 32, "made.%016lx", (unsigned long)hash);
}

/* The copy is a file of its own: tests replace and change what they make. */
static void
copy(const char *from, const char *to)
{
	char *bytes;
	size_t length;
	FILE *file;

	ck_assert_int_eq(fd_read_file(from, &bytes, &length), 0);
	unlink(to);
	file = fopen(to, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
	free(bytes);
}

void
workshop_make(const char *file, const char *format, ...)
{
	va_list arguments;
	char *command, made[32];

	va_start(arguments, format);
	command = command_line(format, arguments);
	va_end(arguments);
	name_copy(command, made);
	if (access(made, F_OK) < 0) {
		unlink(file);
		ck_assert_msg(system(command) == 0, "failed: %s", command);
		copy(file, made);
	} else {
		copy(made, file);
	}
	free(command);
}

bool
workshop_try(const char *format, ...)
{
	va_list arguments;
	char *command, *quiet;
	int status;

	va_start(arguments, format);
	command = command_line(format, arguments);
	va_end(arguments);
	quiet = xasprintf("{ %s; } >/dev/null 2>&1", command);
	status = system(quiet);
	free(quiet);
	free(command);
	return status == 0;
}

FILE *
workshop_read(const char *format, ...)
{
	va_list arguments;
	char *command;
	FILE *output;

	va_start(arguments, format);
	command = command_line(format, arguments);
	va_end(arguments);
	output = popen(command, "r");
	ck_assert_ptr_nonnull(output);
	free(command);
	return output;
}

bool
workshop_links(const char *linker)
{
	if (workshop_try("command -v ld.%s || command -v %s", linker, linker))
		return true;
	fprintf(stderr, "unit-symbols: no linker %s here, left out\n", linker);
	return false;
}

struct image *
workshop_open(const char *name)
{
	struct image *image = NULL;
	struct err err;

	ck_assert_msg(image_open(name, name, &image, &err) == 0, "%s",
		      err.text);
	return image;
}

void
workshop_strip_sections(const char *from, const char *to)
{
	Elf64_Ehdr *header;
	char *bytes;
	size_t length;
	FILE *file;

	ck_assert_int_eq(fd_read_file(from, &bytes, &length), 0);
	header = (Elf64_Ehdr *)bytes;
	memset(bytes + header->e_shoff, 0xee,
	       (size_t)header->e_shnum * sizeof(Elf64_Shdr));
	header->e_shoff = 0;
	header->e_shnum = header->e_shstrndx = header->e_shentsize = 0;
	file = fopen(to, "w");
	ck_assert_ptr_nonnull(file);
	ck_assert_uint_eq(fwrite(bytes, 1, length, file), length);
	ck_assert_int_eq(fclose(file), 0);
	free(bytes);
}

const struct symbol *
workshop_function(struct image *image, const char *name)
{
	const struct symbol *found = symtab_find(image, SYMTAB_ALL, name);
	const struct symtab *symtab = image_symtab(image, SYMTAB_ALL);

	ck_assert_msg(found, "no symbol %s", name);
	for (size_t i = 0; i < symtab->count; i++)
		if (workshop_same(&symtab->at[i], found))
			return &symtab->at[i];
	ck_abort_msg("%s is not in the table", name);
}

bool
workshop_same(const struct symbol *a, const struct symbol *b)
{
	return strcmp(a->name, b->name) == 0 && a->address == b->address &&
	       a->size == b->size && a->kind == b->kind &&
	       a->binding == b->binding &&
	       a->default_version == b->default_version &&
	       a->dynamic == b->dynamic && !a->version == !b->version &&
	       (!a->version || strcmp(a->version, b->version) == 0);
}

size_t
workshop_functions(const struct symtab *symtab)
{
	size_t count = 0;

	for (size_t i = 0; i < symtab->count; i++)
		count += symtab->at[i].kind <= SYMBOL_PART;
	return count;
}

unsigned long
workshop_hex(const char *key, const char *format, ...)
{
	va_list arguments;
	char *command, line[1024], *found = NULL;
	unsigned long value = 0;
	FILE *output;

	va_start(arguments, format);
	command = command_line(format, arguments);
	va_end(arguments);
	output = workshop_read("%s", command);
	while (!found && fgets(line, sizeof(line), output))
		found = strstr(line, key);
	if (found)
		value = strtoul(found + strlen(key), NULL, 16);
	while (fgets(line, sizeof(line), output))
		continue;
	pclose(output);
	ck_assert_msg(found, "no '%s' in: %s", key, command);
	free(command);
	return value;
}
