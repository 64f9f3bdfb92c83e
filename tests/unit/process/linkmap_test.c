/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The loader's list in memory, and the auxiliary vector. */
#include "process/linkmap.h"
#include "tests/unit/process/suites.h"

#include "process/auxv.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>

#define AT UINT64_C(0x1000)

static uint64_t words[2000];
static size_t word_count;

static int
read_words(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < AT || from + length > AT + word_count * sizeof(words[0]))
		return -EFAULT;
	memcpy(to, (const uint8_t *)words + (from - AT), length);
	return 0;
}

static struct reader memory = { .read = read_words };

static void
put(size_t count, const uint64_t *from)
{
	memcpy(words, from, count * sizeof(words[0]));
	word_count = count;
}

START_TEST(r_debug_of_both_versions)
{
	/* In the first version of struct r_debug, the upper half of the first
	 * word is padding. */
	const uint64_t old[] = {
		UINT64_C(0xff00000001), 0x10, 0x20, R_ADD, 0x40, 0x50
	};
	const uint64_t newer[] = { 2, 0x10, 0x20, R_DELETE, 0x40, 0x50 };
	struct r_debug_view view;

	put(5, old);
	ck_assert_int_eq(linkmap_r_debug(&memory, 8, AT, &view), 0);
	ck_assert_int_eq(view.version, 1);
	ck_assert_uint_eq(view.first, 0x10);
	ck_assert_uint_eq(view.brk, 0x20);
	ck_assert_int_eq(view.state, R_ADD);
	ck_assert_uint_eq(view.base, 0x40);
	ck_assert_uint_eq(view.next, 0);
	put(6, newer);
	ck_assert_int_eq(linkmap_r_debug(&memory, 8, AT, &view), 0);
	ck_assert_int_eq(view.state, R_DELETE);
	ck_assert_uint_eq(view.next, 0x50);
	put(5, newer);
	ck_assert_int_eq(linkmap_r_debug(&memory, 8, AT, &view), -EFAULT);
	ck_assert_int_eq(linkmap_r_debug(&memory, 8, AT + 8, &view), -EFAULT);
}
END_TEST

START_TEST(one_link)
{
	const uint64_t link[] = { 1, 2, 3, 4, 5 };
	struct link_view view;

	put(5, link);
	ck_assert_int_eq(linkmap_link(&memory, 8, AT, &view), 0);
	ck_assert_uint_eq(view.bias, 1);
	ck_assert_uint_eq(view.name, 2);
	ck_assert_uint_eq(view.dynamic, 3);
	ck_assert_uint_eq(view.next, 4);
	ck_assert_uint_eq(view.previous, 5);
	put(4, link);
	ck_assert_int_eq(linkmap_link(&memory, 8, AT, &view), -EFAULT);
}
END_TEST

/* The list is read up to the first entry that cannot be read. */
START_TEST(links_together)
{
	const uint64_t links[] = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 };
	const addr_t at[] = { AT + 40, AT, AT + 48, AT };
	struct link_view views[4] = { 0 };

	put(10, links);
	ck_assert_uint_eq(linkmap_links(&memory, 8, at, 4, views), 2);
	ck_assert_uint_eq(views[0].bias, 6);
	ck_assert_uint_eq(views[0].next, 9);
	ck_assert_uint_eq(views[1].bias, 1);
	ck_assert_uint_eq(views[1].previous, 5);
	ck_assert_uint_eq(linkmap_links(&memory, 8, at, 0, views), 0);
}
END_TEST

START_TEST(r_debug_in_the_dynamic_section)
{
	const uint64_t filled[] = { DT_NEEDED, 1, DT_DEBUG, 0x77, DT_NULL, 0 };
	const uint64_t without[] = { DT_NEEDED, 1, DT_NULL, 0, DT_DEBUG, 0x77 };
	addr_t r_debug = 1;

	put(6, filled);
	ck_assert_int_eq(linkmap_find(&memory, 8, AT, &r_debug), 0);
	ck_assert_uint_eq(r_debug, 0x77);
	put(6, without);
	ck_assert_int_eq(linkmap_find(&memory, 8, AT, &r_debug), -ENOENT);
	put(2, without);
	ck_assert_int_eq(linkmap_find(&memory, 8, AT, &r_debug), -EFAULT);
	/* A dynamic section without an end. */
	for (size_t i = 0; i < 2000; i++)
		words[i] = DT_NEEDED;
	word_count = 2000;
	ck_assert_int_eq(linkmap_find(&memory, 8, AT, &r_debug), -ENOENT);
	ck_assert_uint_eq(r_debug, 0x77);
}
END_TEST

