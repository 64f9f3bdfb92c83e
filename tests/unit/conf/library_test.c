/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contents of a library: prototypes, types and constants by name. */
#include "conf/dump/dump.h"
#include "conf/model/expr.h"
#include "conf/model/lens.h"
#include "conf/model/library_parts.h"
#include "conf/parse/parse.h"
#include "tests/unit/conf/suites.h"

#include <errno.h>

static struct library *
parse(const char *text)
{
	struct complaints complaints;
	struct library *library;

	complaints_init(&complaints);
	library =
		library_parse("a.conf", text, strlen(text), NULL, &complaints);
	ck_assert_msg(complaints.list.count == 0, "%s",
		      complaints.list.count ? complaints.list.at[0].text : "");
	complaints_release(&complaints);
	return library;
}

START_TEST(prototypes)
{
	struct library *library = parse(
		"int f(string path, int n);\n\n  void\n  g(format, ...);\n");
	const struct proto *f = library_proto(library, "f");
	const struct proto *g = library_proto(library, "g");

	ck_assert_str_eq(library_file(library), "a.conf");
	ck_assert_ptr_null(library_proto(library, "h"));
	ck_assert_str_eq(f->name, "f");
	ck_assert_str_eq(f->file, "a.conf");
	ck_assert_uint_eq(f->line, 1);
	ck_assert_uint_eq(f->column, 5);
	ck_assert_uint_eq(f->count, 2);
	ck_assert_str_eq(f->params[0].name, "path");
	ck_assert_int_eq(f->params[0].type->lens->kind, LENS_STRING);
	ck_assert_int_eq(f->returns->kind, TYPE_INT);
	ck_assert_int_eq(f->format, -1);
	ck_assert(!f->varargs);
	ck_assert_uint_eq(g->line, 4);
	ck_assert_int_eq(g->format, 0);
	ck_assert(g->varargs);
	ck_assert_ptr_eq(library_proto_at(library, 0), f);
	ck_assert_ptr_eq(library_proto_at(library, 1), g);
	ck_assert_ptr_null(library_proto_at(library, 2));
	library_free(library);
	library_free(NULL);
}
END_TEST

START_TEST(types)
{
	struct library *library =
		parse("typedef flags_t = flags(int, A=1/3, B=4, NONE=0);\n"
		      "struct point { int x; int y; };\n"
		      "typedef long time_t;\n");
	const struct type *flags = library_type(library, "flags_t");

	ck_assert_int_eq(flags->lens->kind, LENS_FLAGS);
	ck_assert_uint_eq(flags->lens->name_count, 3);
	ck_assert_uint_eq(flags->lens->names[0].mask, 3);
	ck_assert_uint_eq(flags->lens->names[1].mask, 4);
	ck_assert_uint_eq(flags->lens->names[2].mask, UINT64_MAX);
	ck_assert_uint_eq(type_size(library_type(library, "struct point")), 8);
	ck_assert_ptr_eq(library_type(library, "size_t"),
			 type_builtin("size_t"));
	ck_assert_ptr_ne(library_type(library, "time_t"),
			 type_builtin("time_t"));
	ck_assert_ptr_null(library_type(library, "point"));
	ck_assert_uint_eq(library->type_list.count, 3);
	ck_assert_ptr_eq(library->type_list.at[0]->type, flags);
	ck_assert_str_eq(library->type_list.at[0]->name, "flags_t");
	library_free(library);
}
END_TEST

START_TEST(constants)
{
	struct library *library = parse("typedef a = enum(X=1, Y=2);\n"
					"typedef b = enum(X=3, Z=-1);\n"
					"#define SIZE 0x20\n");
	int64_t value = 0;

	ck_assert(library_constant(library, "Y", &value) && value == 2);
	ck_assert(library_constant(library, "Z", &value) && value == -1);
	ck_assert(library_constant(library, "SIZE", &value) && value == 32);
	/* X has two values, so it is no constant of the library. */
	ck_assert(!library_constant(library, "X", &value));
	ck_assert(!library_constant(library, "W", &value));
	library_free(library);
}
END_TEST

/* A lens can be within another lens; each is found by its kind. */
START_TEST(lenses)
{
	struct library *library = parse("errno(hex(int)) f();");
	const struct lens *lens = library_proto(library, "f")->returns->lens;

	ck_assert_int_eq(lens->kind, LENS_ERRNO);
	ck_assert_int_eq(lens->under->kind, LENS_HEX);
	ck_assert_ptr_eq(lens_of_kind(lens, LENS_HEX), lens->under);
	ck_assert_ptr_null(lens_of_kind(lens, LENS_OCT));
	ck_assert_ptr_null(lens_of_kind(NULL, LENS_OCT));
	for (int kind = 0; kind < LENS_KINDS; kind++) {
		enum lens_kind found;

		ck_assert(lens_find(lens_word(kind), &found));
		ck_assert_int_eq(found, kind);
	}
	ck_assert_str_eq(lens_word(LENS_KINDS), "?");
	library_free(library);
}
END_TEST

/* Names become positions of arguments and, in a struct, of fields. */
START_TEST(names_in_expressions)
{
	struct library *library =
		parse("int f(string[n - 1] s, int m if n > 2, int n);\n"
		      "typedef s = struct(int n, array(int, n) v);\n");
	const struct proto *f = library_proto(library, "f");
	const struct type *s = library_type(library, "s");
	const struct expr *length = f->params[0].type->lens->length;

	ck_assert_int_eq(length->left->kind, EXPR_ARG);
	ck_assert_int_eq(length->left->number, 3);
	ck_assert_int_eq(f->params[1].condition->left->kind, EXPR_ARG);
	length = s->body->fields[1].type->length;
	ck_assert_int_eq(length->kind, EXPR_ELEMENT);
	ck_assert_int_eq(length->number, 1);
	library_free(library);
}
END_TEST

