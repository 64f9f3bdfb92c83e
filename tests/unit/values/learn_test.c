/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prototypes from the debug information of objects that the compilers of this
 * machine make. Each test compiles a source in a folder of its own and compares
 * the prototype of a function, as prototype files write it.
 */
#include "base/xmalloc.h"
#include "conf/dump/dump.h"
#include "conf/model/lens.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"
#include "symbols/image.h"
#include "symbols/symtab.h"
#include "tests/unit/values/suites.h"
#include "values/learn/learn.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[256];

static void
enter(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%s/xtrace-learn.XXXXXX",
		 parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	ck_assert_int_eq(chdir(folder), 0);
}

/* The path of a file in the test's folder. */
static const char *
path(const char *name)
{
	static char text[512];

	snprintf(text, sizeof(text), "%s/%s", folder, name);
	return text;
}

static void run(const char *format, ...) printf_like(1, 2);

static void
run(const char *format, ...)
{
	va_list arguments;
	char *command;

	va_start(arguments, format);
	ck_assert_int_ge(vasprintf(&command, format, arguments), 0);
	va_end(arguments);
	ck_assert_msg(system(command) == 0, "%s", command);
	free(command);
}

static void
leave(void)
{
	run("cd / && rm -rf '%s'", folder);
	ck_assert_int_eq(chdir("/"), 0);
}

static void
compile(const char *name, const char *source, const char *command)
{
	FILE *file = fopen(name, "w");

	ck_assert_ptr_nonnull(file);
	ck_assert_int_ge(fputs(source, file), 0);
	ck_assert_int_eq(fclose(file), 0);
	run("%s -w -shared -fPIC -o out.so %s", command, name);
}

static struct learner *
open_learner(const struct learn_look *look)
{
	struct learner *learner;
	struct image *image;
	struct err err;

	ck_assert_int_eq(image_open("out.so", path("out.so"), &image, &err), 0);
	learner = learner_new(image, look);
	image_unref(image);
	return learner;
}

static const struct proto *
find(struct learner *learner, const char *name)
{
	const struct symbol *symbol;
	struct image *image;
	addr_t address;
	struct err err;

	ck_assert_int_eq(image_open("out.so", path("out.so"), &image, &err), 0);
	symbol = symtab_find(image, SYMTAB_ALL, name);
	ck_assert_msg(symbol != NULL, "%s", name);
	address = symbol->address;
	image_unref(image);
	return learner_proto(learner, address, name);
}

/* Compares with prototypes between which are newlines. */
static void
expect_with(const struct learn_look *look, const char *const *names,
	    const char *expected)
{
	struct learner *learner = open_learner(look);
	struct str text;

	str_init(&text);
	for (size_t i = 0; names[i]; i++) {
		const struct proto *proto = find(learner, names[i]);

		if (proto)
			dump_proto(NULL, proto, &text);
		else
			str_addf(&text, "no %s", names[i]);
		str_add_char(&text, '\n');
	}
	ck_assert_str_eq(str_text(&text), expected);
	ck_assert_ptr_null(learner_complaint(learner));
	str_release(&text);
	learner_free(learner);
}

#define EXPECT(look, expected, ...)                                     \
	expect_with((look), (const char *const[]){ __VA_ARGS__, NULL }, \
		    (expected))

static const struct learn_look plain, ltrace = { .as_ltrace = true };

