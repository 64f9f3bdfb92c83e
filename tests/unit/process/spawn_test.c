/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting programs, and programs that cannot be started. */
#include "arch/arch.h"
#include "process/spawn.h"
#include "tests/unit/process/suites.h"

#include "process/resume.h"
#include "process/space.h"
#include "process/wait.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static struct table table;
static struct spawn_signals signals;
static volatile pid_t born;

static void
setup(void)
{
	table_init(&table);
	spawn_signals_now(&signals);
	born = 0;
}

static void
teardown(void)
{
	table_release(&table);
}

static int
run(char **arguments, const char *user, struct process **ret_process,
    struct err *err)
{
	const struct spawn_request request = {
		.arguments = arguments,
		.word = arch_of_host()->word,
		.user = user,
		.signals = &signals,
		.born = &born,
	};

	return spawn(&table, &request, ret_process, err);
}

/* Runs the process to its end; returns its exit status. */
static int
status_of(struct process *process)
{
	struct thread *thread = table_thread(&table, process->pid);
	struct stop stop;

	do {
		ck_assert_int_eq(thread_resume(&table, thread, 0), 0);
		ck_assert_int_eq(wait_thread(&table, thread, &stop), 0);
	} while (stop.kind != STOP_GONE);
	return stop.status;
}

static void
write_file(const char *file, const void *bytes, size_t size)
{
	FILE *out = fopen(file, "w");

	ck_assert_ptr_nonnull(out);
	ck_assert_uint_eq(fwrite(bytes, 1, size, out), size);
	ck_assert_int_eq(fclose(out) | chmod(file, 0700), 0);
}

static void
write_header(const char *file, Elf32_Half machine)
{
	const Elf32_Ehdr header = {
		.e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS32, ELFDATA2LSB, 1 },
		.e_machine = machine,
	};

	write_file(file, &header, sizeof(header));
}

/* The size of an address by the header of an ELF file, and for a script by the
 * header of its interpreter. A program of another CPU runs in an emulator,
 * which is a program of xtrace's own kind. Nothing waits for a writer of a
 * FIFO. */
START_TEST(the_word_of_a_program)
{
	char folder[] = "/tmp/xtrace-word-XXXXXX", file[64], script[64],
	     line[128];

	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(file, sizeof(file), "%s/narrow", folder);
	snprintf(script, sizeof(script), "%s/script", folder);
	snprintf(line, sizeof(line), "#! %s -x\n", file);
	write_header(file, EM_386);
	write_file(script, line, strlen(line));
	ck_assert_uint_eq(spawn_word(file), 4);
	ck_assert_uint_eq(spawn_word(script), 4);
	write_header(file, EM_ARM);
	ck_assert_uint_eq(spawn_word(file), 8);
	ck_assert_uint_eq(spawn_word(script), 8);
	ck_assert_int_eq(unlink(file) | mkfifo(file, 0700), 0);
	ck_assert_uint_eq(spawn_word(file), 8);
	ck_assert_uint_eq(spawn_word(script), 8);
	ck_assert_uint_eq(spawn_word("/bin/sh"), 8);
	ck_assert_uint_eq(spawn_word("sh"), 8);
	ck_assert_uint_eq(spawn_word("/no/such/program"), 8);
	unlink(file);
	unlink(script);
	rmdir(folder);
}
END_TEST

START_TEST(a_started_program_is_at_its_beginning)
{
	char *arguments[] = { "sh", "-c", "exit 7", NULL };
	struct process *process;
	struct err err = { "" };

	ck_assert_int_eq(run(arguments, NULL, &process, &err), 0);
	ck_assert(process->ours);
	ck_assert_int_eq(born, process->pid);
	ck_assert_int_ge(process->space->memory, 0);
	ck_assert_int_eq(status_of(process), 7);
}
END_TEST

START_TEST(a_program_gets_the_signals_that_we_had)
{
	char *arguments[] = { "sh", "-c",
			      "exec grep -q '^SigIgn:\t0*1000$' "
			      "/proc/self/status",
			      NULL };
	struct process *process;
	struct err err = { "" };

	/* The program ignores SIGPIPE, which is 13, and no other signal. The
	 * test does not ignore SIGPIPE, and may have inherited that it ignores
	 * others (nohup(1)). */
	signals.ignored = 1u << 12;
	ck_assert_int_eq(run(arguments, NULL, &process, &err), 0);
	ck_assert_int_eq(status_of(process), 0);
}
END_TEST