/* Libraries that may be imported, by name. */
struct shelf {
	struct importer importer;
	const struct library *library;
};

static int
import(struct importer *importer, const char *name, const char *from,
       const struct library **ret_library, struct err *err)
{
	struct shelf *shelf = (struct shelf *)importer;

	ck_assert_str_eq(from, "b.conf");
	if (strcmp(name, "a") != 0)
		return err_set(err, -ENOENT, "there is no '%s'", name);
	*ret_library = shelf->library;
	return 0;
}

START_TEST(imports)
{
	static const char text[] =
		"import \"a\";\nimport \"none\"\nint g(color, struct s *, int "
		"x "
		"if x == RED);\nstruct s { long other; };\nint h(struct s);\n";
	struct library *a = parse("typedef color = enum(RED=5);\n"
				  "struct s { int x; };\nint f(struct s);\n");
	struct shelf shelf = { { .import = import }, a };
	struct complaints complaints;
	struct library *b;
	int64_t value = 0;

	complaints_init(&complaints);
	b = library_parse("b.conf", text, strlen(text), &shelf.importer,
			  &complaints);
	ck_assert_uint_eq(complaints.list.count, 1);
	ck_assert_uint_eq(complaints.list.at[0].line, 2);
	ck_assert_str_eq(complaints.list.at[0].text, "there is no 'none'");
	ck_assert_ptr_eq(library_proto(b, "f"), library_proto(a, "f"));
	ck_assert_ptr_nonnull(library_proto(b, "g"));
	ck_assert_ptr_eq(library_type(b, "color"), library_type(a, "color"));
	ck_assert(library_constant(b, "RED", &value) && value == 5);
	/* The struct s of one library does not affect that of the other one. */
	ck_assert_uint_eq(type_size(library_type(a, "struct s")), 4);
	ck_assert_uint_eq(type_size(library_type(b, "struct s")), 8);
	library_free(b);
	library_free(a);
	complaints_release(&complaints);
}
END_TEST

START_TEST(same_types)
{
	static const struct {
		const char *a, *b;
		bool same;
	} rows[] = {
		{ "int", "int", true },
		{ "int", "uint", false },
		{ "hex(int)", "hex(int)", true },
		{ "hex(int)", "oct(int)", false },
		{ "hex(int)", "int", false },
		{ "ref(int)", "ref(int)", true },
		{ "ref(int)", "ref(char)", false },
		{ "array(int, 3)", "array(int, 3)", true },
		{ "array(int, 3)", "array(int, 4)", false },
		{ "struct(int a)", "struct(int a)", true },
		{ "struct(int a)", "struct(int b)", false },
		{ "struct(int a)", "struct(int a, int b)", false },
		{ "struct(int a)", "union(int a)", false },
		{ "struct(uint a : 3)", "struct(uint a : 4)", false },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		char *text = xasprintf("typedef a = %s;\ntypedef b = %s;\n",
				       rows[i].a, rows[i].b);
		struct library *library = parse(text);

		ck_assert_msg(type_same(library_type(library, "a"),
					library_type(library, "b")) ==
				      rows[i].same,
			      "%s", text);
		library_free(library);
		free(text);
	}
}
END_TEST

/* dump_type() accepts a type that was made without a library. */
START_TEST(dump_without_library)
{
	struct arena arena;
	struct str to;

	arena_init(&arena);
	str_init(&to);
	for (unsigned size = 1; size <= 16; size *= 2) {
		dump_type(NULL, type_int(&arena, size, true), &to);
		str_add_char(&to, ' ');
		dump_type(NULL, type_int(&arena, size, false), &to);
		str_add_char(&to, '\n');
	}
	dump_type(NULL, type_pointer(&arena, type_void()), &to);
	dump_type(NULL, type_struct(&arena, TYPE_STRUCT, "struct x"), &to);
	ck_assert_str_eq(str_text(&to), "signed char unsigned char\n"
					"short unsigned short\n"
					"int unsigned int\n"
					"long unsigned long\n"
					"__int128 unsigned __int128\n"
					"addrstruct x");
	str_release(&to);
	arena_release(&arena);
}
END_TEST

/* A file may be empty, contain anything, and end anywhere. */
START_TEST(odd_files)
{
	static const char text[] = "int f(int);\r\nint g(int) \\\r\n;\r\n"
				   "#define A \\\r\n1\r\nint h(int);\r\n";
	struct complaints complaints;
	struct library *library;

	library_free(parse(""));
	library_free(parse("\n\n ;;; ; \n;\n"));
	library = parse(text);
	ck_assert_uint_eq(library_proto(library, "h")->line, 6);
	library_free(library);
	complaints_init(&complaints);
	for (size_t length = 0; length < sizeof(text); length++) {
		char *cut = xmalloc(length);

		memcpy(cut, text, length);
		library_free(
			library_parse("t", cut, length, NULL, &complaints));
		free(cut);
	}
	library_free(
		library_parse("t", "int f(\0int);", 12, NULL, &complaints));
	complaints_release(&complaints);
}
END_TEST

Suite *
library_suite(void)
{
	Suite *suite = suite_create("library");
	TCase *tests = tcase_create("library");

	tcase_add_test(tests, prototypes);
	tcase_add_test(tests, types);
	tcase_add_test(tests, constants);
	tcase_add_test(tests, lenses);
	tcase_add_test(tests, names_in_expressions);
	tcase_add_test(tests, imports);
	tcase_add_test(tests, same_types);
	tcase_add_test(tests, dump_without_library);
	tcase_add_test(tests, odd_files);
	suite_add_tcase(suite, tests);
	return suite;
}
