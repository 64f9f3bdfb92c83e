/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accessors as compilers make them, mainly those of Debian 12's client
 * libraries. The processor executes them and xtrace interprets them: the
 * results must be equal. Other functions must be refused.
 */
#include "arch/x86_64/accessor.h"

#include "base/attr.h"
#include "tests/unit/arch/suites.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* A struct with a value at every offset that is read. */
static unsigned char object[2048];
static struct reader self;

static int
read_self(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < 4096)
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)from, length);
	return 0;
}

struct sample {
	const char *name;
	unsigned char code[48];
	size_t length;
};

#define CODE(...) { __VA_ARGS__ }, sizeof((unsigned char[]){ __VA_ARGS__ })

static const struct sample accessors[] = {
	{ "mysql_errno", CODE(0x31, 0xc0, 0x48, 0x85, 0xff, 0x74, 0x06, 0x8b,
			      0x87, 0x90, 0, 0, 0, 0xc3) },
	{ "mysql_error",
	  CODE(0x48, 0x8d, 0x87, 0x97, 0, 0, 0, 0x48, 0x85, 0xff, 0x48, 0x8d,
	       0x15, 0x01, 0, 0, 0, 0x48, 0x0f, 0x44, 0xc2, 0xc3) },
	{ "mysql_sqlstate", CODE(0x48, 0x8d, 0x87, 0x97, 0x02, 0, 0, 0xc3) },
	{ "mysql_affected_rows",
	  CODE(0x48, 0x8b, 0x87, 0x38, 0x03, 0, 0, 0xc3) },
	{ "PQresultStatus",
	  CODE(0x48, 0x85, 0xff, 0x74, 0x0b, 0x8b, 0x47, 0x28, 0xc3, 0x0f, 0x1f,
	       0x80, 0, 0, 0, 0, 0xb8, 7, 0, 0, 0, 0xc3) },
	{ "sqlite3_sql",
	  CODE(0xf3, 0x0f, 0x1e, 0xfa, 0x48, 0x85, 0xff, 0x74, 0x0b, 0x48, 0x8b,
	       0x87, 0xf8, 0, 0, 0, 0xc3, 0x0f, 0x1f, 0, 0x31, 0xc0, 0xc3) },
	{ "sums", CODE(0x48, 0x63, 0x47, 0x10, 0x83, 0xc0, 0x05, 0x29, 0xf0,
		       0x21, 0xf0, 0x31, 0xc9, 0x09, 0xc8, 0xc3) },
	{ "bytes", CODE(0x0f, 0xb6, 0x47, 0x03, 0x0f, 0xbe, 0x57, 0x04, 0x01,
			0xd0, 0x0f, 0xb7, 0x4f, 0x06, 0x48, 0x0f, 0xbf, 0x77,
			0x08, 0x01, 0xc8, 0x48, 0x01, 0xf0, 0xc3) },
	{ "choices", CODE(0x31, 0xc0, 0x83, 0x7f, 0x10, 0x05, 0x0f, 0x9c, 0xc0,
			  0x80, 0x7f, 0x03, 0x80, 0x7d, 0x02, 0xeb, 0x03, 0x8d,
			  0x40, 0x08, 0xf3, 0xc3) },
	{ "tables", CODE(0x89, 0xf2, 0x83, 0xe2, 0x0f, 0x48, 0x8d, 0x44, 0x97,
			 0x08, 0x39, 0x30, 0x0f, 0x42, 0xc2, 0xc3) },
	{ "mysql_more_results", CODE(0x8b, 0x87, 0x80, 0x03, 0, 0, 0xc1, 0xe8,
				     0x03, 0x83, 0xe0, 0x01, 0xc3) },
	{ "shifts", CODE(0x48, 0x8b, 0x47, 0x10, 0x48, 0xc1, 0xf8, 0x05, 0x8b,
			 0x4f, 0x20, 0xd1, 0xf9, 0xc1, 0xe1, 0x07, 0x48, 0x01,
			 0xc8, 0x48, 0xd1, 0xe0, 0xc3) },
	/* push and pop of rbx and r12, which belong to the caller */
	{ "saves",
	  CODE(0x53, 0x41, 0x54, 0x48, 0x89, 0xfb, 0x49, 0x89, 0xf4, 0x48, 0x8b,
	       0x43, 0x20, 0x4c, 0x01, 0xe0, 0x41, 0x5c, 0x5b, 0xc3) },
	{ "swaps", CODE(0x57, 0x56, 0x5f, 0x58, 0x48, 0x29, 0xf8, 0xc3) },
};

START_TEST(accessors_say_what_they_would_return)
{
	const struct sample *sample = &accessors[_i];
	unsigned char *page =
		mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint64_t (*function)(void *, uint64_t);
	unsigned seed = 7;

	ck_assert_ptr_ne(page, MAP_FAILED);
	memcpy(page, sample->code, sample->length);
	function = (uint64_t(*)(void *, uint64_t))(uintptr_t)page;
	self.read = read_self;
	for (unsigned round = 0; round < 200; round++) {
		uint64_t arguments[2] = { (uintptr_t)object, round * 77 }, got;

		for (size_t i = 0; i < sizeof(object); i++) {
			seed = seed * 1103515245u + 12345u;
			object[i] = (unsigned char)(seed >> 16);
		}
		ck_assert_int_eq(x86_64_accessor(&self, (uintptr_t)page,
						 arguments, 2, &got),
				 0);
		ck_assert_msg(got == function(object, arguments[1]),
			      "%s: %lx, not %lx", sample->name, got,
			      function(object, arguments[1]));
	}
	munmap(page, 4096);
}
END_TEST

