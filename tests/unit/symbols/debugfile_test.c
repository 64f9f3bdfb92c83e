/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of functions in stripped files are found in separate debug files,
 * in each of the places where these may be. */
#include "symbols/debugfile.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes whole.so, and stripped.so, whose symbols are in names.debug. The
 * function secret() is static, so only .symtab has its name. */
static void
make_files(void)
{
	workshop_write("s.c",
		       "static __attribute__((noinline)) int\n"
		       "secret(int n) { __asm__(\"\"); return n; }\n"
		       "int open_to_all(int n) { return secret(n) + 1; }\n");
	workshop_make("whole.so",
		      "gcc -O1 -shared -fPIC -Wl,--build-id -o whole.so s.c");
	workshop_make("names.debug",
		      "objcopy --only-keep-debug whole.so names.debug");
	workshop_make("stripped.so", "objcopy -S whole.so stripped.so");
}

static addr_t
secret_address(void)
{
	struct image *image = workshop_open("whole.so");
	const addr_t address = workshop_function(image, "secret")->address;

	image_unref(image);
	return address;
}

/* Expects that secret() is found if `known`, and is unknown otherwise. */
static void
check_secret(struct image *image, bool known)
{
	const struct symbol *symbol = symtab_find(image, SYMTAB_ALL, "secret");

	if (!known) {
		ck_assert_ptr_null(symbol);
		return;
	}
	ck_assert_ptr_nonnull(symbol);
	ck_assert_uint_eq(symbol->address, secret_address());
	ck_assert_int_eq(symbol->binding, SYMBOL_LOCAL);
	ck_assert(!symbol->dynamic);
	ck_assert(
		workshop_same(symtab_covering(image, symbol->address), symbol));
	ck_assert(workshop_function(image, "open_to_all")->dynamic);
}

START_TEST(stripped_files_have_no_more_names)
{
	struct image *image;

	make_files();
	image = workshop_open("stripped.so");
	ck_assert_ptr_null(debugfile_find(image, ""));
	check_secret(image, false);
	ck_assert_uint_eq(image_symtab(image, SYMTAB_ALL)->count, 1);
	image_unref(image);
}
END_TEST

/* The debug file is in the root of the image, because tests must not write to
 * the root of the machine. */
START_TEST(build_ids_lead_there)
{
	struct image *image;
	const char *id;
	char root[512];

	make_files();
	ck_assert_ptr_nonnull(getcwd(root, sizeof(root)));
	image = workshop_open("stripped.so");
	id = image_build_id(image);
	workshop_run("mkdir -p usr/lib/debug/.build-id/%.2s", id);
	workshop_run("cp names.debug usr/lib/debug/.build-id/%.2s/%s.debug", id,
		     id + 2);
	image_seen_from(image, root);
	check_secret(image, true);
	image_unref(image);

	/* A file of another build is not used. */
	workshop_run("cp stripped.so again.so");
	image = workshop_open("again.so");
	workshop_run("gcc -shared -o usr/lib/debug/.build-id/%.2s/%s.debug "
		     "-Wl,--build-id s.c -DOTHER -O0",
		     image_build_id(image), image_build_id(image) + 2);
	image_seen_from(image, root);
	check_secret(image, false);
	image_unref(image);
	workshop_run("rm -r usr");
}
END_TEST

static const char *const link_places[] = { "./", "./.debug/" };

START_TEST(links_lead_there)
{
	struct image *image;

	make_files();
	workshop_run("objcopy --add-gnu-debuglink=names.debug stripped.so");
	workshop_run("mkdir -p .debug && cp names.debug names.old && "
		     "mv names.old %snames.link && rm names.debug && "
		     "mv %snames.link %snames.debug",
		     link_places[_i], link_places[_i], link_places[_i]);
	image = workshop_open("./stripped.so");
	check_secret(image, true);
	image_unref(image);

	workshop_run("echo >> %snames.debug", link_places[_i]);
	workshop_run("cp stripped.so again.so");
	image = workshop_open("./again.so");
	check_secret(image, false);
	image_unref(image);
	workshop_run("rm -r .debug names.debug 2>/dev/null || true");
}
END_TEST

/* libdwfl maps the file, so truncating it must not change what is opened. */
START_TEST(linked_files_are_opened_as_copies)
{
	struct image *image;
	struct stat before, now;
	char *path = NULL;
	int fd;

	make_files();
	workshop_run("objcopy --add-gnu-debuglink=names.debug stripped.so");
	image = workshop_open("./stripped.so");
	ck_assert_int_eq(stat("names.debug", &before), 0);
	fd = debugfile_open(image, &path);
	ck_assert_int_ge(fd, 0);
	ck_assert_str_eq(path, "./names.debug");
	workshop_run("truncate -s 0 names.debug");
	ck_assert_int_eq(fstat(fd, &now), 0);
	ck_assert_int_eq(now.st_size, before.st_size);
	close(fd);
	free(path);
	image_unref(image);
}
END_TEST

START_TEST(compressed_names_are_read)
{
	struct image *image;

	make_files();
	workshop_run("xz -kf names.debug && objcopy "
		     "--add-section .gnu_debugdata=names.debug.xz stripped.so");
	image = workshop_open("stripped.so");
	check_secret(image, true);
	image_unref(image);
}
END_TEST

START_TEST(broken_compressed_names_are_not)
{
	struct image *image;

	make_files();
	workshop_run("xz -kf names.debug && truncate -s 200 names.debug.xz && "
		     "objcopy --add-section .gnu_debugdata=names.debug.xz "
		     "stripped.so");
	image = workshop_open("stripped.so");
	check_secret(image, false);
	image_unref(image);
	workshop_run("echo nonsense > names.debug.xz && objcopy "
		     "--update-section .gnu_debugdata=names.debug.xz "
		     "stripped.so");
	image = workshop_open("stripped.so");
	check_secret(image, false);
	image_unref(image);
}
END_TEST

/*
 * The program headers of a debug file describe bytes that the file does not
 * contain.
 */
START_TEST(debug_files_have_no_text)
{
	struct image *image;
	uint8_t byte;
	addr_t secret;

	make_files();
	secret = secret_address();
	image = workshop_open("names.debug");
	ck_assert_int_lt(image_read(image, secret, &byte, 1), 0);
	ck_assert_ptr_nonnull(image_build_id(image));
	ck_assert_uint_eq(workshop_function(image, "secret")->address, secret);
	image_unref(image);
}
END_TEST

Suite *
debugfile_suite(void)
{
	Suite *suite = suite_create("symbols/debugfile");
	TCase *tests = tcase_create("debugfile");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, stripped_files_have_no_more_names);
	tcase_add_test(tests, build_ids_lead_there);
	tcase_add_loop_test(tests, links_lead_there, 0,
			    array_size(link_places));
	tcase_add_test(tests, linked_files_are_opened_as_copies);
	tcase_add_test(tests, compressed_names_are_read);
	tcase_add_test(tests, broken_compressed_names_are_not);
	tcase_add_test(tests, debug_files_have_no_text);
	suite_add_tcase(suite, tests);
	return suite;
}
