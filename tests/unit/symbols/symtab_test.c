/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of symbols: names, what is a function and what is not, addresses. */
#include "symbols/symtab.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <gnu/lib-names.h>
#include <stdlib.h>
#include <string.h>

#define LIBC "/lib/x86_64-linux-gnu/" LIBC_SO

/* ---- names -------------------------------------------------------------- */

START_TEST(the_best_name_comes_first)
{
	static const char *const best[] = { "puts",  "write",	"malloc",
					    "fopen", "memccpy", "getpid" };
	struct image *image = workshop_open(LIBC);
	const struct symtab *symtab = image_symtab(image, SYMTAB_ALL);

	for (size_t i = 0; i < array_size(best); i++) {
		const struct symbol *symbol = workshop_function(image, best[i]);

		ck_assert_msg(symbol == symtab->at ||
				      symbol[-1].address != symbol->address,
			      "%s is not the best name, %s is", best[i],
			      symbol[-1].name);
		ck_assert_ptr_eq(symbol,
				 symtab_covering(image, symbol->address + 1));
	}
	image_unref(image);
}
END_TEST

static const char aliases_source[] = ".text\n"
				     ".globl twice, __twice, Twice_two\n"
				     ".weak atwice\n"
				     ".type twice, @function\n"
				     ".type __twice, @function\n"
				     ".type Twice_two, @function\n"
				     ".type atwice, @function\n"
				     ".type local, @function\n"
				     "local: atwice: Twice_two: __twice:\n"
				     "twice: nop; nop; nop; ret\n"
				     ".size __twice, 4\n";

START_TEST(aliases_share_their_size)
{
	static const char *const order[] = { "twice", "Twice_two", "atwice",
					     "__twice", "local" };
	struct image *image;
	const struct symtab *symtab;
	size_t first = 0;

	workshop_write("aliases.s", aliases_source);
	workshop_run("gcc -shared -nostdlib -o aliases.so aliases.s");
	image = workshop_open("aliases.so");
	symtab = image_symtab(image, SYMTAB_ALL);
	while (first < symtab->count && symtab->at[first].kind >= SYMBOL_DATA)
		first++;
	ck_assert_uint_eq(workshop_functions(symtab), array_size(order));
	for (size_t i = 0; i < array_size(order); i++) {
		ck_assert_str_eq(symtab->at[first + i].name, order[i]);
		ck_assert_uint_eq(symtab->at[first + i].size, 4);
	}
	image_unref(image);
}
END_TEST

static const char versions_source[] =
	"__asm__(\".symver old, f@V1\"); __asm__(\".symver new, f@@V2\");\n"
	"int old(void) { return 1; } int new(void) { return 2; }\n"
	"int g(void) { return 3; }\n";

static const char versions_script[] =
	"V1 { global: f; g; local: *; }; V2 { global: f; } V1;\n";

static void
make_versions(const char *flags)
{
	workshop_write("versions.c", versions_source);
	workshop_write("versions.map", versions_script);
	workshop_make("versions.so",
		      "gcc -O1 -shared -fPIC -nostdlib %s -o versions.so "
		      "versions.c -Wl,--version-script=versions.map",
		      flags);
}

START_TEST(versions_are_known)
{
	static const char *const flags[] = { "", "-fuse-ld=gold",
					     "-fuse-ld=lld", "-Wl,-s" };
	struct image *image;
	const struct symbol *f, *g;
	const struct symtab *symtab;
	size_t count = 0;

	if (_i && _i < 3 && !workshop_links(flags[_i] + 9))
		return;
	make_versions(flags[_i]);
	image = workshop_open("versions.so");
	for (int all = 0; all < 2; all++) {
		f = symtab_find(image, all ? SYMTAB_ALL : SYMTAB_DYNAMIC, "f");
		ck_assert_ptr_nonnull(f);
		ck_assert_str_eq(f->version, "V2");
		ck_assert(f->default_version);
		g = symtab_find(image, all ? SYMTAB_ALL : SYMTAB_DYNAMIC, "g");
		ck_assert_ptr_nonnull(g);
		ck_assert_str_eq(g->version, "V1");
		ck_assert(g->default_version);
	}
	symtab = image_symtab(image, SYMTAB_DYNAMIC);
	for (size_t i = 0; i < symtab->count; i++) {
		if (strcmp(symtab->at[i].name, "f") != 0)
			continue;
		count++;
		ck_assert_int_eq(symtab->at[i].default_version,
				 strcmp(symtab->at[i].version, "V2") == 0);
	}
	ck_assert_uint_eq(count, 2);
	image_unref(image);
}
END_TEST

