/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What struct arch says of i386 programs holds for a real one: injected system
 * calls, calls that the kernel repeats, a call of a function at a trap, the
 * displaced instructions, and the return.
 */
#include "tests/unit/live/tracee.h"
#include "tests/unit/process/suites.h"

#include "arch/arch.h"
#include "arch/code.h"
#include "arch/relocated.h"
#include "base/xmalloc.h"
#include "process/attach.h"
#include "process/regs.h"
#include "process/remote.h"
#include "process/space.h"
#include "process/resume.h"
#include "process/system_call.h"
#include "process/wait.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The kernel's numbers for i386 (syscall_32.tbl). */
#define NARROW_PAUSE 29
#define NARROW_SLEEP 162 /* nanosleep */
#define NARROW_RESTART 0

static const char source[] =
	"#include <sys/syscall.h>\n"
	"#include <unistd.h>\n"
	"__asm__(\".globl spare; spare: .skip 512, 0x90\");\n"
	"extern char spare[];\n"
	"__attribute__((noipa)) int target(int a, int b) { return a + b; }\n"
	"int main(int argc, char **argv) {\n"
	"	void *addresses[2] = { (void *)target, spare };\n"
	"	long seconds[2] = { 1000, 0 };\n"
	"	char byte;\n"
	"	int sum;\n"
	"	write(1, addresses, sizeof(addresses));\n"
	"	if (argv[1][0] == 'c') {\n"
	"		read(0, &byte, 1);\n"
	"		sum = target(11, -12);\n"
	"		write(1, &sum, sizeof(sum));\n"
	"	}\n"
	"	if (argv[1][0] == 's')\n"
	"		syscall(SYS_nanosleep, seconds, 0);\n"
	"	for (;;)\n"
	"		pause();\n"
	"}\n";

/* A dynamic program enters the kernel through the vdso, a static one with `int
 * $0x80`. */
static const char *const flags[] = { "", "-static" };

static char folder[64];
static struct tracee tracee;
static const struct arch *arch;
static int to_tracee[2], from_tracee[2];
static uint32_t addresses[2]; /* of target() and of spare */

static void
setup(void)
{
	const char *parent = getenv("TMPDIR");

	snprintf(folder, sizeof(folder), "%.40s/xtrace-narrow.XXXXXX",
		 parent ? parent : "/tmp");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	arch = arch_of_file(EM_386, ELFCLASS32, ELFDATA2LSB);
	ck_assert_ptr_nonnull(arch);
	ck_assert_int_eq(pipe(to_tracee), 0);
	ck_assert_int_eq(pipe(from_tracee), 0);
}

static void
teardown(void)
{
	char *command = xasprintf("rm -rf '%s'", folder);

	if (tracee.pid) {
		kill(tracee.pid, SIGKILL);
		tracee_end(&tracee);
	}
	ck_assert_int_eq(system(command), 0);
	free(command);
}

static void
make_program(const char *program, const char *how)
{
	char *command = xasprintf("gcc -m32 -O1 %s -x c -o %s -", how, program);
	FILE *compiler = popen(command, "w");

	ck_assert_ptr_nonnull(compiler);
	ck_assert_int_ge(fputs(source, compiler), 0);
	ck_assert_int_eq(pclose(compiler), 0);
	free(command);
}

static void
start(const char *how, const char *role)
{
	char *program = xasprintf("%s/program", folder);
	struct space *space;

	make_program(program, how);
	tracee.pid = fork();
	ck_assert_int_ge(tracee.pid, 0);
	if (tracee.pid == 0) {
		dup2(to_tracee[0], 0);
		dup2(from_tracee[1], 1);
		execl(program, program, role, NULL);
		_exit(1);
	}
	free(program);
	ck_assert_int_eq(read(from_tracee[0], addresses, sizeof(addresses)),
			 sizeof(addresses));
	table_init(&tracee.table);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, tracee.pid, NULL,
				attach_options(&tracee.table)),
			 0);
	space = space_new(tracee.pid, &tracee.table.tally);
	ck_assert_int_eq(space_open(space, NULL), 0);
	space->arch = arch;
	tracee.process = process_add(&tracee.table, tracee.pid, space);
	tracee.thread = thread_add(&tracee.table, tracee.process, tracee.pid);
}

static const struct regs *
registers(void)
{
	const struct regs *regs = thread_regs(&tracee.table, tracee.thread);

	ck_assert_ptr_nonnull(regs);
	return regs;
}

static int
ask(const struct stub_call *calls, size_t count, int64_t *results)
{
	return remote_run(&tracee.table, tracee.thread, addresses[1], calls,
			  count, results);
}

static void
check_same_registers(const struct regs *before)
{
	const struct regs *regs = registers();

	ck_assert_uint_eq(regs_sp(regs), regs_sp(before));
	ck_assert_uint_eq(arch->calling->preserved(regs),
			  arch->calling->preserved(before));
	ck_assert_uint_eq(regs_thread_pointer(regs),
			  regs_thread_pointer(before));
	ck_assert_uint_ne(regs_thread_pointer(regs), 0);
}

