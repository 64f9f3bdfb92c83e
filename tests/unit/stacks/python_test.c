/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of lines made by hand, strings of every kind, and invalid versions. */
#include "stacks/python_lines.h"
#include "stacks/python_text.h"
#include "stacks/source_parts.h"
#include "tests/unit/stacks/suites.h"

#include "base/attr.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

/* A reader of this process's own memory. */
static int
read_self(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct iovec ours = { to, length };
	struct iovec theirs = { (void *)from, length };

	(void)reader;
	/*
	 * The kernel reads, so that a sanitizer does not report reads of bytes
	 * between two variables.
	 */
	return process_vm_readv(getpid(), &ours, 1, &theirs, 1, 0) ==
			       (ssize_t)length
		       ? 0
		       : -EFAULT;
}

static struct reader self = { .read = read_self };

/* ---- lines -------------------------------------------------------------- */

struct line_row {
	enum python_lines kind;
	const char *table;
	size_t size;
	int64_t at;
	unsigned line;
};

#define ROW(kind, table, at, line)                                \
	{                                                         \
		PYTHON_##kind, table, sizeof(table) - 1, at, line \
	}

/* The first line of each function is 100. */
static const struct line_row line_rows[] = {
	ROW(LNOTAB, "", 0, 100),
	ROW(LNOTAB, "\x06\x01\x08\x02", 0, 100),
	ROW(LNOTAB, "\x06\x01\x08\x02", 5, 100),
	ROW(LNOTAB, "\x06\x01\x08\x02", 6, 101),
	ROW(LNOTAB, "\x06\x01\x08\x02", 14, 103),
	ROW(LNOTAB, "\x06\x01\x08\x02", 1000, 103),
	ROW(LNOTAB, "\x06\x01\x08\xfe", 14, 99),
	ROW(LNOTAB, "\xff\x00\x02\x7f\x00\x7f\x02\x01", 257, 354),
	ROW(LNOTAB, "\xff\x00\x02\x7f\x00\x7f\x02\x01", 259, 355),
	ROW(LNOTAB, "\x06\x01\x08", 14, 101),
	ROW(LNOTAB, "\x06\x01", -2, 100),
	ROW(LINETABLE, "", 0, 0),
	ROW(LINETABLE, "\x04\x01\x06\x02", 0, 101),
	ROW(LINETABLE, "\x04\x01\x06\x02", 3, 101),
	ROW(LINETABLE, "\x04\x01\x06\x02", 4, 103),
	ROW(LINETABLE, "\x04\x01\x06\x02", 10, 0),
	ROW(LINETABLE, "\x04\x80\x06\x02", 2, 0),
	ROW(LINETABLE, "\x04\x80\x06\x02", 4, 102),
	ROW(LINETABLE, "\x00\x7f\x02\x7f\x02\xff", 0, 354),
	ROW(LINETABLE, "\x00\x7f\x02\x7f\x02\xff", 2, 353),
	ROW(LINETABLE, "\x04\x01", -2, 100),
	ROW(LOCATIONS, "", 0, 0),
	/* Three entries: two units in the same line; one unit in the next line;
	   one without columns, 200 lines further. */
	ROW(LOCATIONS, "\x81\x11\xd8\x01\x02\xe8\x50\x06", 0, 100),
	ROW(LOCATIONS, "\x81\x11\xd8\x01\x02\xe8\x50\x06", 3, 100),
	ROW(LOCATIONS, "\x81\x11\xd8\x01\x02\xe8\x50\x06", 4, 101),
	ROW(LOCATIONS, "\x81\x11\xd8\x01\x02\xe8\x50\x06", 6, 301),
	ROW(LOCATIONS, "\x81\x11\xd8\x01\x02\xe8\x50\x06", 8, 0),
	/* Three entries: one in the long form, two lines back; one without a
	   location; one in the same line as the first. */
	ROW(LOCATIONS, "\xf0\x05\x01\x02\x03\xf9\x80\x11", 0, 98),
	ROW(LOCATIONS, "\xf0\x05\x01\x02\x03\xf9\x80\x11", 2, 0),
	ROW(LOCATIONS, "\xf0\x05\x01\x02\x03\xf9\x80\x11", 6, 98),
	/*
	 * Tables with numbers that do not end, and with lines before the first.
	 */
	ROW(LOCATIONS, "\xe8\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f", 0, 0),
	ROW(LOCATIONS, "\xe8\x51\x7f", 0, 0),
	ROW(LOCATIONS, "\x81\x11", -4, 100),
};