START_TEST(signals_that_are_ignored_now)
{
	struct spawn_signals now;

	signal(SIGUSR2, SIG_IGN);
	spawn_signals_now(&now);
	ck_assert(now.ignored & UINT64_C(1) << (SIGUSR2 - 1));
	ck_assert_uint_gt(now.descriptors.rlim_max, 0);
	spawn_more_descriptors(&now);
	spawn_signals_now(&now);
	ck_assert_uint_eq(now.descriptors.rlim_cur, now.descriptors.rlim_max);
}
END_TEST

struct refusal {
	const char *name, *user;
	int error;
	const char *sentence;
};

static const struct refusal refusals[] = {
	{ "no-such-command-here", NULL, -ENOENT,
	  "no-such-command-here: no such command" },
	{ "/no/such/file", NULL, -ENOENT,
	  "/no/such/file: No such file or directory" },
	{ "/proc/self/status", NULL, -EACCES,
	  "/proc/self/status: Permission denied" },
	{ "true", "no-such-user-here", -ENOENT, "no user 'no-such-user-here'" },
};

START_TEST(what_cannot_be_started)
{
	const struct refusal *row = &refusals[_i];
	char *arguments[] = { (char *)row->name, NULL };
	const struct spawn_request request = { .arguments = arguments,
					       .user = row->user };
	struct process *process;
	struct err err = { "" };

	ck_assert_int_eq(run(arguments, row->user, &process, &err), row->error);
	ck_assert_str_eq(err.text, row->sentence);
	ck_assert(table_empty(&table));
	/* The failed start has left no child. */
	ck_assert_int_lt(waitpid(-1, NULL, WNOHANG), 0);
	/* spawn_check() reports the same error before a process is started. */
	ck_assert_int_eq(spawn_check(&request, &err), row->error);
	ck_assert_str_eq(err.text, row->sentence);
}
END_TEST

START_TEST(what_can_be_started)
{
	char *arguments[] = { "true", NULL };
	const struct spawn_request request = { .arguments = arguments };
	struct err err = { "" };

	ck_assert_int_eq(spawn_check(&request, &err), 0);
	setenv("PATH", ":/no/such/folder", 1);
	ck_assert_int_eq(spawn_check(&request, &err), -ENOENT);
	unsetenv("PATH");
	ck_assert_int_eq(spawn_check(&request, &err), 0);
	arguments[0] = "/bin/true";
	ck_assert_int_eq(spawn_check(&request, &err), 0);
}
END_TEST

START_TEST(another_user)
{
	char *arguments[] = { "sh", "-c",
			      "exec grep -q '^Uid:.65534.65534' "
			      "/proc/self/status",
			      NULL };
	struct process *process;
	struct err err = { "" };
	int r = run(arguments, "nobody", &process, &err);

	if (r == 0)
		ck_assert_int_eq(status_of(process), 0);
	else
		ck_assert_msg(!strncmp(err.text, "cannot run as user 'nobody'",
				       27),
			      "%s", err.text);
	ck_assert_int_eq(r == 0, getuid() == 0);
}
END_TEST

START_TEST(the_end_of_one_that_nobody_traces)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(9);
	ck_assert_int_eq(spawn_await(pid), 9);
	pid = fork();
	if (pid == 0) {
		raise(SIGKILL);
		_exit(0);
	}
	ck_assert_int_eq(spawn_await(pid), 128 + SIGKILL);
	ck_assert_int_eq(spawn_await(pid), 0);
}
END_TEST

Suite *
spawn_suite(void)
{
	Suite *suite = suite_create("process/spawn");
	TCase *tests = tcase_create("spawn");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, the_word_of_a_program);
	tcase_add_test(tests, a_started_program_is_at_its_beginning);
	tcase_add_test(tests, a_program_gets_the_signals_that_we_had);
	tcase_add_test(tests, signals_that_are_ignored_now);
	tcase_add_loop_test(tests, what_cannot_be_started, 0,
			    array_size(refusals));
	tcase_add_test(tests, what_can_be_started);
	tcase_add_test(tests, another_user);
	tcase_add_test(tests, the_end_of_one_that_nobody_traces);
	suite_add_tcase(suite, tests);
	return suite;
}
