/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of i386 programs (ELFCLASS32). readelf tells the words of the imports,
 * and objdump the stubs of the PLT: it names each one after its import.
 */
#include "symbols/dynamic.h"
#include "symbols/image.h"
#include "symbols/image_parts.h"
#include "symbols/plt.h"
#include "symbols/sdt.h"
#include "symbols/symtab.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char program_source[] = "#include <stdio.h>\n"
				     "#include <stdlib.h>\n"
				     "#include <string.h>\n"
				     "#include <unistd.h>\n"
				     "int main(int c, char **v)\n"
				     "{\n"
				     "	char *home = getenv(\"HOME\");\n"
				     "	puts(v[0]);\n"
				     "	if (home && strlen(home) > 3)\n"
				     "		return getpid();\n"
				     "	return rand() + c;\n"
				     "}\n";

static const char *const called_names[] = { "puts", "getenv", "strlen", "rand",
					    "getpid" };

static const struct {
	const char *linker, *flags;
} layouts[] = {
	{ "bfd", "" },
	{ "bfd", "-Wl,-z,now" },
	{ "bfd", "-no-pie -fno-pic" },
	{ "bfd", "-no-pie -fno-pic -Wl,-z,now" },
	{ "bfd", "-fcf-protection -Wl,-z,ibtplt" },
	{ "bfd", "-fno-plt" },
	{ "bfd", "-fno-asynchronous-unwind-tables" },
	{ "bfd", "-Wl,--no-ld-generated-unwind-info -Wl,-s" },
	{ "gold", "" },
	{ "gold", "-no-pie -fno-pic" },
	{ "lld", "" },
	{ "lld", "-no-pie -fno-pic" },
	{ "mold", "-no-pie -fno-pic" },
};

static bool
make_program(size_t i)
{
	if (!workshop_links(layouts[i].linker))
		return false;
	workshop_write("program.c", program_source);
	workshop_make("program",
		      "gcc -m32 -w -O2 -fno-builtin -fuse-ld=%s %s "
		      "-o program program.c",
		      layouts[i].linker, layouts[i].flags);
	return true;
}

static const struct import *
import_named(const struct plt *plt, const char *name)
{
	for (size_t i = 0; i < plt->count; i++)
		if (plt->at[i].name && strcmp(plt->at[i].name, name) == 0)
			return &plt->at[i];
	return NULL;
}

START_TEST(every_call_is_seen)
{
	struct image *image;
	const struct plt *plt;

	if (!make_program(_i))
		return;
	image = workshop_open("program");
	plt = image_plt(image);
	for (size_t i = 0; i < array_size(called_names); i++) {
		const struct import *import =
			import_named(plt, called_names[i]);

		ck_assert_msg(import, "no import for %s", called_names[i]);
		ck_assert_msg(import->gate_count || import->called ||
				      import->loaded,
			      "nobody calls %s", called_names[i]);
		ck_assert_str_eq(import->version, "GLIBC_2.0");
	}
	image_unref(image);
}
END_TEST

/* readelf's lines are like "00004004  00000307 R_386_JUMP_SLOT   00000000
 * printf@GLIBC_2.0". */
START_TEST(words_are_those_of_readelf)
{
	char line[1024], name[512];
	unsigned long word;
	struct image *image;
	size_t count = 0;
	FILE *output;

	if (!make_program(_i))
		return;
	image = workshop_open("program");
	output = workshop_read("readelf -rW program");
	while (fgets(line, sizeof(line), output)) {
		const struct import *import;

		if (!strstr(line, "R_386_JUMP_SLOT") ||
		    sscanf(line, "%lx %*s %*s %*s %511[^@\n]", &word, name) !=
			    2)
			continue;
		import = import_named(image_plt(image), name);
		ck_assert_msg(import, "no import for %s", name);
		ck_assert_uint_eq(import->word, word);
		ck_assert_int_eq(import->kind, IMPORT_JUMP);
		count++;
	}
	pclose(output);
	if (!strstr(layouts[_i].flags, "-fno-plt"))
		ck_assert_uint_ge(count, 5);
	image_unref(image);
}
END_TEST

/* Reads the lines of a stub up to an empty line. Returns the address of the
 * stub's indirect jump, or 0 if there is none. */
static unsigned long
jump_of_stub(FILE *output)
{
	unsigned long found = 0;
	char line[1024];

	while (fgets(line, sizeof(line), output) && line[0] != '\n')
		if (!found && strstr(line, "jmp ") && strchr(line, '*'))
			found = strtoul(line, NULL, 16);
	return found;
}

/* objdump begins each stub with a line like "00001040 <printf@plt>:". */
START_TEST(gates_are_the_stubs_of_objdump)
{
	char line[1024], name[512];
	struct image *image;
	size_t count = 0;
	FILE *output;

	if (!make_program(_i) || strstr(layouts[_i].flags, "-fno-plt"))
		return;
	image = workshop_open("program");
	output = workshop_read("objdump -d --no-show-raw-insn program");
	while (fgets(line, sizeof(line), output)) {
		const struct import *import;
		unsigned long gate;
		char *end;

		if (sscanf(line, "%*x <%511[^>\n]", name) != 1)
			continue;
		/* mold's stubs are named NAME$plt */
		end = strstr(name, "plt");
		if (!end || end[3] || end == name || !strchr("@$", *--end))
			continue;
		*end = '\0';
		gate = jump_of_stub(output);
		import = import_named(image_plt(image), name);
		if (!gate || !import)
			continue;
		ck_assert_msg(import->gate_count == 1 &&
				      import->gates[0] == gate,
			      "%s: %zu gates, not at %lx", name,
			      import->gate_count, gate);
		ck_assert(import->stub);
		count++;
	}
	pclose(output);
	ck_assert_uint_ge(count, 5);
	image_unref(image);
}
END_TEST

