/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares the places of fields with those of the compiler. Each struct is
 * written once: the compiler compiles it, and xtrace parses its text. For
 * 32-bit programs GCC compiles the text once more.
 */
#include "base/str.h"
#include "conf/model/expr.h"
#include "conf/model/library.h"
#include "conf/parse/parse.h"
#include "tests/unit/conf/suites.h"

#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>

#define BOTH(...) __VA_ARGS__ static const char text_of_all[] = #__VA_ARGS__;

BOTH(
	struct plain {
		char c;
		int i;
		short s;
		double d;
		char e;
	};
	struct inner {
		char a;
		struct plain p;
		char b[3];
		long double x;
	};
	struct arrays {
		char c;
		int v[3];
		char m[2][5];
		short t[1];
	};
	struct complexes {
		char c;
		float _Complex f;
		char d;
		double _Complex g;
	};
	union one {
		char c;
		int i;
		double d;
		char text[13];
	};
	struct with_union {
		char c;
		union one u;
		char d;
	};
	struct packed {
		char c;
		int i;
		short s;
	} __attribute__((packed));
	struct around {
		char c;
		struct packed p;
		int i;
	};
	struct bits {
		unsigned a : 3;
		unsigned b : 30;
		int c : 5;
		char d;
	};
	struct closed {
		int a : 3;
		int : 0;
		int b : 4;
		char c;
	};
	struct mixed {
		char a;
		short b : 9;
		long long c : 40;
		char d : 2;
	};
	struct padded {
		int a : 4;
		int : 20;
		int b : 10;
	};
	struct packed_bits {
		char a;
		int b : 20;
		int c : 20;
		char d;
	} __attribute__((packed));
	struct pointers {
		char c;
		void *p;
		char d;
		int (*f)(int);
		char e;
	};
	struct typed {
		bool b;
		size_t n;
		pid_t p;
		mode_t m;
		uint8_t u;
		int64_t i;
		wchar_t w;
	};
	struct empty{}; struct flexible {
		int n;
		char c;
		double rest[];
	};
	enum small{ SMALL_A, SMALL_B }; struct enums {
		char c;
		enum small e;
		char d;
	};)

static const struct {
	const char *name;
	size_t size, align;
} structs[] = {
#define ROW(name)                                   \
	{                                           \
#name, sizeof(name), _Alignof(name) \
	}
	ROW(struct plain),	 ROW(struct inner),    ROW(struct arrays),
	ROW(struct complexes),	 ROW(union one),       ROW(struct with_union),
	ROW(struct packed),	 ROW(struct around),   ROW(struct bits),
	ROW(struct closed),	 ROW(struct mixed),    ROW(struct padded),
	ROW(struct packed_bits), ROW(struct pointers), ROW(struct typed),
	ROW(struct empty),	 ROW(struct flexible), ROW(struct enums),
};

static const struct {
	const char *type, *field;
	size_t offset;
} fields[] = {
#define FIELD(type, field)                           \
	{                                            \
#type, #field, offsetof(type, field) \
	}
	FIELD(struct plain, c),	      FIELD(struct plain, i),
	FIELD(struct plain, s),	      FIELD(struct plain, d),
	FIELD(struct plain, e),	      FIELD(struct inner, p),
	FIELD(struct inner, b),	      FIELD(struct inner, x),
	FIELD(struct arrays, v),      FIELD(struct arrays, m),
	FIELD(struct arrays, t),      FIELD(struct complexes, f),
	FIELD(struct complexes, g),   FIELD(union one, d),
	FIELD(struct with_union, u),  FIELD(struct with_union, d),
	FIELD(struct packed, i),      FIELD(struct packed, s),
	FIELD(struct around, p),      FIELD(struct around, i),
	FIELD(struct bits, d),	      FIELD(struct closed, c),
	FIELD(struct packed_bits, d), FIELD(struct pointers, p),
	FIELD(struct pointers, f),    FIELD(struct pointers, e),
	FIELD(struct typed, n),	      FIELD(struct typed, p),
	FIELD(struct typed, m),	      FIELD(struct typed, u),
	FIELD(struct typed, i),	      FIELD(struct typed, w),
	FIELD(struct flexible, c),    FIELD(struct flexible, rest),
	FIELD(struct enums, e),	      FIELD(struct enums, d),
};

static struct library *library;

static void
read_structs(void)
{
	struct complaints complaints;

	complaints_init(&complaints);
	library = library_parse("layout", text_of_all, strlen(text_of_all),
				NULL, &complaints);
	ck_assert_msg(complaints.list.count == 0, "%s",
		      complaints.list.count ? complaints.list.at[0].text : "");
	complaints_release(&complaints);
}

static void
free_structs(void)
{
	library_free(library);
}

