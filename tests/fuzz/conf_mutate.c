/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes a million mutants of prototype files, with mistakes as people make
 * them:
 *
 *	conf-mutate [-n COUNT] [-s SEED] [-f FIRST] FILE...
 *
 * Our own lexer cuts the files into tokens. A mutant begins as some consecutive
 * lines of a file. Then tokens are deleted, doubled, swapped, inserted from
 * another file, or replaced by tokens of the same kind; types get lenses,
 * numbers are changed, and lines are joined. The fuzz target parses each mutant
 * and checks the result. A mutant that takes ten seconds is a hang. The seed
 * and the number of the mutant are printed, so that a failure can be repeated.
 *
 * Only the input part of a page of tests/conf is used. Every tenth mutant is a
 * condition or a filter instead of a file.
 */
#include "base/fd.h"
#include "base/str.h"
#include "base/xmalloc.h"
#include "conf/filter/filter.h"
#include "conf/parse/lex.h"
#include "conf/model/library.h"
#include "conf/find/search.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

#define LINES_MOST 30
#define HANG_SECONDS 10

/* A token with the text between it and the token before. */
struct piece {
	const char *text;
	size_t length;
	enum token_kind kind;
	bool first_on_line;
};

struct pieces {
	vec_of(struct piece) list;
};

struct mutator {
	struct arena arena;
	/* the tokens of all files, one file after the other */
	struct pieces all;
	vec_of(size_t) files; /* where the tokens of each file begin */
	struct pieces mutant;
	uint64_t random;
	unsigned long number;
	unsigned long seed;
	char name[96]; /* the name of the current mutant */
};

static struct mutator mutator;

/* xorshift64* (Vigna, "An experimental exploration of Marsaglia's xorshift
 * generators, scrambled") */
static uint64_t
random_number(void)
{
	uint64_t x = mutator.random;

	x ^= x >> 12;
	x ^= x << 25;
	x ^= x >> 27;
	mutator.random = x;
	return x * UINT64_C(0x2545f4914f6cdd1d);
}

static size_t
random_below(size_t limit)
{
	return limit > 0 ? random_number() % limit : 0;
}

/* Prints what is needed to repeat the current mutant. */
static void
report(int signal_number)
{
	if (write(2, mutator.name, strlen(mutator.name)) < 0)
		_exit(2);
	signal(signal_number, SIG_DFL);
	raise(signal_number);
}

static void
add_pieces(const char *text, size_t length)
{
	struct lex_source source = { .file = "",
				     .text = text,
				     .length = length };
	const char *from = text;
	struct complaints complaints;
	struct tokens tokens;

	complaints_init(&complaints);
	lex(&source, &mutator.arena, &complaints, &tokens);
	for (size_t i = 0; i + 1 < tokens.list.count; i++) {
		const struct token *token = &tokens.list.at[i];
		const char *end = token->start + token->length;
		struct piece piece = { from, (size_t)(end - from), token->kind,
				       token->first_on_line };

		/* A #define is one piece with the rest of its line. */
		if (token->kind == TOKEN_DEFINE)
			piece.length += strcspn(end, "\n");
		from += piece.length;
		vec_push(&mutator.all.list, piece);
	}
	tokens_release(&tokens);
	complaints_release(&complaints);
}

/* Adds the tokens of a file to the pieces: of a file of pages (tests/conf) only
 * the input parts, of any other file all tokens. */
static void
add_file(const char *path)
{
	char *text, *kept;
	bool input = true;
	size_t n = 0;
	int r = fd_read_file(path, &text, NULL);

	if (r < 0) {
		fprintf(stderr, "%s: %s\n", path, strerror(-r));
		exit(2);
	}
	kept = arena_alloc(&mutator.arena, strlen(text) + 1);
	for (const char *at = text; *at;
	     at += strcspn(at, "\n"), at += *at != '\0') {
		size_t length = strcspn(at, "\n") + 1;

		if (!strncmp(at, "@@ ", 3))
			input = strncmp(at, "@@ gives\n", 9) != 0 &&
				strncmp(at, "@@ says\n", 8) != 0;
		else if (input)
			memcpy(kept + n, at, length), n += length;
	}
	kept[n] = '\0';
	vec_push(&mutator.files, mutator.all.list.count);
	add_pieces(kept, strlen(kept));
	free(text);
}

/* The number of a random piece. Every second time all files are equally likely,
 * so that pieces of short and unusual files are used, too. */
static size_t
random_start(void)
{
	size_t i = random_below(mutator.files.count);
	size_t end = i + 1 < mutator.files.count ? mutator.files.at[i + 1]
						 : mutator.all.list.count;

	if (random_below(2) == 0 || end == mutator.files.at[i])
		return random_below(mutator.all.list.count);
	return mutator.files.at[i] + random_below(end - mutator.files.at[i]);
}