START_TEST(one_line)
{
	const struct line_row *row = &line_rows[_i];
	struct peek peek = { .memory = &self };

	ck_assert_uint_eq(python_line(&peek, row->kind, (addr_t)row->table,
				      row->size, 100, row->at),
			  row->line);
	ck_assert(!peek.fault);
}
END_TEST

START_TEST(a_long_table_is_read_in_pieces)
{
	uint8_t table[2000];
	struct peek peek = { .memory = &self };

	for (size_t i = 0; i < sizeof(table); i += 2) {
		table[i] = 2;
		table[i + 1] = 1;
	}
	for (int64_t at = 0; at < 2000; at += 250) {
		ck_assert_uint_eq(python_line(&peek, PYTHON_LNOTAB,
					      (addr_t)table, sizeof(table), 100,
					      at),
				  100 + at / 2);
		ck_assert_uint_eq(python_line(&peek, PYTHON_LINETABLE,
					      (addr_t)table, sizeof(table), 100,
					      at),
				  101 + at / 2);
	}
	ck_assert_uint_eq(python_line(&peek, PYTHON_LOCATIONS, 8, 100, 1, 0),
			  0);
	ck_assert(peek_failed(&peek));
}
END_TEST

/* ---- strings ------------------------------------------------------------ */

static const struct python_layout layout = {
	.text_length = 16,
	.text_state = 32,
	.text_ascii = 48,
	.text_compact = 72,
};

struct text {
	uint64_t before[2];
	uint64_t length, hash;
	uint32_t state, rest;
	uint64_t wstr;
	char after[64];
};

static const char *
text_of(uint32_t state, size_t length, size_t at, const void *bytes,
	size_t size, struct arena *arena)
{
	static struct text text;
	struct peek peek = { .memory = &self };

	text = (struct text){ .length = length, .state = state };
	memcpy((char *)&text + at, bytes, size);
	return python_text(&peek, &layout, (addr_t)&text, arena);
}

#define STATE(kind, compact, ascii) \
	((kind) << 2 | (compact) << 5 | (ascii) << 6)

START_TEST(strings_of_every_kind)
{
	static const uint16_t two[] = { 'p', 0x443, 0x20ac, 0xdc80, 0xdcff };
	static const uint32_t four[] = { 0x1f600, 'x' };
	static const char elsewhere[] = "old";
	const addr_t pointer = (addr_t)elsewhere;
	struct arena arena;

	arena_init(&arena);
	ck_assert_str_eq(text_of(STATE(1u, 1u, 1u) | 2, 5, 48, "plain", 5,
				 &arena),
			 "plain");
	/* In a free-threaded Python, the bits of a str's state are one byte
	 * further. */
	ck_assert_str_eq(text_of(STATE(1u, 1u, 1u) << 6 | 2, 5, 48, "plain", 5,
				 &arena),
			 "plain");
	ck_assert_str_eq(text_of(STATE(1u, 1u, 0u), 4, 72, "caf\xe9", 4,
				 &arena),
			 "caf\xc3\xa9");
	ck_assert_str_eq(text_of(STATE(2u, 1u, 0u), 5, 72, two, sizeof(two),
				 &arena),
			 "p\xd1\x83\xe2\x82\xac\x80\xff");
	ck_assert_str_eq(text_of(STATE(4u, 1u, 0u), 2, 72, four, sizeof(four),
				 &arena),
			 "\xf0\x9f\x98\x80x");
	ck_assert_str_eq(text_of(STATE(1u, 0u, 0u), 3, 72, &pointer,
				 sizeof(pointer), &arena),
			 "old");
	ck_assert_str_eq(text_of(STATE(1u, 1u, 1u), 0, 48, "", 0, &arena), "");
	ck_assert_ptr_null(text_of(0, 5, 48, "plain", 5, &arena));
	ck_assert_ptr_null(
		text_of(STATE(1u, 1u, 1u), UINT64_MAX, 48, "", 0, &arena));
	ck_assert_ptr_null(
		text_of(STATE(1u, 0u, 0u), 3, 72, "\1\0\0", 3, &arena));
	arena_release(&arena);
}
END_TEST