static const char c_source[] =
	"#include <stddef.h>\n"
	"#include <stdio.h>\n"
	"enum color { RED, GREEN = 5, BLUE };\n"
	"enum bits { READ = 1, WRITE = 2, RUN = 4, NONE = 0 };\n"
	"struct point { int x, y; };\n"
	"typedef struct { char name[8]; unsigned a : 3, b : 5; double d; } "
	"rec;\n"
	"struct list { struct list *next; const char *text; int n[2][3]; };\n"
	"union u { int i; float f; };\n"
	"typedef int number;\n"
	"void numbers(char a, short b, unsigned c, long d, number e, size_t "
	"f,\n"
	"\t_Bool g, float h, double i, long double j) {}\n"
	"const char *texts(const char *in, char *buffer) { return in; }\n"
	"enum color enums(enum color c, enum bits b) { return c; }\n"
	"struct point structs(struct point a, rec b, const rec *c) { return a; "
	"}\n"
	"int lists(struct list *l, union u *u, int *n, void *p) { return 0; }\n"
	"int call(int (*f)(int, char *), FILE *file) { return f(1, 0); }\n"
	"int say(int level, const char *format, ...) { return level; }\n"
	"_Complex double complexes(float _Complex a) { return a; }\n"
	"void nothing(void) {}\n"
	"int old(a) int a; { return a; }\n";

#define COLOR "enum[unsigned int](RED=0, GREEN=5, BLUE=6)"
#define BITS "flags[unsigned int](READ=0x1, WRITE=0x2, RUN=0x4, NONE=0x0)"

static void
expect_c(void)
{
	EXPECT(&plain,
	       "void numbers(char a, short b, unsigned int c, long d, "
	       "int e, size_t f, _Bool g, float h, double i, long double j);\n"
	       "string texts(string in, guess(string) buffer);\n" COLOR
	       " enums(" COLOR " c, " BITS " b);\n"
	       "struct point structs(struct point a, rec b, ref(rec) c);\n"
	       "int lists(ref(struct list) l, ref(union u) u, ref(int) n, "
	       "addr p);\n"
	       "int call(int (*f)(int, guess(string)), addr(FILE) file);\n"
	       "int say(int level, format format);\n"
	       "double _Complex complexes(float _Complex a);\n"
	       "void nothing();\n",
	       "numbers", "texts", "enums", "structs", "lists", "call", "say",
	       "complexes", "nothing");
}

static const char *const c_compilers[] = {
	"gcc -g -O0",
	"gcc -g -O2 -fno-inline -fno-ipa-sra",
	"gcc -gdwarf-4",
	"gcc -gdwarf-4 -fdebug-types-section",
	"gcc -g -fdebug-types-section",
	"gcc -g -gz",
	"gcc -g -gsplit-dwarf",
	"gcc -gdwarf-4 -gsplit-dwarf",
	"clang -g",
	"clang -gdwarf-4",
	"clang -g -gsplit-dwarf",
};

START_TEST(c_types)
{
	compile("a.c", c_source, c_compilers[_i]);
	expect_c();
}
END_TEST

/* The struct behind a pointer has its fields, even if one of them points to
 * such a struct again. */
START_TEST(fields)
{
	struct learner *learner;
	const struct type *list, *next;

	compile("a.c", c_source, "gcc -g");
	learner = open_learner(&plain);
	list = find(learner, "lists")->params[0].type->to;
	ck_assert(list->body->complete);
	ck_assert_uint_eq(list->body->count, 3);
	ck_assert_uint_eq(list->body->size, 40);
	ck_assert_uint_eq(list->body->fields[2].offset, 16);
	ck_assert_uint_eq(type_size(list->body->fields[2].type), 24);
	next = list->body->fields[0].type;
	ck_assert_int_eq(next->lens->kind, LENS_ADDRESS);
	learner_free(learner);
	/* ltrace follows pointers in structs, and sees no text. */
	learner = open_learner(&ltrace);
	list = find(learner, "lists")->params[0].type->to;
	next = list->body->fields[0].type;
	ck_assert_ptr_null(next->lens);
	ck_assert_ptr_eq(next->to->body, list->body);
	ck_assert_ptr_null(list->body->fields[1].type->lens);
	learner_free(learner);
}
END_TEST

/* A stripped file with .gnu_debuglink, whose types are in a file of dwz. */
START_TEST(separate)
{
	compile("a.c", c_source, "gcc -g");
	run("objcopy --only-keep-debug out.so out.debug");
	run("cp out.debug other.debug");
	run("dwz -m common.debug -M common.debug out.debug other.debug");
	run("objcopy --strip-all --add-gnu-debuglink=out.debug out.so");
	expect_c();
}
END_TEST