static void
begin_mutant(void)
{
	const struct pieces *all = &mutator.all;
	size_t at = random_start();
	size_t lines = 1 + random_below(LINES_MOST);

	vec_clear(&mutator.mutant.list);
	while (at > 0 && !all->list.at[at].first_on_line)
		at--;
	for (; at < all->list.count; at++) {
		if (all->list.at[at].first_on_line && lines-- == 0)
			break;
		vec_push(&mutator.mutant.list, all->list.at[at]);
	}
}

static void
insert_piece(size_t at, const struct piece *piece)
{
	struct piece copy = *piece;

	vec_push(&mutator.mutant.list, copy);
	memmove(&mutator.mutant.list.at[at + 1], &mutator.mutant.list.at[at],
		(mutator.mutant.list.count - at - 1) * sizeof(copy));
	mutator.mutant.list.at[at] = copy;
}

static void
insert_text(size_t at, const char *text)
{
	struct piece piece = { text, strlen(text), TOKEN_MARK, false };

	insert_piece(at, &piece);
}

static void
drop(size_t at)
{
	vec_remove(&mutator.mutant.list, at);
}

static void
put_in(size_t at)
{
	insert_piece(
		at, &mutator.all.list.at[random_below(mutator.all.list.count)]);
}

static void
twice(size_t at)
{
	struct piece copy = mutator.mutant.list.at[at];

	insert_piece(at, &copy);
}

static void
swap(size_t at)
{
	size_t other = random_below(mutator.mutant.list.count);
	struct piece copy = mutator.mutant.list.at[at];

	mutator.mutant.list.at[at] = mutator.mutant.list.at[other];
	mutator.mutant.list.at[other] = copy;
}

/* Replaces a token by another one of its kind: a name by a name, a mark by a
 * mark. */
static void
replace(size_t at)
{
	struct piece *piece = &mutator.mutant.list.at[at];

	for (int i = 0; i < 20; i++) {
		const struct piece *other =
			&mutator.all.list
				 .at[random_below(mutator.all.list.count)];

		if (other->kind != piece->kind)
			continue;
		*piece = *other;
		return;
	}
}

static void
wrap(size_t at)
{
	static const char *const lenses[] = {
		" hex(",   " string(",	" addr(",  " ref(",	 " array(",
		" errno(", " sql(",	" hide(",  " struct(",	 " enum[",
		" +",	   " in ",	" inout ", " const ",	 " (*",
		" {",	   " typedef ", " if ",	   " unsigned ", " enum(",
		" net(",   " inet(",	" arg.",
	};
	static const char *const ends[] = { ")", "*)", "]", ", 3)", ");", "}" };
	size_t end = at + 1 + random_below(4);

	if (end > mutator.mutant.list.count)
		end = mutator.mutant.list.count;
	insert_text(end, ends[random_below(array_size(ends))]);
	insert_text(at, lenses[random_below(array_size(lenses))]);
}

static void
change_number(size_t at)
{
	static const char *const numbers[] = {
		" 0",	" 1",	 " -1",	 " 0x7fffffffffffffff",
		" 64",	" arg1", " 010", " 18446744073709551615",
		" 1.5", " 10ms", " 'a'", " sizeof(int)",
		" zero"
	};

	insert_text(at, numbers[random_below(array_size(numbers))]);
}

static void
break_line(size_t at)
{
	static const char *const breaks[] = { "\n",	      ";",    "\n\t",
					      " # ",	      " /* ", "\"",
					      "\n#define X ", "...",  "\\\n" };

	insert_text(at, breaks[random_below(array_size(breaks))]);
}

static void
mutate(void)
{
	static void (*const ways[])(
		size_t) = { drop,    put_in, twice,	    swap,      replace,
			    replace, wrap,   change_number, break_line };
	size_t count = random_below(6);

	for (size_t i = 0; i < count && mutator.mutant.list.count > 0; i++)
		ways[random_below(array_size(ways))](
			random_below(mutator.mutant.list.count));
}

static const char *
one_of(const char *const *texts, size_t count)
{
	return texts[random_below(count)];
}

/*
 * Writes a condition of --if: in most cases operands with operators between
 * them. It begins with a '?', which conf_fuzz.c explains.
 */
static void
make_condition(struct str *text)
{
	static const char *const operands[] = {
		"arg1",
		"arg2",
		"arg3",
		"retval",
		"duration",
		"1",
		"0x10",
		"-5",
		"!arg4",
		"~3",
		"2.5",
		"10ms",
		"\"x\"",
		"name",
		"arg1.a",
		"(arg5)",
		"0",
		"1e9",
		"'a'",
		"arg2->b.c",
		"-2.5",
		"1us",
		"\"\\x41\\101\\n\"",
		"18446744073709551615",
	};
	static const char *const operators[] = {
		" + ",	" - ",	 " * ",	   " / ",  " % ",  " << ",
		" >> ", " & ",	 " | ",	   " ^ ",  " && ", " || ",
		" < ",	" <= ",	 " > ",	   " >= ", " == ", " != ",
		" ~ /", "/ && ", " !~ \"", " (",   ") ",
	};

	str_add(text, "?");
	for (size_t n = random_below(10) + 1; n > 0; n--) {
		if (random_below(12) > 0)
			str_add(text, one_of(operands, array_size(operands)));
		if (n > 1 && random_below(12) > 0)
			str_add(text, one_of(operators, array_size(operators)));
	}
}

