/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Imports and gates of one program, built with each linker and each set of
 * flags that this test knows. readelf tells the places of the imports, and
 * objdump how the text uses them.
 */
#include "symbols/plt.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include "arch/x86_64/insn.h"
#include "base/map.h"

#include <stdlib.h>
#include <string.h>

/* puts, strlen, getenv, rand are called; getpid is a tail call; the address of
 * abort is taken. */
static const char program_source[] = "#include <stdio.h>\n"
				     "#include <stdlib.h>\n"
				     "#include <string.h>\n"
				     "#include <unistd.h>\n"
				     "int last(void) { return getpid(); }\n"
				     "int main(int c, char **v)\n"
				     "{\n"
				     "	char *home = getenv(\"HOME\");\n"
				     "	puts(v[0]);\n"
				     "	if (c > 5)\n"
				     "		return getpid();\n"
				     "	if (home && strlen(home) > 3)\n"
				     "		return atexit(abort);\n"
				     "	return rand() + last();\n"
				     "}\n";

static const char *const called_names[] = { "puts", "getenv", "strlen", "rand",
					    "getpid" };

static const struct {
	const char *compiler, *linker, *flags;
} layouts[] = {
	{ "gcc", "bfd", "" },
	{ "gcc", "bfd", "-Wl,-z,lazy" },
	{ "gcc", "bfd", "-Wl,-z,now" },
	{ "gcc", "bfd", "-fcf-protection -Wl,-z,ibtplt" },
	{ "gcc", "bfd", "-fcf-protection -Wl,-z,ibtplt,-z,now" },
	{ "gcc", "bfd", "-Wl,-z,bndplt,-z,lazy" },
	{ "gcc", "bfd", "-no-pie -fno-pic" },
	{ "gcc", "bfd", "-no-pie -fno-pic -Wl,-z,now" },
	{ "gcc", "bfd", "-fno-plt" },
	{ "gcc", "bfd", "-fno-plt -no-pie -fno-pic" },
	{ "gcc", "bfd", "-fno-asynchronous-unwind-tables" },
	{ "gcc", "bfd", "-Wl,--no-ld-generated-unwind-info -Wl,-s" },
	{ "clang", "bfd", "-fno-plt" },
	{ "clang", "lld", "-fno-plt -O1" },
	{ "gcc", "gold", "" },
	{ "gcc", "gold", "-Wl,-z,now" },
	{ "gcc", "gold", "-no-pie -fno-pic" },
	{ "gcc", "lld", "" },
	{ "gcc", "lld", "-Wl,-z,now" },
	{ "gcc", "lld", "-no-pie -fno-pic" },
	{ "clang", "lld", "-fcf-protection -Wl,-z,force-ibt" },
	{ "gcc", "lld", "-Wl,-z,retpolineplt" },
	{ "gcc", "lld", "-Wl,-s" },
	{ "gcc", "mold", "" },
	{ "gcc", "mold", "-Wl,-z,now" },
	{ "gcc", "mold", "-no-pie -fno-pic" },
	{ "gcc", "mold", "-fcf-protection -Wl,-z,ibt" },
	{ "gcc", "mold", "-Wl,-s" },
	{ "gcc", "bfd", "-static" },
	{ "gcc", "bfd", "-static-pie" },
	{ "gcc", "lld", "-static" },
	{ "gcc", "mold", "-static" },
};

/* False if the linker is not installed. */
static bool
make_program(size_t i)
{
	if (!workshop_links(layouts[i].linker))
		return false;
	workshop_write("program.c", program_source);
	workshop_make("program",
		      "%s -w -O2 -fuse-ld=%s %s -o program program.c 2>&1 | "
		      "grep -v warning: >&2; test -e program",
		      layouts[i].compiler, layouts[i].linker, layouts[i].flags);
	return true;
}

/* ---- the oracle --------------------------------------------------------- */

struct oracle {
	struct map imports; /* address -> struct import */
	size_t gates;
	struct map called; /* imports that are called according to objdump */
	/* imports that are loaded from, according to objdump */
	struct map loaded;
};

static const struct import *
import_of_line(const struct oracle *oracle, const char *line)
{
	const char *comment = strstr(line, "(%rip)");

	comment = comment ? strstr(comment, "# ") : NULL;
	return comment ? map_get(&oracle->imports,
				 strtoul(comment + 2, NULL, 16))
		       : NULL;
}

static bool
has_gate(const struct import *import, addr_t address)
{
	for (size_t i = 0; i < import->gate_count; i++)
		if (import->gates[i] == address)
			return true;
	return false;
}

static bool
loads(const char *text)
{
	const char *comma = strchr(text, ',');

	return strncmp(text, "push", 4) == 0 || strncmp(text, "cmov", 4) == 0 ||
	       (strncmp(text, "mov ", 4) == 0 && comma && comma[1] == '%');
}

/* Checks a line of objdump, like "  401030:\tjmp    *0x2fca(%rip)        #
 * 404000 <puts@GLIBC_2.2.5>". */
