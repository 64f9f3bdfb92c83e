/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Uses compilers to check the calling convention. A few hundred functions with
 * random signatures are written as C, compiled by GCC and by clang, and called
 * with known values. The values that are fetched from the registers and the
 * stack at the entry and at the return must be these values.
 *
 * A function reports what it got, and its caller what was returned, because
 * compilers have bugs of their own (clang 14 passes half of some unions). A
 * value that the compiled code itself did not get is not compared.
 */
#include "tests/unit/values/random_function.h"
#include "tests/unit/values/stub_x86_64.h"
#include "tests/unit/values/suites.h"

#include "base/attr.h"
#include "base/reader.h"
#include "base/xmalloc.h"
#include "values/capture.h"
#include "values/fetch.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FUNCTIONS 300u
#ifndef SEED
#define SEED 20260117u
#endif

static struct random random_state;
static struct function functions[FUNCTIONS];
static struct str source;

static void
make_functions(bool wide)
{
	random_init(&random_state, SEED);
	random_state.wide = wide;
	for (unsigned i = 0; i < FUNCTIONS; i++)
		random_function(&random_state, &functions[i]);
}

static void
write_source(void)
{
	str_add(&source, "#include <string.h>\n#include <stddef.h>\n"
			 "const void *wanted;\nchar *seen;\n"
			 "typedef _Complex float quads "
			 "__attribute__((mode(TC)));\n");
	str_add(&source, str_text(&random_state.definitions));
	for (unsigned i = 0; i < FUNCTIONS; i++)
		random_function_write(&functions[i], i, &source);
}

static void
free_functions(void)
{
	for (unsigned i = 0; i < FUNCTIONS; i++)
		random_function_release(&functions[i]);
	str_release(&source);
	random_release(&random_state);
}

/* ---- compiled ---------------------------------------------------------- */

/* NULL if the compiler is not installed. */
static void *
compile(const char *compiler, const char *options)
{
	char folder[] = "/tmp/xtrace-abi-XXXXXX";
	struct str command = { 0 };
	void *module = NULL;
	FILE *file;
	int status;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	str_addf(&command, "%s/abi.c", folder);
	file = fopen(command.text, "w");
	ck_assert_ptr_nonnull(file);
	fputs(str_text(&source), file);
	fclose(file);
	str_clear(&command);
	str_addf(&command,
		 "command -v %s >/dev/null || exit 77; cd %s && "
		 "%s %s -w -Wno-psabi -shared -fPIC -o abi.so abi.c",
		 compiler, folder, compiler, options);
	status = system(command.text);
	ck_assert_msg(status == 0 || status == 77 << 8, "%s failed", compiler);
	str_clear(&command);
	str_addf(&command, "%s/abi.so", folder);
	if (status == 0) {
		module = dlopen(command.text, RTLD_NOW | RTLD_LOCAL);
		ck_assert_msg(module != NULL, "%s", dlerror());
	}
	str_clear(&command);
	str_addf(&command, "rm -r %s", folder);
	ck_assert_int_eq(system(command.text), 0);
	str_release(&command);
	return module;
}

/* ---- called ------------------------------------------------------------ */

static const struct function *called;
static unsigned called_number;
static const char *called_compiler;
static unsigned char *seen, *came_back;
static struct arena arena;
static struct capture capture, after;
static struct arguments *arguments;
static int self_memory = -1;

/* Reads our own memory without a check whether it is readable. */
static int
self_read(struct reader *reader, addr_t from, void *to, size_t len)
{
	(void)reader;
	return pread(self_memory, to, len, (off_t)from) == (ssize_t)len
		       ? 0
		       : -EFAULT;
}

static struct reader self = { .read = self_read };

static void
fetch(struct registers *registers)
{
	capture_init(&capture, &self, &arena);
	arguments =
		arguments_fetch(&called->proto, registers, &capture, &arena);
	capture_seal(&capture);
}