static const struct type_field *
find_field(const char *name, const char *field)
{
	const struct type *type = library_type(library, name);

	ck_assert_ptr_nonnull(type);
	for (size_t i = 0; i < type->body->count; i++) {
		const char *own = type->body->fields[i].name;

		if (own && !strcmp(own, field))
			return &type->body->fields[i];
	}
	ck_abort_msg("%s has no field %s", name, field);
}

START_TEST(sizes)
{
	const struct type *type = library_type(library, structs[_i].name);

	ck_assert_ptr_nonnull(type);
	ck_assert_msg(type_size(type) == structs[_i].size &&
			      type_align(type) == structs[_i].align,
		      "%s: %zu aligned to %zu, not %zu to %zu",
		      structs[_i].name, type_size(type), type_align(type),
		      structs[_i].size, structs[_i].align);
}
END_TEST

START_TEST(offsets)
{
	const struct type_field *field =
		find_field(fields[_i].type, fields[_i].field);

	ck_assert_msg(field->offset == fields[_i].offset,
		      "%s.%s: at %zu, not %zu", fields[_i].type,
		      fields[_i].field, field->offset, fields[_i].offset);
}
END_TEST

/* The bits of a field in the memory of a struct. */
static uint64_t
bits_of(const char *type, const char *name, const void *memory)
{
	const struct type_field *field = find_field(type, name);
	uint64_t word = 0;
	size_t length = (field->first_bit + field->bits + 7) / 8;

	ck_assert_uint_le(field->first_bit + field->bits, 64);
	memcpy(&word, (const char *)memory + field->offset, length);
	return word >> field->first_bit & ((UINT64_C(1) << field->bits) - 1);
}