static const char cxx_source[] =
	"namespace shop {\n"
	"enum class Kind : unsigned char { SMALL, LARGE };\n"
	"struct Base { int id; };\n"
	"struct Text { char *at; Text(const Text &); ~Text(); };\n"
	"struct Plain { int a, b; };\n"
	"struct Empty {};\n"
	"class Item : public Base { public: static int count; double price;\n"
	"\tint cost(int n) const; virtual ~Item(); };\n"
	"Item::~Item() {}\n"
	"Text::Text(const Text &t) : at(t.at) {}\n"
	"Text::~Text() {}\n"
	"int Item::cost(int n) const { return n; }\n"
	"int total(const Item &item, Item &&next, Text text, Kind kind)\n"
	"\t{ return item.id + next.id + text.at[0] + (int)kind; }\n"
	"Text label(const Text &text) { return text; }\n"
	"Plain plain(Plain p, int Item::*field) { return p; }\n"
	"int empty(Empty e, int n) { return n; }\n"
	"template <class T> T twice(T value) { return value + value; }\n"
	"template int twice<int>(int);\n"
	"}\n";

static const char *const cxx_compilers[] = {
	"g++ -g",
	"g++ -gdwarf-4",
	"g++ -g -O2 -fno-inline -fno-ipa-sra",
	"clang++ -g",
	"clang++ -gdwarf-4 -O0",
};

START_TEST(cxx_types)
{
	compile("a.cc", cxx_source, cxx_compilers[_i]);
	EXPECT(&plain,
	       "int cost(addr(Item) this, int n);\n"
	       "int total(ref(Item) item, ref(Item) next, "
	       "ref(struct Text) text, "
	       "enum[unsigned char](SMALL=0, LARGE=1) kind);\n"
	       "ref(struct Text) label(hide(ref(struct Text)), "
	       "ref(struct Text) text);\n"
	       "struct Plain plain(struct Plain p, long field);\n"
	       "int empty(struct Empty e, int n);\n"
	       "int twice<int>(int value);\n",
	       "_ZNK4shop4Item4costEi",
	       "_ZN4shop5totalERKNS_4ItemEOS0_NS_4TextENS_4KindE",
	       "_ZN4shop5labelERKNS_4TextE",
	       "_ZN4shop5plainENS_5PlainEMNS_4ItemEi",
	       "_ZN4shop5emptyENS_5EmptyEi", "_ZN4shop5twiceIiEET_S1_");
}
END_TEST

/* clang 14 leaves out the entry of an unused object. The name of the function
 * says that it has two parameters. clang 19 describes both. */
START_TEST(left_out)
{
	bool old =
		system("test $(clang -dumpversion | cut -d. -f1) -lt 19") == 0;

	compile("a.cc",
		"struct Text { Text(const Text &); ~Text(); char *at; };\n"
		"int f(Text text, int n) { return n; }\n"
		"int g(Text &text, int n) { return n; }\n",
		"clang++ -g");
	EXPECT(&plain,
	       old ? "no _Z1f4Texti\nint g(addr(struct Text) text, int n);\n"
		   : "int f(ref(struct Text) text, int n);\n"
		     "int g(ref(struct Text) text, int n);\n",
	       "_Z1f4Texti", "_Z1gR4Texti");
}
END_TEST

/* A type that the model does not have gives no prototype, or is not followed
 * behind a pointer. */
START_TEST(unknown_types)
{
	compile("a.c",
		"typedef float vec __attribute__((vector_size(16)));\n"
		"struct opaque;\n"
		"struct has { vec v; };\n"
		"void f(vec v) {}\n"
		"void g(struct opaque *o, vec *v, struct has *h) {}\n"
		"void h(struct has h) {}\n",
		"gcc -g");
	EXPECT(&plain,
	       "no f\nvoid g(addr(struct opaque) o, addr v, "
	       "addr(struct has) h);\nno h\n",
	       "f", "g", "h");
}
END_TEST