START_TEST(a_sleeping_thread_runs_injected_calls)
{
	const struct stub_call calls[] = {
		{ .number = SYS_mmap,
		  .arguments = { 0, 4096, PROT_READ,
				 MAP_PRIVATE | MAP_ANONYMOUS, (uint64_t)-1 } },
		{ .number = SYS_close, .arguments = { 12345 } },
	};
	uint8_t there[STUB_ROOM], nothing[STUB_ROOM];
	int64_t results[STUB_CALLS];
	struct regs before;

	memset(nothing, 0x90, sizeof(nothing));
	start(flags[_i], "pause");
	tracee_await_blocked(tracee.pid, NARROW_PAUSE);
	tracee_stop(&tracee);
	before = *registers();
	ck_assert_int_eq(arch->system_call->number(&before), SYS_pause);
	ck_assert_int_eq(ask(calls, 2, results), 0);
	ck_assert_int_gt((int64_t)(uint32_t)results[0], 0);
	ck_assert_uint_eq((uint32_t)results[0] % 4096, 0);
	ck_assert_int_eq((int32_t)results[1], -EBADF);
	ck_assert_int_eq(space_read_raw(tracee.process->space, addresses[1],
					there, sizeof(there)),
			 0);
	ck_assert_mem_eq(there, nothing, sizeof(there));
	check_same_registers(&before);
	/* The call that was interrupted is made again. */
	tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, NARROW_PAUSE);
}
END_TEST

START_TEST(a_sleep_with_a_clock_is_continued)
{
	const struct stub_call call = { .number = SYS_gettid };
	int64_t result;
	struct regs before;

	start(flags[_i], "sleep");
	tracee_await_blocked(tracee.pid, NARROW_SLEEP);
	tracee_stop(&tracee);
	before = *registers();
	ck_assert_int_eq(ask(&call, 1, &result), 0);
	ck_assert_int_eq(result, tracee.pid);
	check_same_registers(&before);
	tracee_resume(&tracee, 0);
	tracee_await_blocked(tracee.pid, NARROW_RESTART);
}
END_TEST

/* At a stop for a system call, the number is translated by known_as() of struct
 * arch_system_call. */
START_TEST(the_number_of_a_system_call)
{
	struct system_call_stop at = { .entry = false };

	start(flags[_i], "pause");
	tracee_await_blocked(tracee.pid, NARROW_PAUSE);
	tracee_stop(&tracee);
	tracee.table.system_calls = true;
	while (!at.entry) {
		tracee_resume(&tracee, 0);
		tracee_await(&tracee, STOP_SYSCALL);
		ck_assert_int_eq(thread_system_call(&tracee.table,
						    tracee.thread, &at),
				 0);
	}
	ck_assert(!at.foreign);
	ck_assert_int_eq(at.number, SYS_pause);
}
END_TEST

/* Writes a trap or an original byte to this address. Returns the byte that was
 * there before. */
static uint8_t
exchange_byte(addr_t at, uint8_t byte)
{
	struct space *space = tracee.process->space;
	uint8_t before;

	ck_assert_int_eq(space_read_raw(space, at, &before, 1), 0);
	ck_assert_int_eq(space_write(space, at, &byte, 1), 0);
	return before;
}

/* Sends the thread, which is at a trap, to the displaced instruction. */
static void
send_to_slot(uint8_t original)
{
	uint8_t bytes[RELOCATE_WINDOW];
	const struct code code = { bytes, sizeof(bytes), addresses[0] };
	struct relocated slot;

	ck_assert_int_eq(space_read_raw(tracee.process->space, code.at, bytes,
					sizeof(bytes)),
			 0);
	bytes[0] = original;
	ck_assert_int_eq(arch->relocate(&code, addresses[1], NULL, &slot, NULL),
			 0);
	ck_assert_int_eq(space_write(tracee.process->space, addresses[1],
				     slot.bytes, slot.length),
			 0);
	thread_set_pc(tracee.thread, addresses[1]);
}

START_TEST(a_call_of_a_function)
{
	const struct arch_calling *calling = arch->calling;
	struct reader *memory;
	uint8_t original, behind;
	addr_t back = 0, sp;
	int32_t sum;

	start(flags[_i], "call");
	memory = &tracee.process->space->reader;
	tracee_await_blocked(tracee.pid, 3); /* read(2) */
	tracee_stop(&tracee);
	original = exchange_byte(addresses[0], arch->trap.bytes[0]);
	tracee_resume(&tracee, 0);
	ck_assert_int_eq(write(to_tracee[1], "", 1), 1);
	tracee_await(&tracee, STOP_TRAP);
	sp = regs_sp(registers());
	ck_assert_uint_eq(regs_pc(registers()),
			  addresses[0] + arch->trap.behind);
	ck_assert_int_eq((int32_t)calling->argument(registers(), memory, 0),
			 11);
	ck_assert_int_eq((int32_t)calling->argument(registers(), memory, 1),
			 -12);
	ck_assert_int_eq(calling->return_address(registers(), memory, &back),
			 0);
	behind = exchange_byte(back, arch->trap.bytes[0]);
	send_to_slot(original);
	tracee_resume(&tracee, 0);
	tracee_await(&tracee, STOP_TRAP);
	ck_assert_uint_eq(regs_pc(registers()), back + arch->trap.behind);
	ck_assert_uint_eq(regs_sp(registers()), sp + calling->pushed);
	ck_assert_int_eq((int32_t)calling->result(registers()), -1);
	exchange_byte(back, behind);
	exchange_byte(addresses[0], original);
	thread_set_pc(tracee.thread, back);
	tracee_resume(&tracee, 0);
	ck_assert_int_eq(read(from_tracee[0], &sum, sizeof(sum)), sizeof(sum));
	ck_assert_int_eq(sum, -1);
}
END_TEST

Suite *
narrow_suite(void)
{
	Suite *suite = suite_create("process/narrow");
	TCase *tests = tcase_create("narrow");
	const int count = array_size(flags);

	tcase_set_timeout(tests, 60);
	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_loop_test(tests, a_sleeping_thread_runs_injected_calls, 0,
			    count);
	tcase_add_loop_test(tests, a_sleep_with_a_clock_is_continued, 0, count);
	tcase_add_loop_test(tests, the_number_of_a_system_call, 0, count);
	tcase_add_loop_test(tests, a_call_of_a_function, 0, count);
	suite_add_tcase(suite, tests);
	return suite;
}
