/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Our own stack, walked from a copy: whole it leads through the functions that
 * are there; damaged it leads somewhere, and ends.
 */
#include "stacks/native.h"
#include "tests/unit/stacks/suites.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define MOST 64u
#define ROOM 16384u
#define ROUNDS 3000

struct copied {
	struct reader reader;
	addr_t at;
	size_t length;
	uint8_t bytes[ROOM];
};

static struct copied copied;
static struct modmap modules;
static struct regs regs;

static int
read_copied(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < copied.at || from - copied.at > copied.length ||
	    copied.length - (from - copied.at) < length)
		return -EFAULT;
	memcpy(to, copied.bytes + (from - copied.at), length);
	return 0;
}

static int
add_module(struct dl_phdr_info *info, size_t size, void *unused)
{
	const char *path =
		*info->dlpi_name ? info->dlpi_name : "/proc/self/exe";
	struct image *image;
	struct err err;

	(void)size;
	(void)unused;
	if (image_open(path, path, &image, &err) == 0) {
		modmap_add(&modules, image, info->dlpi_addr);
		image_unref(image);
	}
	return 0;
}

__attribute__((noinline)) void native_test_copy(void);

/* Where it is now, and what its callers have on the stack. */
void
native_test_copy(void)
{
	int memory = open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
	ucontext_t context;
	const greg_t *r = context.uc_mcontext.gregs;
	ssize_t length;

	ck_assert_int_ge(memory, 0);
	getcontext(&context);
	regs.gpr.rip = (uint64_t)r[REG_RIP];
	regs.gpr.rsp = (uint64_t)r[REG_RSP];
	regs.gpr.rbp = (uint64_t)r[REG_RBP];
	regs.gpr.rbx = (uint64_t)r[REG_RBX];
	regs.gpr.r12 = (uint64_t)r[REG_R12];
	regs.gpr.r13 = (uint64_t)r[REG_R13];
	regs.gpr.r14 = (uint64_t)r[REG_R14];
	regs.gpr.r15 = (uint64_t)r[REG_R15];
	copied.at = regs.gpr.rsp;
	length = pread(memory, copied.bytes, ROOM, (off_t)copied.at);
	copied.length = length > 0 ? (size_t)length : 0;
	copied.reader.read = read_copied;
	close(memory);
}

static size_t
walk(struct native *native, struct arena *arena, bool *ret_copy)
{
	const struct native_start start = { .regs = &regs };
	struct stack stack;

	stack_init(&stack, arena, MOST);
	native_walk(native, &modules, &copied.reader, &start, &stack);
	ck_assert_uint_le(stack.count, MOST);
	*ret_copy = stack.count > 1 && stack.at[0].function &&
		    !strcmp(stack.at[0].function, "native_test_copy");
	for (size_t i = 0; i < stack.count; i++)
		ck_assert(!stack.at[i].function || *stack.at[i].function);
	return stack.count;
}

START_TEST(a_damaged_stack)
{
	struct native *native = native_new();
	static uint8_t before[ROOM];
	struct arena arena;
	size_t whole;
	bool copy;

	modmap_init(&modules);
	dl_iterate_phdr(add_module, NULL);
	arena_init(&arena);
	native_test_copy();
	whole = walk(native, &arena, &copy);
	ck_assert(copy);
	ck_assert_uint_gt(whole, 4);
	memcpy(before, copied.bytes, ROOM);
	srandom(1);
	for (int i = 0; i < ROUNDS; i++) {
		for (long n = random() % 8; n >= 0; n--) {
			size_t at = (size_t)random() % 1024 * 8;

			if (random() % 2)
				memcpy(copied.bytes + at,
				       before + (size_t)random() % 1024 * 8, 8);
			else
				copied.bytes[at + (size_t)random() % 8] ^=
					(uint8_t)random();
		}
		walk(native, &arena, &copy);
		arena_clear(&arena);
		memcpy(copied.bytes, before, ROOM);
	}
	ck_assert_uint_eq(walk(native, &arena, &copy), whole);
	arena_release(&arena);
	native_free(native);
	modmap_release(&modules);
}
END_TEST

Suite *
native_suite(void)
{
	Suite *suite = suite_create("stacks/native");
	TCase *tests = tcase_create("native");

	tcase_set_timeout(tests, 120);
	tcase_add_test(tests, a_damaged_stack);
	suite_add_tcase(suite, tests);
	return suite;
}