/* A copy of a function whose parameters gcc has changed. */
START_TEST(changed)
{
	compile("a.c",
		"struct p { int a, b; };\n"
		"static __attribute__((noinline)) int f(struct p *p)\n"
		"\t{ return p->a * 3 + p->b; }\n"
		"int g(int n) { struct p p = { n, 2 }; return f(&p); }\n"
		"int h(int n) { struct p p = { n, 3 }; return f(&p); }\n",
		"gcc -g -O2");
	EXPECT(&plain, "no f.isra.0\nint g(int n);\n", "f.isra.0", "g");
}
END_TEST

/* clang removes a parameter that is not used, if it knows all callers. */
START_TEST(reduced)
{
	compile("a.c",
		"static __attribute__((noinline)) int f(int unused, int n)\n"
		"\t{ __asm__(\"\" : \"+r\"(n)); return n; }\n"
		"int g(int unused, int n)\n"
		"\t{ __asm__(\"\" : \"+r\"(n)); return n + f(1, n); }\n"
		"static __attribute__((noinline)) int h(int used, int n)\n"
		"\t{ __asm__(\"\" : \"+r\"(n)); return n + used; }\n"
		"int i(int a, int b) { return f(a, b) + h(a, b); }\n",
		"clang -g -O2");
	EXPECT(&plain,
	       "no f\nint g(int unused, int n);\nint h(int used, int n);\n",
	       "f", "g", "h");
}
END_TEST

static const struct type *
users_type(void *user, const char *name)
{
	return strcmp(name, "rec") ? NULL : user;
}

START_TEST(users_types)
{
	const struct learn_look look = {
		.named = users_type, .user = (void *)type_builtin("size_t")
	};

	compile("a.c", c_source, "gcc -g");
	EXPECT(&look,
	       "struct point structs(struct point a, size_t b, "
	       "ref(size_t) c);\n",
	       "structs");
}
END_TEST

/* Damage is told once, and then nothing is learned. */
START_TEST(damage)
{
	struct learner *learner;

	compile("a.c", c_source, "gcc -g");
	run("objcopy --dump-section .debug_abbrev=abbrev out.so");
	run("seq 100 300 | dd of=abbrev bs=1 seek=8 count=200 conv=notrunc "
	    "2>/dev/null");
	run("printf '\\377\\377\\377\\377\\377\\377' | dd of=abbrev bs=1 "
	    "seek=0 conv=notrunc 2>/dev/null");
	run("objcopy --update-section .debug_abbrev=abbrev out.so");
	learner = open_learner(&plain);
	ck_assert_ptr_null(find(learner, "lists"));
	ck_assert_ptr_nonnull(learner_complaint(learner));
	ck_assert_ptr_null(learner_complaint(learner));
	ck_assert_ptr_null(find(learner, "numbers"));
	ck_assert(learner_knows_nothing(learner));
	learner_free(learner);
}
END_TEST

START_TEST(none)
{
	struct learner *learner;

	compile("a.c", c_source, "gcc");
	learner = open_learner(&plain);
	ck_assert(!learner_knows_nothing(learner));
	ck_assert_ptr_null(find(learner, "lists"));
	ck_assert(learner_knows_nothing(learner));
	ck_assert_ptr_null(learner_complaint(learner));
	learner_free(learner);
}
END_TEST

Suite *
learn_suite(void)
{
	Suite *suite = suite_create("learn");
	TCase *tests = tcase_create("learn");

	tcase_add_checked_fixture(tests, enter, leave);
	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, c_types, 0, array_size(c_compilers));
	tcase_add_loop_test(tests, cxx_types, 0, array_size(cxx_compilers));
	tcase_add_test(tests, fields);
	tcase_add_test(tests, separate);
	tcase_add_test(tests, left_out);
	tcase_add_test(tests, unknown_types);
	tcase_add_test(tests, changed);
	tcase_add_test(tests, reduced);
	tcase_add_test(tests, users_types);
	tcase_add_test(tests, damage);
	tcase_add_test(tests, none);
	suite_add_tcase(suite, tests);
	return suite;
}
