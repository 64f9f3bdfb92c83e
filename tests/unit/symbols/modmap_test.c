/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Modules: compares with what the loader tells this process about itself. */
#include "symbols/modmap.h"
#include "tests/unit/symbols/suites.h"
#include "tests/unit/symbols/workshop.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

/* ---- this process ------------------------------------------------------- */

static int
add_loaded(struct dl_phdr_info *info, size_t size, void *map)
{
	const char *name =
		*info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct image *image;
	struct module *module;

	(void)size;
	if (info->dlpi_addr == getauxval(AT_SYSINFO_EHDR))
		return 0;
	image = workshop_open(name);
	module = modmap_add(map, image, info->dlpi_addr);
	module->main = !*info->dlpi_name;
	image_unref(image);
	return 0;
}

static const struct symbol *
symbol_at(const struct modmap *map, addr_t address, struct module **ret_module)
{
	*ret_module = modmap_covering(map, address);
	return *ret_module ? symtab_covering((*ret_module)->image,
					     address - (*ret_module)->bias)
			   : NULL;
}

START_TEST(this_process_is_known)
{
	static void *const functions[] = { free, getenv, qsort, fclose,
					   strtoul };
	struct modmap map;
	struct module *module;
	const struct symbol *symbol;
	Dl_info info;

	modmap_init(&map);
	dl_iterate_phdr(add_loaded, &map);
	ck_assert_uint_ge(map.modules.count, 3);
	for (size_t i = 0; i < array_size(functions); i++) {
		const addr_t address = (addr_t)functions[i];

		ck_assert_int_ne(dladdr(functions[i], &info), 0);
		symbol = symbol_at(&map, address + 1, &module);
		ck_assert_ptr_nonnull(symbol);
		ck_assert_uint_eq(module->bias, (addr_t)info.dli_fbase);
		ck_assert_uint_eq(module->bias + symbol->address, address);
	}
	symbol = symbol_at(&map, (addr_t)add_loaded, &module);
	ck_assert_str_eq(symbol->name, "add_loaded");
	ck_assert(module->main);
	ck_assert_uint_eq(module->dynamic, (addr_t)_DYNAMIC);
	modmap_release(&map);
}
END_TEST

/* ---- made up ------------------------------------------------------------ */

static struct image *
make_image(void)
{
	workshop_write("m.c", "int f(void) { return 1; }");
	workshop_run("gcc -shared -nostdlib -o m.so m.c");
	return workshop_open("m.so");
}

static void
check_order(const struct modmap *map)
{
	for (size_t i = 1; i < map->modules.count; i++)
		ck_assert_uint_ge(map->modules.at[i]->start,
				  map->modules.at[i - 1]->end);
}

START_TEST(addresses_are_covered_by_one)
{
	struct image *image = make_image();
	struct module *low, *middle, *high;
	struct modmap map;

	modmap_init(&map);
	middle = modmap_add(&map, image, 0x200000);
	low = modmap_add(&map, image, 0x100000);
	high = modmap_add(&map, image, 0x300000);
	check_order(&map);
	ck_assert_uint_eq(low->start, 0x100000);
	ck_assert_uint_eq(low->end % 4096, 0);
	ck_assert_uint_lt(low->end, 0x200000);
	ck_assert_ptr_null(modmap_covering(&map, 0));
	ck_assert_ptr_null(modmap_covering(&map, low->start - 1));
	ck_assert_ptr_eq(modmap_covering(&map, low->start), low);
	ck_assert_ptr_eq(modmap_covering(&map, low->end - 1), low);
	ck_assert_ptr_null(modmap_covering(&map, low->end));
	ck_assert_ptr_eq(modmap_covering(&map, middle->start + 8), middle);
	ck_assert_ptr_eq(modmap_covering(&map, high->end - 1), high);
	ck_assert_ptr_null(modmap_covering(&map, UINT64_MAX));
	modmap_remove(&map, middle);
	ck_assert_ptr_null(modmap_covering(&map, 0x200008));
	ck_assert_uint_eq(map.modules.count, 2);
	image_unref(image);
	ck_assert_str_eq(image_label(high->image), "m.so");
	modmap_release(&map);
}
END_TEST

START_TEST(serials_are_not_used_again)
{
	struct image *image = make_image();
	struct module *module;
	struct modmap map;
	unsigned first;

	modmap_init(&map);
	first = modmap_add(&map, image, 0x100000)->serial;
	modmap_release(&map);
	modmap_init(&map);
	module = modmap_add(&map, image, 0x100000);
	ck_assert_uint_ne(module->serial, first);
	ck_assert_uint_ne(module->serial, 0);
	modmap_release(&map);
	image_unref(image);
}
END_TEST

START_TEST(a_copy_is_independent)
{
	struct image *image = make_image();
	struct modmap map, copy;
	struct module *module, *other;

	modmap_init(&map);
	module = modmap_add(&map, image, 0x100000);
	module->user = &map;
	module->relocated = true;
	module->space_name = 3;
	modmap_copy(&copy, &map);
	other = modmap_covering(&copy, 0x100000);
	ck_assert_ptr_ne(other, module);
	ck_assert_ptr_eq(other->image, image);
	ck_assert_uint_eq(other->serial, module->serial);
	ck_assert_uint_eq(other->space_name, 3);
	ck_assert(other->relocated);
	ck_assert_ptr_null(other->user);
	modmap_release(&map);
	image_unref(image);
	ck_assert_str_eq(image_label(other->image), "m.so");
	modmap_release(&copy);
}
END_TEST

START_TEST(what_is_nowhere_has_no_name)
{
	struct image *image = make_image();
	struct module *module = NULL;
	struct modmap map;

	modmap_init(&map);
	ck_assert_ptr_null(symbol_at(&map, 0x1000, &module));
	modmap_add(&map, image, 0x100000);
	ck_assert_ptr_null(symbol_at(&map, 0x100000, &module));
	modmap_release(&map);
	image_unref(image);
}
END_TEST

Suite *
modmap_suite(void)
{
	Suite *suite = suite_create("symbols/modmap");
	TCase *tests = tcase_create("modmap");

	tcase_add_test(tests, this_process_is_known);
	tcase_add_test(tests, addresses_are_covered_by_one);
	tcase_add_test(tests, serials_are_not_used_again);
	tcase_add_test(tests, a_copy_is_independent);
	tcase_add_test(tests, what_is_nowhere_has_no_name);
	suite_add_tcase(suite, tests);
	return suite;
}
