/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares symbol tables with readelf: no symbol more and none less. */
#include "symbols/symtab.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <gnu/lib-names.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARIES "/lib/x86_64-linux-gnu/"

/* One row of readelf -sW: "num: value size type bind vis ndx name [...]". */
struct row {
	unsigned long value, size;
	char type[16], bind[16], index[16], name[4096];
};

static bool
next_row(FILE *output, struct row *row)
{
	static char line[8192];

	while (fgets(line, sizeof(line), output)) {
		char size[32];

		if (sscanf(line, " %*d: %lx %31s %15s %15s %*s %15s %4095s",
			   &row->value, size, row->type, row->bind, row->index,
			   row->name) != 6)
			continue;
		row->size = strtoul(size, NULL, 0);
		return true;
	}
	return false;
}

static bool
is_defined_function(const struct row *row)
{
	return (strcmp(row->type, "FUNC") == 0 ||
		strcmp(row->type, "IFUNC") == 0) &&
	       strcmp(row->index, "UND") != 0 && strcmp(row->index, "ABS") != 0;
}

/* "name@@VERSION" of a symbol. */
static void
write_name(const struct symbol *symbol, char *to, size_t room)
{
	const char *at = symbol->default_version ? "@@" : "@";

	snprintf(to, room, "%s%s%s", symbol->name, symbol->version ? at : "",
		 symbol->version ? symbol->version : "");
}

static const struct symbol *
find_row(const struct symtab *symtab, const struct row *row)
{
	size_t low = 0, high = symtab->count;
	char name[4200];

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (symtab->at[middle].address < row->value)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < symtab->count; low++) {
		if (symtab->at[low].address != row->value)
			break;
		write_name(&symtab->at[low], name, sizeof(name));
		if (strcmp(name, row->name) == 0)
			return &symtab->at[low];
	}
	return NULL;
}

static void
check_row(const struct symtab *symtab, const struct row *row)
{
	const struct symbol *symbol = find_row(symtab, row);

	ck_assert_msg(symbol, "%lx %s is missing", row->value, row->name);
	if (row->size)
		ck_assert_uint_eq(symbol->size, row->size);
	ck_assert_int_eq(symbol->kind == SYMBOL_IFUNC,
			 strcmp(row->type, "IFUNC") == 0);
	ck_assert_int_eq(symbol->binding == SYMBOL_LOCAL,
			 strcmp(row->bind, "LOCAL") == 0);
	ck_assert_int_eq(symbol->binding == SYMBOL_WEAK,
			 strcmp(row->bind, "WEAK") == 0);
}

static const char *const dynamic_files[] = {
	LIBRARIES LIBC_SO,	    LIBRARIES LIBM_SO,
	LIBRARIES "libstdc++.so.6", "/lib64/ld-linux-x86-64.so.2",
	("/lib32/" LIBC_SO),	    "/lib/ld-linux.so.2",
};

START_TEST(exports_are_those_of_readelf)
{
	struct image *image = workshop_open(dynamic_files[_i]);
	const struct symtab *symtab = image_symtab(image, SYMTAB_DYNAMIC);
	FILE *output =
		workshop_read("readelf --dyn-syms -W %s", dynamic_files[_i]);
	size_t count = 0;
	struct row row;

	while (next_row(output, &row)) {
		if (!is_defined_function(&row))
			continue;
		check_row(symtab, &row);
		count++;
	}
	pclose(output);
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_eq(workshop_functions(symtab), count);
	image_unref(image);
}
END_TEST

static const char *const static_flags[] = {
	"-O2",
	"-O2 -static",
	"-O2 -static-pie",
	"-O0 -no-pie",
	"-O2 -fuse-ld=lld",
	"-m32 -O2",
	"-m32 -O2 -static",
};

START_TEST(all_functions_are_those_of_readelf)
{
	struct image *image;
	const struct symtab *symtab;
	FILE *output;
	struct row row;
	size_t count = 0;

	workshop_write("p.c", "#include <stdio.h>\n"
			      "#include <stdlib.h>\n"
			      "static void *own(int n) { return malloc(n); }\n"
			      "int main(int c, char **v)\n"
			      "{ printf(\"%p\", own(c)); return !v; }\n");
	workshop_run("gcc %s -o p p.c", static_flags[_i]);
	image = workshop_open("p");
	symtab = image_symtab(image, SYMTAB_ALL);
	output = workshop_read("readelf -sW p | sed '1,/symtab/d'");
	while (next_row(output, &row)) {
		if (!is_defined_function(&row) || strstr(row.name, ".cold"))
			continue;
		check_row(symtab, &row);
		count++;
	}
	pclose(output);
	ck_assert_uint_gt(count, 3);
	image_unref(image);
}
END_TEST

START_TEST(tables_are_in_order)
{
	struct image *image = workshop_open(dynamic_files[_i]);
	const struct symtab *symtab = image_symtab(image, SYMTAB_ALL);
	const struct segment *segments;
	size_t count;

	segments = image_segments(image, &count);
	for (size_t i = 0; i < symtab->count; i++) {
		const struct symbol *symbol = &symtab->at[i];
		bool text = false;

		if (i)
			ck_assert_uint_ge(symbol->address, symbol[-1].address);
		for (size_t s = 0; s < count; s++)
			text |= segments[s].executable &&
				symbol->address - segments[s].address <
					segments[s].size;
		ck_assert(text || symbol->kind >= SYMBOL_DATA);
	}
	image_unref(image);
}
END_TEST

Suite *
readelf_suite(void)
{
	Suite *suite = suite_create("symbols/readelf");
	TCase *tests = tcase_create("readelf");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, exports_are_those_of_readelf, 0,
			    array_size(dynamic_files));
	tcase_add_loop_test(tests, all_functions_are_those_of_readelf, 0,
			    array_size(static_flags));
	tcase_add_loop_test(tests, tables_are_in_order, 0,
			    array_size(dynamic_files));
	suite_add_tcase(suite, tests);
	return suite;
}