/* The lists of a program whose addresses have four bytes. */
START_TEST(narrow_lists)
{
	const uint32_t debug[] = { 2, 0x10, 0x20, R_DELETE, 0xf7f00000, 0x50 };
	const uint32_t links[] = { 1, 2, 3, 4, 0xf7f00005, 6, 7, 8, 9, 10 };
	const uint32_t dynamic[] = { DT_NEEDED,	 1,	  DT_DEBUG,
				     0xf7f00077, DT_NULL, 0 };
	const addr_t at[] = { AT + 20, AT, AT + 24 };
	struct r_debug_view view;
	struct link_view link, several[3];
	addr_t r_debug = 1;

	memcpy(words, debug, sizeof(debug));
	word_count = sizeof(debug) / (sizeof(words[0]));
	ck_assert_int_eq(linkmap_r_debug(&memory, 4, AT, &view), 0);
	ck_assert_int_eq(view.version, 2);
	ck_assert_uint_eq(view.first, 0x10);
	ck_assert_uint_eq(view.brk, 0x20);
	ck_assert_int_eq(view.state, R_DELETE);
	ck_assert_uint_eq(view.base, 0xf7f00000);
	ck_assert_uint_eq(view.next, 0x50);
	ck_assert_int_eq(linkmap_r_debug(&memory, 4, AT + 8, &view), -EFAULT);

	memcpy(words, links, sizeof(links));
	word_count = sizeof(links) / (sizeof(words[0]));
	ck_assert_int_eq(linkmap_link(&memory, 4, AT, &link), 0);
	ck_assert_uint_eq(link.bias, 1);
	ck_assert_uint_eq(link.previous, 0xf7f00005);
	ck_assert_uint_eq(linkmap_links(&memory, 4, at, 3, several), 2);
	ck_assert_uint_eq(several[0].bias, 6);
	ck_assert_uint_eq(several[0].next, 9);
	ck_assert_uint_eq(several[1].next, 4);

	memcpy(words, dynamic, sizeof(dynamic));
	word_count = sizeof(dynamic) / (sizeof(words[0]));
	ck_assert_int_eq(linkmap_find(&memory, 4, AT, &r_debug), 0);
	ck_assert_uint_eq(r_debug, 0xf7f00077);
	ck_assert_int_eq(linkmap_find(&memory, 4, AT + 16, &r_debug), -ENOENT);
}
END_TEST

/* The auxiliary vector of a child that runs a 32-bit program. */
START_TEST(narrow_auxiliary_vector)
{
	char path[] = "/tmp/xtrace-narrow-XXXXXX", command[256];
	int fd = mkstemp(path), pipes[2], status;
	struct auxv auxv;
	pid_t child;
	char byte;

	ck_assert_int_ge(fd, 0);
	close(fd);
	/* write(1, the code, 1) and pause() */
	snprintf(
		command, sizeof(command),
		"printf '.globl _start\n_start: mov $4,%%%%eax\nmov "
		"$1,%%%%ebx\n"
		"mov $_start,%%%%ecx\nmov $1,%%%%edx\nint $0x80\n"
		"1: mov $29,%%%%eax\nint $0x80\njmp 1b\n' | gcc -m32 -nostdlib "
		"-static -no-pie -x assembler -o %s -",
		path);
	ck_assert_int_eq(system(command), 0);
	ck_assert_int_eq(pipe(pipes), 0);
	child = fork();
	if (child == 0) {
		dup2(pipes[1], 1);
		execl(path, path, NULL);
		_exit(1);
	}
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	ck_assert_int_eq(auxv_read(child, 4, &auxv), 0);
	ck_assert_uint_eq(auxv.base, 0);
	ck_assert_uint_ge(auxv.entry, 0x8048000);
	ck_assert_uint_le(auxv.entry, UINT32_MAX);
	ck_assert_uint_eq(auxv.phdr % ADDR_PAGE, sizeof(Elf32_Ehdr));
	ck_assert_uint_gt(auxv.phnum, 0);
	ck_assert_uint_le(auxv.vdso, UINT32_MAX);
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	close(pipes[0]);
	close(pipes[1]);
	unlink(path);
}
END_TEST

START_TEST(our_own_auxiliary_vector)
{
	struct auxv auxv;

	ck_assert_int_eq(auxv_read(getpid(), sizeof(void *), &auxv), 0);
	ck_assert_uint_eq(auxv.base, getauxval(AT_BASE));
	ck_assert_uint_eq(auxv.entry, getauxval(AT_ENTRY));
	ck_assert_uint_eq(auxv.phdr, getauxval(AT_PHDR));
	ck_assert_uint_eq(auxv.phnum, getauxval(AT_PHNUM));
	ck_assert_uint_eq(auxv.vdso, getauxval(AT_SYSINFO_EHDR));
	ck_assert_int_lt(auxv_read(5000000, 8, &auxv), 0);
}
END_TEST

Suite *
linkmap_suite(void)
{
	Suite *suite = suite_create("process/linkmap");
	TCase *tests = tcase_create("linkmap");

	tcase_add_test(tests, r_debug_of_both_versions);
	tcase_add_test(tests, one_link);
	tcase_add_test(tests, links_together);
	tcase_add_test(tests, r_debug_in_the_dynamic_section);
	tcase_add_test(tests, narrow_lists);
	tcase_add_test(tests, our_own_auxiliary_vector);
	tcase_add_test(tests, narrow_auxiliary_vector);
	suite_add_tcase(suite, tests);
	return suite;
}
