/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks the stack of an i386 program that waits in a system call: from the vdso
 * to main(), by unwinding tables and by frame pointers. */
#include "stacks/native.h"
#include "tests/unit/stacks/suites.h"

#include "base/xmalloc.h"
#include "symbols/image.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static const char source[] =
	"#include <unistd.h>\n"
	"__attribute__((noipa)) int innermost(int n) {\n"
	"	write(1, \"\", 1); pause(); return n; }\n"
	"__attribute__((noipa)) int middle(int n) {\n"
	"	char room[n]; return innermost(n) + room[0]; }\n"
	"int main(int argc, char **argv) { return middle(argc * 40) + 1; }\n";

static const char *const flags[] = { "-O2", "-O0 -g", "-O2 -no-pie" };

static char folder[64];
static pid_t child;
static int memory;

static int
read_child(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	return pread(memory, to, length, (off_t)from) == (ssize_t)length
		       ? 0
		       : -EFAULT;
}

static struct reader reader = { .read = read_child };

static void
setup(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%.40s/xtrace-narrow.XXXXXX",
		 parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
}

static void
teardown(void)
{
	char *command = xasprintf("rm -rf '%s'", folder);

	if (child) {
		kill(child, SIGKILL);
		waitpid(child, NULL, __WALL);
		close(memory);
	}
	ck_assert_int_eq(system(command), 0);
	free(command);
}

/* Starts the program, and stops it when it waits. */
static void
start(const char *how, struct regs *ret_regs)
{
	char *program = xasprintf("%s/program", folder);
	char *command = xasprintf("gcc -m32 %s -x c -o %s -", how, program);
	FILE *compiler = popen(command, "w");
	struct regs_request request;
	char path[64], byte;
	int pipes[2], status;

	ck_assert_ptr_nonnull(compiler);
	ck_assert_int_ge(fputs(source, compiler), 0);
	ck_assert_int_eq(pclose(compiler), 0);
	ck_assert_int_eq(pipe(pipes), 0);
	child = fork();
	ck_assert_int_ge(child, 0);
	if (child == 0) {
		dup2(pipes[1], 1);
		execl(program, program, NULL);
		_exit(1);
	}
	ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, child, NULL, NULL), 0);
	ck_assert_int_eq(ptrace(PTRACE_INTERRUPT, child, NULL, NULL), 0);
	ck_assert_int_eq(waitpid(child, &status, __WALL), child);
	ck_assert_int_eq(regs_fetching(ret_regs, &request), 1);
	ck_assert_int_eq(ptrace((enum __ptrace_request)request.what, child,
				NULL, request.data),
			 0);
	snprintf(path, sizeof(path), "/proc/%d/mem", child);
	memory = open(path, O_RDONLY | O_CLOEXEC);
	ck_assert_int_ge(memory, 0);
	close(pipes[0]);
	close(pipes[1]);
	free(command);
	free(program);
}

/* Adds the file that a line of /proc/PID/maps names, if the line maps the first
 * bytes of the file. */
static void
add_mapped(struct modmap *modules, struct native *native, const char *line)
{
	const struct segment *segments;
	uint64_t from, offset;
	struct image *image;
	char name[512];
	size_t count;

	if (sscanf(line, "%" SCNx64 "-%*x %*s %" SCNx64 " %*s %*s %511s", &from,
		   &offset, name) != 3)
		return;
	if (!strcmp(name, "[vdso]"))
		native_vdso(native, from);
	if (name[0] != '/' || offset ||
	    image_open(name, name, &image, NULL) < 0)
		return;
	segments = image_segments(image, &count);
	modmap_add(modules, image, from - segments->address);
	image_unref(image);
}

static void
find_modules(struct modmap *modules, struct native *native)
{
	char line[1024], path[64];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", child);
	maps = fopen(path, "r");
	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps))
		add_mapped(modules, native, line);
	fclose(maps);
}

static size_t
place_of(const struct stack *stack, const char *function)
{
	for (size_t i = 0; i < stack->count; i++)
		if (stack->at[i].function &&
		    !strcmp(stack->at[i].function, function))
			return i;
	ck_abort_msg("%s is not among %zu frames", function, stack->count);
}

START_TEST(from_the_vdso_to_main)
{
	const struct arch *arch = arch_of_file(EM_386, ELFCLASS32, ELFDATA2LSB);
	struct native *native = native_new(arch);
	struct regs regs;
	const struct native_start from = { .regs = &regs };
	struct modmap modules;
	struct arena arena;
	struct stack stack;
	size_t inner;

	arena_init(&arena);
	modmap_init(&modules);
	start(flags[_i], &regs);
	find_modules(&modules, native);
	ck_assert_uint_ge(modules.modules.count, 3);
	stack_init(&stack, &arena, 32);
	native_walk(native, &modules, &reader, &from, &stack);
	native_name(native, &modules, &stack, true);
	inner = place_of(&stack, "innermost");
	ck_assert_uint_ge(inner, 1);
	ck_assert_uint_eq(place_of(&stack, "middle"), inner + 1);
	ck_assert_uint_eq(place_of(&stack, "main"), inner + 2);
	ck_assert_uint_gt(stack.count, inner + 3);
	ck_assert(!stack.partial);
	for (size_t i = 1; i < stack.count; i++)
		ck_assert_uint_gt(stack.at[i].at, stack.at[i - 1].at);
	native_free(native);
	modmap_release(&modules);
	arena_release(&arena);
}
END_TEST

Suite *
narrow_suite(void)
{
	Suite *suite = suite_create("stacks/narrow");
	TCase *tests = tcase_create("narrow");

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, from_the_vdso_to_main, 0, array_size(flags));
	suite_add_tcase(suite, tests);
	return suite;
}