#define CHECK_BITS(type, field, value)                                       \
	do {                                                                 \
		type object;                                                 \
                                                                             \
		memset(&object, 0, sizeof(object));                          \
		object.field = (value);                                      \
		ck_assert_uint_eq(bits_of(#type, #field, &object), (value)); \
	} while (0)

START_TEST(bit_fields)
{
	CHECK_BITS(struct bits, a, 5u);
	CHECK_BITS(struct bits, b, 0x2aaaaaaau);
	CHECK_BITS(struct bits, c, 9u);
	CHECK_BITS(struct closed, a, 3u);
	CHECK_BITS(struct closed, b, 5u);
	CHECK_BITS(struct mixed, b, 0xaau);
	CHECK_BITS(struct mixed, c, 0x1234567890u);
	CHECK_BITS(struct mixed, d, 1u);
	CHECK_BITS(struct padded, a, 7u);
	CHECK_BITS(struct padded, b, 0x155u);
	CHECK_BITS(struct packed_bits, b, 0x5aaaau);
	CHECK_BITS(struct packed_bits, c, 0x15555u);
}
END_TEST

static const struct {
	const char *name;
	size_t size, align;
	bool is_signed;
} builtins[] = {
#define INTEGER(name)                                             \
	{                                                         \
#name, sizeof(name), _Alignof(name), (name)-1 < 1 \
	}
	INTEGER(char),		INTEGER(signed char),	 INTEGER(unsigned char),
	INTEGER(short),		INTEGER(unsigned short), INTEGER(int),
	INTEGER(unsigned int),	INTEGER(long),		 INTEGER(unsigned long),
	INTEGER(long long),	INTEGER(size_t),	 INTEGER(ssize_t),
	INTEGER(off_t),		INTEGER(pid_t),		 INTEGER(uid_t),
	INTEGER(gid_t),		INTEGER(mode_t),	 INTEGER(dev_t),
	INTEGER(ino_t),		INTEGER(nlink_t),	 INTEGER(blksize_t),
	INTEGER(blkcnt_t),	INTEGER(time_t),	 INTEGER(suseconds_t),
	INTEGER(useconds_t),	INTEGER(clock_t),	 INTEGER(clockid_t),
	INTEGER(key_t),		INTEGER(id_t),		 INTEGER(pthread_t),
	INTEGER(int8_t),	INTEGER(uint8_t),	 INTEGER(int16_t),
	INTEGER(uint16_t),	INTEGER(int32_t),	 INTEGER(uint32_t),
	INTEGER(int64_t),	INTEGER(uint64_t),	 INTEGER(intptr_t),
	INTEGER(uintptr_t),	INTEGER(intmax_t),	 INTEGER(uintmax_t),
	INTEGER(int_fast16_t),	INTEGER(uint_fast32_t),	 INTEGER(ptrdiff_t),
	INTEGER(wchar_t),	INTEGER(ushort),	 INTEGER(uint),
	INTEGER(ulong),		INTEGER(u_char),	 INTEGER(u_int32_t),
	INTEGER(quad_t),	INTEGER(fsblkcnt_t),	 INTEGER(loff_t),
	INTEGER(pthread_key_t), INTEGER(register_t),	 INTEGER(daddr_t),
};

START_TEST(built_in)
{
	const struct type *type = type_builtin(builtins[_i].name);

	ck_assert_msg(type && type_size(type) == builtins[_i].size &&
			      type_align(type) == builtins[_i].align &&
			      type->is_signed == builtins[_i].is_signed,
		      "%s", builtins[_i].name);
}
END_TEST

START_TEST(built_in_by_header_name)
{
	ck_assert_ptr_eq(type_builtin("__off64_t"), type_builtin("off64_t"));
	ck_assert_ptr_eq(type_builtin("____size_t"), type_builtin("size_t"));
	ck_assert_ptr_null(type_builtin("nobody"));
	ck_assert_ptr_null(type_builtin("__"));
	ck_assert_ptr_null(type_builtin(""));
}
END_TEST

/* ---- 32-bit programs ------------------------------------------------------*/

/* Adds assertions that a compiler must find true: xtrace's sizes, alignments
 * and places of fields. */
static void
add_assertions(struct str *to, const char *name, const struct type *type)
{
	ck_assert_msg(type != NULL, "%s", name);
	str_addf(to, "_Static_assert(sizeof(%s) == %zu, \"%s\");\n", name,
		 type_size(type), name);
	str_addf(to,
		 "_Static_assert(_Alignof(struct { %s x; }) == %zu, "
		 "\"%s\");\n",
		 name, type_align(type), name);
	for (size_t i = 0; type->body && i < type->body->count; i++) {
		const struct type_field *field = &type->body->fields[i];

		if (field->name && !field->bits)
			str_addf(to,
				 "_Static_assert(offsetof(%s, %s) == %zu, "
				 "\"%s.%s\");\n",
				 name, field->name, field->offset, name,
				 field->name);
	}
}

/* GCC compiles the same text for i386. */
START_TEST(in_a_32_bit_program)
{
	struct importer narrow = { .word = 4 };
	struct complaints complaints;
	struct library *own;
	struct str text = { 0 };
	FILE *compiler;

	complaints_init(&complaints);
	own = library_parse("layout", text_of_all, strlen(text_of_all), &narrow,
			    &complaints);
	ck_assert_uint_eq(complaints.list.count, 0);
	str_add(&text, "#define _GNU_SOURCE\n#include <stddef.h>\n"
		       "#include <stdint.h>\n#include <stdbool.h>\n"
		       "#include <sys/types.h>\n#include <wchar.h>\n");
	str_add(&text, text_of_all);
	str_add_char(&text, '\n');
	for (size_t i = 0; i < sizeof(structs) / sizeof(structs[0]); i++)
		add_assertions(&text, structs[i].name,
			       library_type(own, structs[i].name));
	for (size_t i = 0; i < sizeof(builtins) / sizeof(builtins[0]); i++)
		add_assertions(&text, builtins[i].name,
			       library_type(own, builtins[i].name));
	compiler = popen("gcc -m32 -w -fsyntax-only -x c - >&2", "w");
	ck_assert_ptr_nonnull(compiler);
	fputs(str_text(&text), compiler);
	ck_assert_int_eq(pclose(compiler), 0);
	str_release(&text);
	library_free(own);
	complaints_release(&complaints);
}
END_TEST

/* Sizes that do not fit are rejected and do not wrap. */
START_TEST(huge)
{
	static const char text[] =
		"typedef big = array(long, 0x7fffffffffffffff);\n"
		"struct s { big a; };\n"
		"struct t { char c[-5]; int i; };\n"
		"typedef huger = array(big, 1000000);\n"
		"int f(huger*);\n";
	struct complaints complaints;
	struct library *own;

	complaints_init(&complaints);
	own = library_parse("t", text, strlen(text), NULL, &complaints);
	ck_assert_uint_eq(complaints.list.count, 1);
	ck_assert_uint_eq(complaints.list.at[0].line, 2);
	ck_assert_str_eq(complaints.list.at[0].text, "this is too large");
	ck_assert_uint_eq(type_size(library_type(own, "huger")),
			  TYPE_SIZE_MOST);
	ck_assert_uint_eq(type_size(library_type(own, "struct t")), 4);
	library_free(own);
	complaints_release(&complaints);
}
END_TEST

Suite *
layout_suite(void)
{
	Suite *suite = suite_create("layout");
	TCase *tests = tcase_create("layout");

	tcase_add_checked_fixture(tests, read_structs, free_structs);
	tcase_add_loop_test(tests, sizes, 0,
			    sizeof(structs) / sizeof(structs[0]));
	tcase_add_loop_test(tests, offsets, 0,
			    sizeof(fields) / sizeof(fields[0]));
	tcase_add_test(tests, bit_fields);
	tcase_add_loop_test(tests, built_in, 0,
			    sizeof(builtins) / sizeof(builtins[0]));
	tcase_add_test(tests, built_in_by_header_name);
	tcase_add_test(tests, in_a_32_bit_program);
	tcase_add_test(tests, huge);
	suite_add_tcase(suite, tests);
	return suite;
}