static void
check_line(struct oracle *oracle, const char *line)
{
	const struct import *import = import_of_line(oracle, line);
	const char *text = strchr(line, '\t');

	if (!import || !text)
		return;
	text++;
	if (strstr(text, "jmp ")) {
		ck_assert_msg(has_gate(import, strtoul(line, NULL, 16)),
			      "no gate: %s", line);
		oracle->gates++;
	} else if (strstr(text, "call ")) {
		map_put(&oracle->called, import->word, oracle);
	} else if (loads(text)) {
		map_put(&oracle->loaded, import->word, oracle);
	}
}

static void
check_against_objdump(const char *file)
{
	struct image *image = workshop_open(file);
	const struct plt *plt = image_plt(image);
	struct oracle oracle = { .gates = 0 };
	FILE *output;
	char line[2048];
	size_t gates = 0;

	map_init(&oracle.imports);
	map_init(&oracle.called);
	map_init(&oracle.loaded);
	for (size_t i = 0; i < plt->count; i++)
		map_put(&oracle.imports, plt->at[i].word, (void *)&plt->at[i]);
	output = workshop_read("objdump -d --no-show-raw-insn %s", file);
	while (fgets(line, sizeof(line), output))
		check_line(&oracle, line);
	pclose(output);
	for (size_t i = 0; i < plt->count; i++) {
		gates += plt->at[i].gate_count;
		ck_assert_msg(plt->at[i].called == !!map_get(&oracle.called,
							     plt->at[i].word),
			      "%s %s", plt->at[i].name,
			      plt->at[i].called ? "called" : "not called");
		ck_assert_msg(plt->at[i].loaded == !!map_get(&oracle.loaded,
							     plt->at[i].word),
			      "%s %s", plt->at[i].name,
			      plt->at[i].loaded ? "loaded" : "not loaded");
	}
	ck_assert_uint_eq(gates, oracle.gates);
	map_release(&oracle.called);
	map_release(&oracle.loaded);
	map_release(&oracle.imports);
	image_unref(image);
}

START_TEST(gates_are_those_of_objdump)
{
	if (make_program(_i))
		check_against_objdump("program");
}
END_TEST

static const char *const files[] = {
	"/usr/bin/bash",
	"/lib/x86_64-linux-gnu/libm.so.6",
	"/usr/lib/x86_64-linux-gnu/libmariadb.so.3",
};

START_TEST(gates_of_real_files)
{
	if (workshop_try("test -e %s", files[_i]))
		check_against_objdump(files[_i]);
	else
		fprintf(stderr, "unit-symbols: no %s, left out\n", files[_i]);
}
END_TEST

/* ---- without the oracle's help ------------------------------------------ */

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

	if (strstr(layouts[_i].flags, "-static") || !make_program(_i))
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
		ck_assert_str_eq(import->version, "GLIBC_2.2.5");
	}
	image_unref(image);
}
END_TEST

static void
check_same(const struct plt *a, const struct plt *b)
{
	ck_assert_uint_eq(a->count, b->count);
	for (size_t i = 0; i < a->count; i++) {
		ck_assert_uint_eq(a->at[i].word, b->at[i].word);
		ck_assert_int_eq(a->at[i].called, b->at[i].called);
		ck_assert_int_eq(a->at[i].loaded, b->at[i].loaded);
		ck_assert_uint_eq(a->at[i].gate_count, b->at[i].gate_count);
		for (size_t g = 0; g < a->at[i].gate_count; g++)
			ck_assert_uint_eq(a->at[i].gates[g], b->at[i].gates[g]);
	}
}

START_TEST(section_headers_are_not_needed)
{
	struct image *whole, *bare;

	if (strstr(layouts[_i].flags, "-static") || !make_program(_i))
		return;
	workshop_strip_sections("program", "bare");
	whole = workshop_open("program");
	bare = workshop_open("bare");
	check_same(image_plt(whole), image_plt(bare));
	image_unref(bare);
	image_unref(whole);
}
END_TEST

START_TEST(gates_are_instructions)
{
	struct image *image;
	const struct plt *plt;
	struct insn insn;
	uint8_t bytes[16];

	if (!make_program(_i))
		return;
	image = workshop_open("program");
	plt = image_plt(image);
	for (size_t i = 0; i < plt->count; i++) {
		for (size_t g = 0; g < plt->at[i].gate_count; g++) {
			const addr_t gate = plt->at[i].gates[g];

			ck_assert_int_eq(image_read(image, gate, bytes, 8), 0);
			ck_assert_int_eq(insn_decode(bytes, 8, gate, &insn), 0);
			ck_assert_int_eq(insn.kind, INSN_JUMP_WORD);
			ck_assert_uint_eq(insn.target, plt->at[i].word);
		}
	}
	image_unref(image);
}
END_TEST

/* ---- imports ------------------------------------------------------------ */