/* ---- versions that are none --------------------------------------------- */

static struct {
	uint64_t runtime[100];
	uint64_t type[40];
	struct {
		const char *name;
		uint64_t kind, offset, flags;
		const char *doc;
	} members[8];
	uint32_t version;
	bool without_runtime;
} python;

static addr_t
symbol_of(struct binary *binary, const char *name)
{
	(void)binary;
	if (!strcmp(name, "_PyRuntime"))
		return python.without_runtime ? 0 : (addr_t)python.runtime;
	if (!strcmp(name, "PyCode_Type"))
		return (addr_t)python.type;
	if (!strcmp(name, "Py_Version") && python.version)
		return (addr_t)&python.version;
	return !strcmp(name, "PyEval_EvalCode") ? 1 : 0;
}

static void
add_member(const char *name, uint64_t offset)
{
	size_t i = 0;

	while (python.members[i].name)
		i++;
	python.members[i].name = name;
	python.members[i].offset = offset;
}

static const char *
complaint_about(uint32_t version, uint64_t size)
{
	static struct err err;
	struct binary binary = { symbol_of, "libpython.so", arch_of_host() };
	struct source *source;
	int r;

	python.version = version;
	python.type[4] = size;
	err.text[0] = '\0';
	r = python_ops.find(&binary, &self, &source, &err);
	ck_assert_int_eq(r, err.text[0] ? -ENOTSUP : 0);
	if (r == 0)
		python_ops.free(source);
	return err.text;
}

#define NOT_SHOWN ", frames of its scripts are not shown"

START_TEST(what_is_not_known_is_said)
{
	memset(&python, 0, sizeof(python));
	python.type[30] = (addr_t)python.members;
	add_member("co_argcount", 56);
	add_member("co_filename", 112);
	add_member("co_name", 120);
	add_member("co_firstlineno", 72);
	ck_assert_str_eq(complaint_about(0, 184),
			 "libpython.so: a Python that is not known" NOT_SHOWN);
	ck_assert_str_eq(complaint_about(0x030b02f0, 184),
			 "libpython.so: is not built as Python 3.11 is known "
			 "to be" NOT_SHOWN);
	add_member("co_linetable", 136);
	ck_assert_str_eq(complaint_about(0x030b02f0, 184), "");
	ck_assert_str_eq(complaint_about(0, 184), "");
	ck_assert_str_eq(complaint_about(0x030b02f0, 176),
			 "libpython.so: is not built as Python 3.11 is known "
			 "to be" NOT_SHOWN);
	ck_assert_str_eq(complaint_about(0x040002f0, 184),
			 "libpython.so: Python 4.0 is not known" NOT_SHOWN);
	memcpy(python.runtime, "xdebugpy", 8);
	python.runtime[1] = 0x030f00f0;
	ck_assert_str_eq(complaint_about(0x030f00f0, 184),
			 "libpython.so: Python 3.15 is not known" NOT_SHOWN);
	python.runtime[1] = 0x030d00f0;
	ck_assert_str_eq(complaint_about(0x030d00f0, 184),
			 "libpython.so: is not built as Python 3.13 is known "
			 "to be" NOT_SHOWN);
	python.without_runtime = true;
	ck_assert_str_eq(complaint_about(0, 144),
			 "libpython.so: a Python that is not known" NOT_SHOWN);
}
END_TEST

Suite *
python_suite(void)
{
	Suite *suite = suite_create("stacks/python");
	TCase *tests = tcase_create("python");

	tcase_add_loop_test(tests, one_line, 0, array_size(line_rows));
	tcase_add_test(tests, a_long_table_is_read_in_pieces);
	tcase_add_test(tests, strings_of_every_kind);
	tcase_add_test(tests, what_is_not_known_is_said);
	suite_add_tcase(suite, tests);
	return suite;
}