START_TEST(addends_are_in_the_words)
{
	struct image *image;
	const struct plt *plt;
	const addr_t *initializers;
	const struct symbol *pick, *begin;
	addr_t at, value;
	size_t resolved = 0, count;
	bool found = false;

	workshop_write("kinds.c",
		       "static int one(void) { return 1; }\n"
		       "static void *pick(void) { return one; }\n"
		       "int either(void) __attribute__((ifunc(\"pick\")));\n"
		       "__attribute__((constructor)) static void begin(void)\n"
		       "{ __asm__ volatile(\"\"); }\n"
		       "int f(void) { return 1 + either(); }\n");
	workshop_run("gcc -m32 -O1 -shared -fPIC -nostdlib -o kinds.so "
		     "kinds.c");
	image = workshop_open("kinds.so");
	ck_assert_str_eq(image_arch(image)->name, "i386");
	pick = symtab_find(image, SYMTAB_ALL, "pick");
	begin = symtab_find(image, SYMTAB_ALL, "begin");
	plt = image_plt(image);
	for (size_t i = 0; i < plt->count; i++) {
		if (plt->at[i].kind != IMPORT_IRELATIVE)
			continue;
		ck_assert_uint_eq(plt->at[i].resolver, pick->address);
		resolved++;
	}
	ck_assert(resolved == 1 || import_named(plt, "either"));
	initializers = image_initializers(image, &count);
	for (size_t i = 0; i < count; i++)
		found |= initializers[i] == begin->address;
	ck_assert(found);
	ck_assert(image_relocated_word(image, &at, &value));
	ck_assert_uint_eq(value, begin->address);
	image_unref(image);
}
END_TEST

START_TEST(hash_table_knows_what_is_exported)
{
	struct image *image = workshop_open("/lib32/libc.so.6");
	const struct elf *elf = image_elf(image);
	const struct symtab *symtab = image_symtab(image, SYMTAB_DYNAMIC);
	size_t refused = 0;
	char name[64];

	ck_assert_uint_gt(symtab->count, 1000);
	for (size_t i = 0; i < symtab->count; i++)
		if (symtab->at[i].kind == SYMBOL_FUNCTION)
			ck_assert_msg(dynamic_may_export(elf,
							 symtab->at[i].name),
				      "%s", symtab->at[i].name);
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "no_such_name_%d", i);
		refused += !dynamic_may_export(elf, name);
	}
	ck_assert_uint_eq(refused, 1000);
	image_unref(image);
}
END_TEST

START_TEST(probes_have_short_addresses)
{
	const struct sdts *sdts;
	struct image *image;

	workshop_write("probe.s",
		       ".globl _start\n_start:\nplace: nop\nret\n"
		       ".section .probes, \"aw\", \"progbits\"\n"
		       "raised: .2byte 0\n"
		       ".section .stapsdt.base, \"a\", \"progbits\"\n"
		       "_.stapsdt.base: .space 1\n"
		       ".section .note.stapsdt, \"\", \"note\"\n"
		       ".balign 4\n.4byte 2f - 1f, 4f - 3f, 3\n"
		       "1: .asciz \"stapsdt\"\n2: .balign 4\n"
		       "3: .4byte place, _.stapsdt.base, raised\n"
		       ".asciz \"a\", \"first\", \"-4@%eax\"\n4: .balign 4\n");
	workshop_run("gcc -m32 -nostdlib -static -no-pie -o probe probe.s");
	image = workshop_open("probe");
	sdts = image_sdts(image);
	ck_assert_uint_eq(sdts->list.count, 1);
	ck_assert_uint_eq(sdts->list.at[0].address, image_entry(image));
	ck_assert_uint_ne(sdts->list.at[0].semaphore, 0);
	ck_assert_str_eq(sdts->list.at[0].arguments, "-4@%eax");
	image_unref(image);
}
END_TEST

START_TEST(a_program_says_what_it_expects)
{
	struct image *narrow = workshop_open("/lib32/libc.so.6");
	struct err err;

	ck_assert_int_eq(image_expect(narrow, image_arch(narrow), &err), 0);
	ck_assert_int_eq(image_expect(narrow, arch_of_host(), &err), -ENOEXEC);
	ck_assert_str_eq(err.text,
			 "/lib32/libc.so.6: for i386, not for x86-64");
	image_unref(narrow);
}
END_TEST

Suite *
narrow_suite(void)
{
	Suite *suite = suite_create("symbols/narrow");
	TCase *tests = tcase_create("narrow");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, every_call_is_seen, 0, array_size(layouts));
	tcase_add_loop_test(tests, words_are_those_of_readelf, 0,
			    array_size(layouts));
	tcase_add_loop_test(tests, gates_are_the_stubs_of_objdump, 0,
			    array_size(layouts));
	tcase_add_test(tests, addends_are_in_the_words);
	tcase_add_test(tests, hash_table_knows_what_is_exported);
	tcase_add_test(tests, probes_have_short_addresses);
	tcase_add_test(tests, a_program_says_what_it_expects);
	suite_add_tcase(suite, tests);
	return suite;
}