START_TEST(each_name_of_an_address_comes_once)
{
	struct image *image;
	const struct symtab *symtab;

	make_versions("");
	image = workshop_open("versions.so");
	symtab = image_symtab(image, SYMTAB_ALL);
	for (size_t i = 1; i < symtab->count; i++) {
		const struct symbol *a = &symtab->at[i - 1],
				    *b = &symtab->at[i];

		if (a->address == b->address && a->kind <= SYMBOL_PART)
			ck_assert_str_ne(a->name, b->name);
	}
	image_unref(image);
}
END_TEST

/* All exports of the file are found by their names, and nothing else is. */
static void
all_are_found(struct image *image)
{
	const struct symtab *symtab = image_symtab(image, SYMTAB_DYNAMIC);

	for (size_t i = 0; i < symtab->count; i++) {
		const char *name = symtab->at[i].name;
		const struct symbol *found =
			symtab_find(image, SYMTAB_DYNAMIC, name);
		char wrong[256];

		ck_assert_msg(found, "%s is not found", name);
		ck_assert_str_eq(found->name, name);
		snprintf(wrong, sizeof(wrong), "%s at all", name);
		ck_assert_ptr_null(symtab_find(image, SYMTAB_DYNAMIC, wrong));
	}
	ck_assert_uint_gt(symtab->count, 0);
}

/*
 * For each name, the symbols that are found are those of the table, in its
 * order.
 */
static void
names_say_what_the_table_says(const char *path, enum symtab_extent extent)
{
	struct image *image = workshop_open(path);
	const struct symtab *symtab = image_symtab(image, extent);
	const struct symbol *best = NULL;

	for (size_t i = 0; i < symtab->count; i += 61) {
		const char *name = symtab->at[i].name;
		const struct symbol *named = NULL;

		for (size_t j = 0; j < symtab->count; j++) {
			if (strcmp(symtab->at[j].name, name) != 0)
				continue;
			named = symtab_next(image, extent, name, named);
			ck_assert_msg(named, "%s: %s is missing", path, name);
			ck_assert_msg(workshop_same(named, &symtab->at[j]),
				      "%s: %s differs", path, name);
			if (!best || (!best->default_version && best->version &&
				      named->default_version))
				best = named;
		}
		ck_assert_ptr_null(symtab_next(image, extent, name, named));
		named = symtab_find(image, extent, name);
		ck_assert_msg(workshop_same(named, best), "%s: not the best %s",
			      path, name);
		best = NULL;
	}
	image_unref(image);
}

START_TEST(symbols_of_a_name)
{
	const char *const files[] = { LIBC, "/lib64/ld-linux-x86-64.so.2",
				      "/proc/self/exe",
				      "/usr/lib/x86_64-linux-gnu/libm.so.6" };

	for (size_t i = 0; i < array_size(files); i++) {
		names_say_what_the_table_says(files[i], SYMTAB_DYNAMIC);
		names_say_what_the_table_says(files[i], SYMTAB_ALL);
	}
}
END_TEST

START_TEST(names_that_are_not_there_are_not_found)
{
	struct image *image = workshop_open(LIBC);

	all_are_found(image);
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "no such name"));
	ck_assert_ptr_null(symtab_find(image, SYMTAB_DYNAMIC, ""));
	image_unref(image);
}
END_TEST

static const char *const hash_styles[] = { "sysv", "gnu", "both" };

START_TEST(either_hash_gives_the_count)
{
	char flags[64];
	struct image *image;

	snprintf(flags, sizeof(flags), "-Wl,--hash-style=%s", hash_styles[_i]);
	make_versions(flags);
	workshop_strip_sections("versions.so", "bare.so");
	image = workshop_open("bare.so");
	ck_assert_uint_eq(workshop_functions(image_symtab(image, SYMTAB_ALL)),
			  3);
	all_are_found(image);
	image_unref(image);
	workshop_write("none.c", "extern int g(void);"
				 "__attribute__((visibility(\"hidden\"))) "
				 "int f(void) { return g(); }");
	workshop_run("gcc -shared -fPIC -nostdlib %s -o none.so none.c "
		     "versions.so -Wl,-s",
		     flags);
	image = workshop_open("none.so");
	ck_assert_uint_eq(image_symtab(image, SYMTAB_ALL)->count, 0);
	ck_assert_ptr_null(symtab_find(image, SYMTAB_DYNAMIC, "f"));
	image_unref(image);
}
END_TEST