static void
fetch_result(struct registers *registers)
{
	char byte;

	capture_init(&after, &self, &arena);
	arguments_result(arguments, registers, &after);
	if (!arguments->result || arguments->result->bytes)
		return;
	/* Reads the value now, because its memory may change after the return.
	 * The capture keeps it until it is compared. */
	for (size_t i = 0; i < type_size(called->proto.returns); i++)
		ck_assert_int_eq(value_read(arguments->result, i, &byte, 1), 0);
}

/* True if the value is the wanted one, or if the compiled code itself has not
 * got the wanted one: `arrived` is the value that the code got. If `arrived` is
 * NULL, the code got the wanted one. */
static bool
same_or_lost(const struct value *value, const unsigned char *wanted,
	     const unsigned char *arrived)
{
	struct value other;

	if (same_value(value, wanted))
		return true;
	value_of_bytes(&other, value->type, arrived, type_size(value->type),
		       NULL, NULL);
	return arrived && !same_value(&other, wanted);
}

static void
check_arguments(void)
{
	size_t at = 0;

	for (size_t i = 0; i < called->count; i++) {
		const struct value *value = &arguments->at[i].value;
		bool fixed = i < called->proto.count;

		ck_assert_msg(i < arguments->count &&
				      same_or_lost(value,
						   called->arguments + at,
						   fixed ? seen + at : NULL),
			      "%s: argument %zu of function %u, a %s",
			      called_compiler, i + 1, called_number,
			      called->types[i]->name);
		at += type_size(called->types[i]);
	}
	ck_assert_uint_eq(arguments->count, called->count);
}

static void
check_result(void)
{
	const struct type *type = called->proto.returns;

	ck_assert_int_eq(arguments->result != NULL, type->kind != TYPE_VOID);
	if (arguments->result)
		ck_assert_msg(same_or_lost(arguments->result, called->result,
					   came_back),
			      "%s: result of function %u, a %s",
			      called_compiler, called_number, type->name);
}

static void *
symbol(void *module, const char *name, unsigned number)
{
	char text[32];
	void *found;

	snprintf(text, sizeof(text), "%s%u", name, number);
	found = dlsym(module, text);
	ck_assert_ptr_nonnull(found);
	return found;
}

static void
call(void *module, unsigned number)
{
	void (*caller)(void (*)(void), const void *, void *) =
		symbol(module, "call", number);

	called = &functions[number];
	called_number = number;
	came_back = xcalloc(1, type_size(called->proto.returns) + 1);
	seen = xcalloc(1, called->arguments_size + 1);
	stub = (struct stub){ symbol(module, "function", number), fetch,
			      fetch_result };
	*(const void **)dlsym(module, "wanted") = called->result;
	*(const void **)dlsym(module, "seen") = seen;
	arena_init(&arena);
	caller(stub_enter, called->arguments, came_back);
	check_arguments();
	check_result();
	arena_release(&arena);
	free(came_back);
	free(seen);
}

/* clang before 18 does not align __int128 on the stack and may split its
 * halves, and it treats a struct with a __float128 as MEMORY. */
static const struct {
	const char *command;
	const char *options;
	bool wide;
} compilers[] = {
	{ "gcc", "-O1", true },
	{ "clang", "-O1", false },
};

START_TEST(a_compilers_calls)
{
	void *module;

	make_functions(compilers[_i].wide);
	write_source();
	called_compiler = compilers[_i].command;
	self_memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(self_memory, 0);
	module = compile(compilers[_i].command, compilers[_i].options);
	for (unsigned i = 0; module && i < FUNCTIONS; i++)
		call(module, i);
	if (module)
		dlclose(module);
	close(self_memory);
	free_functions();
}
END_TEST

Suite *
abi_suite(void)
{
	Suite *suite = suite_create("abi");
	TCase *tcase = tcase_create("abi");

	tcase_set_timeout(tcase, 300); /* seconds, for a busy machine */
	tcase_add_loop_test(tcase, a_compilers_calls, 0, 2);
	suite_add_tcase(suite, tcase);
	return suite;
}