START_TEST(imports_are_of_three_kinds)
{
	struct image *image;
	const struct plt *plt;
	const struct symbol *pick;
	size_t resolved = 0;

	workshop_write("kinds.c",
		       "extern int called(void), taken(void);\n"
		       "extern int datum; extern __thread int each;\n"
		       "static int one(void) { return 1; }\n"
		       "static void *pick(void) { return one; }\n"
		       "static int either(void)\n"
		       "	__attribute__((ifunc(\"pick\")));\n"
		       "void *take(void) { return taken; }\n"
		       "int f(void)\n"
		       "{ return 1 + called() + either() + datum + each; }\n");
	workshop_write("other.c", "int called(void) { return 1; }\n"
				  "int taken(void) { return 1; }\n"
				  "int datum; __thread int each;\n");
	workshop_run("gcc -O1 -shared -fPIC -nostdlib -o other.so other.c");
	workshop_run("gcc -O1 -shared -fPIC -nostdlib -o kinds.so kinds.c "
		     "other.so");
	image = workshop_open("kinds.so");
	plt = image_plt(image);
	ck_assert_int_eq(import_named(plt, "called")->kind, IMPORT_JUMP);
	ck_assert_int_eq(import_named(plt, "taken")->kind, IMPORT_DATA);
	ck_assert_ptr_null(import_named(plt, "datum"));
	ck_assert_ptr_null(import_named(plt, "each"));
	pick = workshop_function(image, "pick");
	for (size_t i = 0; i < plt->count; i++) {
		if (plt->at[i].kind != IMPORT_IRELATIVE)
			continue;
		ck_assert_ptr_null(plt->at[i].name);
		ck_assert_uint_eq(plt->at[i].resolver, pick->address);
		ck_assert_uint_eq(plt->at[i].gate_count, 1);
		resolved++;
	}
	ck_assert_uint_eq(resolved, 1);
	/* The fourth import is __tls_get_addr. */
	ck_assert_uint_eq(plt->count, 4);
	image_unref(image);
}
END_TEST

/* ---- what looks like a gate --------------------------------------------- */

/*
 * An immediate, a table, and a jump with prefixes, all with the bytes of `jmp
 * *word(%rip)`. Only the last is such an instruction.
 */
static const char traps_source[] =
	".text\n"
	".globl immediate\n.type immediate, @function\n"
	"immediate: .cfi_startproc\n"
	" .byte 0x48, 0xb8\n" /* movabs $..., %rax */
	" .byte 0xff, 0x25\n .long puts@GOTPCREL - 4\n .byte 0, 0\n"
	" mov puts@GOTPCREL(%rip), %rax\n"
	" ret\n .cfi_endproc\n .size immediate, .-immediate\n"
	".balign 16\n nop\n"
	"hidden_table: .byte 0xff, 0x25\n .long puts@GOTPCREL - 4\n"
	".balign 16\n"
	".globl prefixed\n.type prefixed, @function\n"
	"prefixed: .cfi_startproc\n nop\n"
	"the_gate: .byte 0x41, 0xff, 0x25\n .long puts@GOTPCREL - 4\n"
	" .cfi_endproc\n .size prefixed, .-prefixed\n";

START_TEST(only_instructions_are_gates)
{
	struct image *image;
	const struct import *import;

	workshop_write("traps.s", traps_source);
	workshop_run("gcc -shared -nostdlib -o traps.so traps.s "
		     "-Wl,-z,norelro -Wl,--no-relax");
	image = workshop_open("traps.so");
	import = import_named(image_plt(image), "puts");
	ck_assert_ptr_nonnull(import);
	ck_assert(import->loaded);
	ck_assert_uint_eq(import->gate_count, 1);
	ck_assert_uint_eq(import->gates[0],
			  workshop_function(image, "prefixed")->address + 1);
	image_unref(image);
}
END_TEST

/* The file has neither symbols nor unwind tables for its functions. */
START_TEST(unknown_text_is_left_alone)
{
	struct image *image;
	const struct import *import;

	workshop_write("bare.s", ".text\n"
				 ".balign 16\n nop\n jmp *puts@GOTPCREL(%rip)\n"
				 ".balign 16\n jmp *rand@GOTPCREL(%rip)\n"
				 " nop\n");
	workshop_run("gcc -shared -nostdlib -o bare.so bare.s -Wl,-s");
	image = workshop_open("bare.so");
	import = import_named(image_plt(image), "puts");
	ck_assert_uint_eq(import->gate_count, 0);
	import = import_named(image_plt(image), "rand");
	ck_assert_uint_eq(import->gate_count, 1);
	image_unref(image);
}
END_TEST

Suite *
plt_suite(void)
{
	Suite *suite = suite_create("symbols/plt");
	TCase *tests = tcase_create("plt");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, gates_are_those_of_objdump, 0,
			    array_size(layouts));
	tcase_add_loop_test(tests, gates_of_real_files, 0, array_size(files));
	tcase_add_loop_test(tests, every_call_is_seen, 0, array_size(layouts));
	tcase_add_loop_test(tests, section_headers_are_not_needed, 0,
			    array_size(layouts));
	tcase_add_loop_test(tests, gates_are_instructions, 0,
			    array_size(layouts));
	tcase_add_test(tests, imports_are_of_three_kinds);
	tcase_add_test(tests, only_instructions_are_gates);
	tcase_add_test(tests, unknown_text_is_left_alone);
	suite_add_tcase(suite, tests);
	return suite;
}