/* ---- what is a function ------------------------------------------------- */

static const char labels_source[] =
	".text\n"
	".globl described, table, sized\n"
	"described: .cfi_startproc\n nop\n ret\n .cfi_endproc\n"
	".balign 16\n"
	"table: .quad 1, 2, 3, 4\n .size table, 32\n"
	"label: .quad 5\n"
	"sized: ret\n .size sized, 1\n"
	".type typed, @function\n"
	"typed: nop\n ret\n .size typed, 2\n";

START_TEST(labels_without_a_type_must_be_known_to_the_unwinder)
{
	struct image *image;

	workshop_write("labels.s", labels_source);
	workshop_run("gcc -shared -nostdlib -Wl,--eh-frame-hdr -o labels.so "
		     "labels.s");
	image = workshop_open("labels.so");
	ck_assert_int_eq(workshop_function(image, "described")->kind,
			 SYMBOL_FUNCTION);
	ck_assert_int_eq(workshop_function(image, "typed")->kind,
			 SYMBOL_FUNCTION);
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "table"));
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "label"));
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "sized"));
	image_unref(image);
}
END_TEST

START_TEST(the_entry_is_a_function)
{
	struct image *image;

	workshop_write("entry.s", ".text\n.globl _start\n"
				  "_start: mov $60,%eax\n syscall\n");
	workshop_run("gcc -static -nostdlib -o entry entry.s");
	image = workshop_open("entry");
	ck_assert_uint_eq(workshop_function(image, "_start")->address,
			  image_entry(image));
	image_unref(image);
}
END_TEST

static const char *const canonical_linkers[] = { "bfd", "gold", "lld", "mold" };

START_TEST(plt_entries_are_no_definitions)
{
	const char *linker = canonical_linkers[_i];
	struct image *image;
	const struct symtab *symtab;

	if (!workshop_links(linker))
		return;
	workshop_write("canonical.c",
		       "int puts(const char *); void *address = puts;\n"
		       "static int one(void) { return 1; }\n"
		       "static void *pick(void) { return one; }\n"
		       "int either(void) __attribute__((ifunc(\"pick\")));\n"
		       "int main(int c, char **v)\n"
		       "{ return either() + (c > 1 ? puts(*v) : 0); }\n");
	workshop_run("gcc -no-pie -fno-pic -O0 -fuse-ld=%s -o canonical "
		     "canonical.c",
		     linker);
	image = workshop_open("canonical");
	symtab = image_symtab(image, SYMTAB_ALL);
	for (size_t i = 0; i < symtab->count; i++)
		ck_assert_msg(!strstr(symtab->at[i].name, "puts"), "%s",
			      symtab->at[i].name);
	ck_assert_ptr_nonnull(symtab_find(image, SYMTAB_ALL, "pick"));
	image_unref(image);
}
END_TEST

/* hot is split as GCC does it; .coldest only looks like such a name. */
static const char cold_source[] =
	".text\n.globl hot\n"
	".type hot, @function\n.type hot.cold, @function\n"
	".type hot.cold.7, @function\n.type hot.coldest, @function\n"
	"hot: test %edi, %edi\n js hot.cold\n ret\n .size hot, .-hot\n"
	"hot.cold: ud2\n ud2\n .size hot.cold, .-hot.cold\n"
	"hot.cold.7: ud2\n .size hot.cold.7, .-hot.cold.7\n"
	"hot.coldest: ret\n .size hot.coldest, .-hot.coldest\n";

START_TEST(cold_parts_are_no_functions)
{
	struct image *image;
	const struct symbol *part;

	workshop_write("cold.s", cold_source);
	workshop_run("gcc -shared -nostdlib -o cold cold.s");
	image = workshop_open("cold");
	part = workshop_function(image, "hot.cold");
	ck_assert_int_eq(part->kind, SYMBOL_PART);
	ck_assert_int_eq(workshop_function(image, "hot.cold.7")->kind,
			 SYMBOL_PART);
	ck_assert_int_eq(workshop_function(image, "hot.coldest")->kind,
			 SYMBOL_FUNCTION);
	ck_assert_int_eq(workshop_function(image, "hot")->kind,
			 SYMBOL_FUNCTION);
	ck_assert_ptr_eq(symtab_covering(image, part->address + 1), part);
	image_unref(image);
}
END_TEST