/* Accessors that check their argument accept NULL. */
START_TEST(null_is_an_argument)
{
	uint64_t none = 0, got;

	self.read = read_self;
	ck_assert_int_eq(x86_64_accessor(&self, (uintptr_t)accessors[0].code,
					 &none, 1, &got),
			 0);
	ck_assert_uint_eq(got, 0);
	ck_assert_int_eq(x86_64_accessor(&self, (uintptr_t)accessors[4].code,
					 &none, 1, &got),
			 0);
	ck_assert_uint_eq(got, 7);
	ck_assert_int_eq(x86_64_accessor(&self, (uintptr_t)accessors[3].code,
					 &none, 1, &got),
			 -EFAULT);
}
END_TEST

static const struct sample others[] = {
	{ "writes", CODE(0x48, 0x89, 0x37, 0x31, 0xc0, 0xc3) },
	{ "adds to memory", CODE(0x01, 0x37, 0x31, 0xc0, 0xc3) },
	{ "calls", CODE(0xe8, 0, 0, 0, 0, 0xc3) },
	{ "returns to what it has pushed", CODE(0x57, 0x31, 0xc0, 0xc3) },
	{ "pops what it has not pushed", CODE(0x58, 0xc3) },
	{ "pops an unset register", CODE(0x53, 0x58, 0xc3) },
	{ "reads the stack", CODE(0x57, 0x48, 0x8b, 0x04, 0x24, 0x5f, 0xc3) },
	{ "pushes the stack pointer", CODE(0x54, 0x58, 0xc3) },
	{ "pushes without end", CODE(0x57, 0xeb, 0xfd) },
	{ "loops forever", CODE(0xeb, 0xfe) },
	{ "returns an unset register", CODE(0xc3) },
	{ "uses an unset register", CODE(0x89, 0xc8, 0xc3) },
	{ "jumps by flags that nobody set", CODE(0x74, 0, 0x31, 0xc0, 0xc3) },
	{ "jumps through a pointer", CODE(0xff, 0xe7) },
	{ "looks at a segment",
	  CODE(0x64, 0x48, 0x8b, 0x04, 0x25, 0, 0, 0, 0, 0xc3) },
	{ "asks the kernel", CODE(0x0f, 0x05, 0xc3) },
	{ "stops", CODE(0xcc) },
	{ "uses ah", CODE(0x31, 0xc0, 0x84, 0xe4, 0xc3) },
};

START_TEST(other_functions_are_refused)
{
	unsigned char code[64] = { 0 };
	uint64_t arguments[2] = { (uintptr_t)object, 1 }, got;

	self.read = read_self;
	memcpy(code, others[_i].code, others[_i].length);
	ck_assert_msg(x86_64_accessor(&self, (uintptr_t)code, arguments, 2,
				      &got) == -ENOTSUP,
		      "%s", others[_i].name);
}
END_TEST

/* The only memory that the reader can read: the code of an accessor. */
static unsigned char there[64];

static int
read_there(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from - (uintptr_t)there > sizeof(there) ||
	    length > sizeof(there) - (from - (uintptr_t)there))
		return -EFAULT;
	memcpy(to, (const void *)(uintptr_t)from, length);
	return 0;
}

/* Interprets random bytes as an accessor. The interpreter ends soon, with a
 * result or a refusal, and does not change the object. */
START_TEST(any_code_ends)
{
	static const unsigned char usual[] = {
		0x31, 0xc0, 0x48, 0x8b, 0x87, 0x85, 0xff, 0x74, 0x00, 0x0f,
		0x44, 0xc3, 0xf6, 0x83, 0xb8, 0x89, 0xd0, 0x47, 0x10, 0x66,
	};
	unsigned char before[sizeof(object)];
	unsigned seed = 3, answers = 0;

	self.read = read_there;
	memcpy(before, object, sizeof(object));
	for (unsigned round = 0; round < 200000; round++) {
		uint64_t arguments[2] = { (uintptr_t)there, round }, got;
		int r;

		for (size_t i = 0; i < sizeof(there); i++) {
			seed = seed * 1103515245u + 12345u;
			there[i] = (unsigned char)(seed >> 16);
			if (round % 2)
				there[i] = usual[there[i] % sizeof(usual)];
		}
		there[4] = 0xc3;
		r = x86_64_accessor(&self, (uintptr_t)there, arguments, 2,
				    &got);
		answers += r == 0;
	}
	ck_assert_uint_gt(answers, 10);
	ck_assert(!memcmp(before, object, sizeof(object)));
}
END_TEST

Suite *
accessor_suite(void)
{
	Suite *suite = suite_create("accessor");
	TCase *tests = tcase_create("accessor");

	tcase_add_loop_test(tests, accessors_say_what_they_would_return, 0,
			    (int)array_size(accessors));
	tcase_add_test(tests, null_is_an_argument);
	tcase_add_loop_test(tests, other_functions_are_refused, 0,
			    (int)array_size(others));
	tcase_add_test(tests, any_code_ends);
	suite_add_tcase(suite, tests);
	return suite;
}
