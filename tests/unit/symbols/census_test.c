/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How many functions and return addresses of real libraries can have a jump in
 * place of a trap (arch/jump.h)? All instructions of a library are decoded
 * once, so it is known where its direct branches lead. A place is refused if a
 * direct branch leads to a boundary of its window, because the boundary would
 * trap each time.
 *
 * The libraries are those of Debian. Their shares are known: if a share is
 * below ENTRIES_LEAST or RETURNS_LEAST, xtrace has begun to judge windows in
 * another way.
 */
#include "arch/arch.h"
#include "arch/code.h"
#include "arch/jump.h"
#include "arch/x86_64/insn.h"
#include "base/attr.h"
#include "base/xmalloc.h"
#include "symbols/fde.h"
#include "symbols/symtab.h"
#include "tests/unit/symbols/suites.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRIES_LEAST 990u /* of 1000 functions */
#define RETURNS_LEAST 930u

#define LIBRARIES "/usr/lib/x86_64-linux-gnu/"

static const char *const files[] = {
	LIBRARIES "libc.so.6",
	LIBRARIES "libmariadb.so.3",
	LIBRARIES "libsqlite3.so.0",
	LIBRARIES "libpq.so.5",
	LIBRARIES "libpython3.11.so.1.0",
	LIBRARIES "libruby-3.1.so.3.1",
	LIBRARIES "libperl.so.5.36",
	"/usr/bin/php8.2",
	LIBRARIES "libcrypto.so.3",
	LIBRARIES "libstdc++.so.6",
};

/* The executable segment of a file, and what its instructions do. */
struct census {
	struct image *image;
	addr_t start;
	size_t size;
	uint8_t *bytes;
	uint8_t *aimed;	  /* direct branches lead here */
	uint8_t *returns; /* a call ends here */
};

static void
read_text(struct census *census)
{
	const struct segment *segments;
	size_t count;

	segments = image_segments(census->image, &count);
	for (size_t i = 0; i < count; i++) {
		if (!segments[i].executable)
			continue;
		census->start = segments[i].address;
		census->size = segments[i].file_size;
	}
	census->bytes = xmalloc(census->size);
	census->aimed = xcalloc(census->size, 1);
	census->returns = xcalloc(census->size + 1, 1);
	ck_assert_int_eq(image_read(census->image, census->start, census->bytes,
				    census->size),
			 0);
}

static void
note(struct census *census, const struct insn *insn, size_t behind)
{
	addr_t at = insn->target - census->start;

	switch (insn->kind) {
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_CALL_WORD:
		census->returns[behind] = 1;
		return;
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
		if (at < census->size)
			census->aimed[at] = 1;
		return;
	default:
		return;
	}
}

/* Decodes the functions that the unwind tables name. */
static void
decode(struct census *census)
{
	addr_t start, end;

	for (size_t at = 0; at < census->size;) {
		struct insn insn;

		if (!image_code_around(census->image, census->start + at,
				       &start, &end)) {
			at++;
			continue;
		}
		end -= census->start;
		while (at < end && at < census->size) {
			if (insn_decode(census->bytes + at, census->size - at,
					census->start + at, &insn) < 0)
				insn.length = 1;
			else
				note(census, &insn, at + insn.length);
			at += insn.length;
		}
	}
}

static bool
possible(const struct census *census, size_t at)
{
	const struct arch_jump *jump = arch_of_host()->jump;
	size_t have = census->size - at;
	struct code code = { census->bytes + at,
			     have < RELOCATE_WINDOW ? have : RELOCATE_WINDOW,
			     census->start + at };
	struct window window;

	if (jump->window(&code, NULL, &window, NULL) < 0)
		return false;
	for (unsigned i = 1; i < JUMP_MOST && at + i < census->size; i++) {
		if (window.boundaries & 1u << i && census->aimed[at + i])
			return false;
	}
	return true;
}

static void
count_entries(const struct census *census, unsigned *all, unsigned *good)
{
	const struct symtab *symtab =
		image_symtab(census->image, SYMTAB_DYNAMIC);
	addr_t last = 0;

	for (size_t i = 0; i < symtab->count; i++) {
		const struct symbol *symbol = &symtab->at[i];
		size_t at = symbol->address - census->start;

		if (symbol->kind != SYMBOL_FUNCTION ||
		    symbol->address == last || at >= census->size)
			continue;
		last = symbol->address;
		++*all;
		*good += possible(census, at);
	}
}

static void
count_returns(const struct census *census, unsigned *all, unsigned *good)
{
	for (size_t at = 0; at < census->size; at++) {
		if (!census->returns[at])
			continue;
		++*all;
		*good += possible(census, at);
	}
}

static void
check_share(const char *file, const char *what, unsigned all, unsigned good,
	    unsigned least)
{
	printf("symbols: %s: %u of %u %s can have a jump\n", file, good, all,
	       what);
	ck_assert_msg(good * UINT64_C(1000) >= all * (uint64_t)least,
		      "%s: %u of %u %s", file, good, all, what);
	ck_assert_uint_gt(all, 100);
}

START_TEST(one_file)
{
	const char *file = files[_i];
	unsigned entries = 0, good_entries = 0, returns = 0, good_returns = 0;
	struct census census = { 0 };
	struct err err = { 0 };

	if (access(file, R_OK) < 0) {
		printf("symbols: skipped: there is no %s\n", file);
		return;
	}
	ck_assert_int_eq(image_open(file, file, &census.image, &err), 0);
	read_text(&census);
	decode(&census);
	count_entries(&census, &entries, &good_entries);
	count_returns(&census, &returns, &good_returns);
	check_share(file, "entries", entries, good_entries, ENTRIES_LEAST);
	check_share(file, "return addresses", returns, good_returns,
		    RETURNS_LEAST);
	free(census.bytes);
	free(census.aimed);
	free(census.returns);
	image_unref(census.image);
}
END_TEST

Suite *
census_suite(void)
{
	Suite *suite = suite_create("census");
	TCase *tests = tcase_create("census");

	tcase_set_timeout(tests, 60);
	tcase_add_loop_test(tests, one_file, 0, array_size(files));
	suite_add_tcase(suite, tests);
	return suite;
}