START_TEST(other_kinds_are_told_apart)
{
	struct image *image;

	workshop_write("kinds.c",
		       "__thread int each = 1; int datum = 2;\n"
		       "static int one(void) { return 1; }\n"
		       "static void *pick(void) { return one; }\n"
		       "int either(void) __attribute__((ifunc(\"pick\")));\n"
		       "int f(void) { return each + datum; }\n");
	workshop_run("gcc -O1 -shared -fPIC -o kinds.so kinds.c");
	image = workshop_open("kinds.so");
	ck_assert_int_eq(workshop_function(image, "each")->kind, SYMBOL_TLS);
	ck_assert_int_eq(workshop_function(image, "datum")->kind, SYMBOL_DATA);
	ck_assert_int_eq(workshop_function(image, "f")->kind, SYMBOL_FUNCTION);
	ck_assert_int_eq(workshop_function(image, "either")->kind,
			 SYMBOL_IFUNC);
	ck_assert_ptr_null(symtab_find(image, SYMTAB_ALL, "printf"));
	image_unref(image);
}
END_TEST

/* ---- by address --------------------------------------------------------- */

static const char covering_source[] =
	".text\n"
	".globl outer, inner, bare, after\n"
	".type outer, @function\n.type inner, @function\n"
	".type bare, @function\n.type after, @function\n"
	"outer: .skip 16, 0x90\n"
	"inner: .skip 4, 0x90\n .size inner, 4\n"
	".skip 12, 0x90\n .size outer, . - outer\n"
	".skip 16, 0xcc\n"
	"bare: .skip 64, 0x90\n"
	"after: ret\n .size after, 1\n"
	".skip 16, 0xcc\n";

START_TEST(an_address_is_covered_by_the_innermost)
{
	static const struct {
		unsigned offset;
		const char *name;
	} rows[] = {
		{ 0, "outer" },	 { 15, "outer" },  { 16, "inner" },
		{ 19, "inner" }, { 20, "outer" },  { 31, "outer" },
		{ 32, NULL },	 { 47, NULL },	   { 48, "bare" },
		{ 111, "bare" }, { 112, "after" }, { 113, NULL },
	};
	const struct symbol *symbol;
	struct image *image;
	addr_t text;

	workshop_write("covering.s", covering_source);
	workshop_run("gcc -shared -nostdlib -o covering.so covering.s");
	image = workshop_open("covering.so");
	text = workshop_function(image, "outer")->address;
	for (size_t i = 0; i < array_size(rows); i++) {
		symbol = symtab_covering(image, text + rows[i].offset);
		if (rows[i].name)
			ck_assert_str_eq(symbol->name, rows[i].name);
		else
			ck_assert_ptr_null(symbol);
	}
	ck_assert_ptr_null(symtab_covering(image, 0));
	ck_assert_ptr_null(symtab_covering(image, UINT64_MAX));
	image_unref(image);
}
END_TEST

Suite *
symtab_suite(void)
{
	Suite *suite = suite_create("symbols/symtab");
	TCase *tests = tcase_create("symtab");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, the_best_name_comes_first);
	tcase_add_test(tests, aliases_share_their_size);
	tcase_add_loop_test(tests, versions_are_known, 0, 4);
	tcase_add_test(tests, each_name_of_an_address_comes_once);
	tcase_add_test(tests, names_that_are_not_there_are_not_found);
	tcase_add_test(tests, symbols_of_a_name);
	tcase_add_loop_test(tests, either_hash_gives_the_count, 0,
			    array_size(hash_styles));
	tcase_add_test(tests,
		       labels_without_a_type_must_be_known_to_the_unwinder);
	tcase_add_test(tests, the_entry_is_a_function);
	tcase_add_loop_test(tests, plt_entries_are_no_definitions, 0,
			    array_size(canonical_linkers));
	tcase_add_test(tests, cold_parts_are_no_functions);
	tcase_add_test(tests, other_kinds_are_told_apart);
	tcase_add_test(tests, an_address_is_covered_by_the_innermost);
	suite_add_tcase(suite, tests);
	return suite;
}