static const char *
demangled(const struct filter_symbol *symbol)
{
	return symbol->name[0] == '_' ? "a::f<int, char>(b)" : NULL;
}

static void
ask_filter(const struct filter *filter)
{
	static const struct filter_module modules[] = {
		{ "prog", "/usr/bin/prog", NULL, true },
		{ "libstdc++.so.6", "/usr/lib/libstdc++.so.6", NULL, false },
	};
	static const struct filter_symbol symbols[] = {
		{ "malloc", "GLIBC_2.2.5", demangled, NULL },
		{ "_ZN1a1fEv", NULL, demangled, NULL },
	};
	bool only;

	for (size_t i = 0; i < 4; i++) {
		if (filter_wants_module(filter, &modules[i / 2]))
			(void)filter_chooses(filter, &modules[i / 2],
					     &symbols[i % 2]);
	}
	(void)filter_plain_names(filter, &only);
}

static void
try_filter(void)
{
	static const char *const parts[] = {
		"malloc",
		"free",
		"*",
		"a*b?[c]",
		"/m.*/",
		"MAIN",
		"@",
		"@@V_1",
		"+",
		"-",
		",",
		"@libc.so*",
		"@/usr/lib/*",
		"a::f",
		"a::f<int, char>(b)",
		"\\+",
		"\"",
		"'",
		"@libstdc++.so.6",
		"!",
		"(",
		"operator+",
		"@/lib.*/",
	};
	struct filter *filter = NULL;
	struct str text;
	size_t column;
	struct err err;

	str_init(&text);
	for (size_t n = random_below(8) + 1; n > 0; n--)
		str_add(&text, one_of(parts, array_size(parts)));
	if (filter_parse(str_text(&text), NULL, &filter, &column, &err) == 0) {
		ask_filter(filter);
		filter_free(filter);
	}
	str_release(&text);
}

static void
try_text(struct str *text)
{
	LLVMFuzzerTestOneInput((const uint8_t *)str_text(text), text->length);
	str_release(text);
}

static void
try_mutant(void)
{
	size_t kind = random_below(20);
	struct str text;

	str_init(&text);
	if (kind == 0) {
		try_filter();
	} else if (kind == 1) {
		make_condition(&text);
		try_text(&text);
	} else {
		begin_mutant();
		mutate();
		for (size_t i = 0; i < mutator.mutant.list.count; i++)
			str_add_bytes(&text, mutator.mutant.list.at[i].text,
				      mutator.mutant.list.at[i].length);
		try_text(&text);
	}
}

/* Searches for prototypes in etc/ and tests/conf, as -F does: in a folder, the
 * files are named like the libraries. */
static void
try_search(void)
{
	static const char *const forced[] = { "etc:tests/conf" };
	static const char *const names[] = { "malloc", "open@libc.so.6",
					     "mysql_real_query", "nobody" };
	struct search_places places = { .forced = forced, .forced_count = 1 };
	struct search *search = search_new(&places);
	struct err err;
	struct str to;

	str_init(&to);
	for (size_t i = 0; i < array_size(names); i++) {
		if (search_show(search, names[i], &to, &err) < 0)
			str_add(&to, err.text);
	}
	search_check(search, "nowhere.conf", &to);
	str_release(&to);
	search_free(search);
}

int
main(int argc, char **argv)
{
	unsigned long count = 1000, last;
	int option;

	mutator.seed = 1;
	mutator.number = 1;
	while ((option = getopt(argc, argv, "n:s:f:")) != -1) {
		if (option == 'n')
			count = strtoul(optarg, NULL, 0);
		else if (option == 's')
			mutator.seed = strtoul(optarg, NULL, 0);
		else if (option == 'f')
			mutator.number = strtoul(optarg, NULL, 0);
		else
			return 2;
	}
	arena_init(&mutator.arena);
	for (; optind < argc; optind++)
		add_file(argv[optind]);
	if (mutator.all.list.count == 0)
		return 2;
	signal(SIGALRM, report);
	signal(SIGABRT, report);
	signal(SIGSEGV, report);
	try_search();
	last = mutator.number + count;
	for (; mutator.number < last; mutator.number++) {
		mutator.random = (mutator.seed << 32) + mutator.number;
		random_number();
		snprintf(mutator.name, sizeof(mutator.name),
			 "conf-mutate: it was -s %lu -f %lu -n 1\n",
			 mutator.seed, mutator.number);
		alarm(HANG_SECONDS);
		try_mutant();
	}
	alarm(0);
	printf("%lu mutants of %zu tokens, none of them crashed\n", count,
	       mutator.all.list.count);
	vec_release(&mutator.mutant.list);
	vec_release(&mutator.all.list);
	vec_release(&mutator.files);
	arena_release(&mutator.arena);
	return 0;
}
