/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The traced thread of the program makes system calls for xtrace. */
#include "tests/unit/breakpoints/jump_scene.h"

#include "process/attach.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/wait.h"
#include "tests/unit/checks.h"
#include "tests/unit/live/tracee.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

/* Functions that return their argument plus one. Their windows differ: a single
 * instruction; boundaries, with and without a second byte behind the last one;
 * only boundaries; the end of the flow; a call. */
__asm__(".pushsection .text\n"
	".globl jumps_one, jumps_pushes, jumps_frame, jumps_saved\n"
	".globl jumps_all, jumps_end, jumps_middle, jumps_call\n"
	".hidden jumps_one, jumps_pushes, jumps_frame, jumps_saved\n"
	".hidden jumps_all, jumps_end, jumps_middle, jumps_call\n"
	".balign 64\n"
	"jumps_one:\n\t"
	"mov $1,%eax\n\t"
	"add %edi,%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_pushes:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"push %rbx\n\t"
	"lea 1(%rdi),%eax\n\t"
	"pop %rbx\n\t"
	"pop %rbp\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_frame:\n\t"
	"push %rbp\n\t"
	"mov %rsp,%rbp\n\t"
	"sub $16,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"leave\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_saved:\n\t"
	"push %r15\n\t"
	"push %r14\n\t"
	"push %r13\n\t"
	"lea 1(%rdi),%eax\n\t"
	"pop %r13\n\t"
	"pop %r14\n\t"
	"pop %r15\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_all:\n\t"
	"push %rax\n\t"
	"push %rcx\n\t"
	"push %rdx\n\t"
	"push %rbx\n\t"
	"push %rsi\n\t"
	"add $40,%rsp\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_end:\n\t"
	"lea 1(%rdi),%eax\n\t"
	"nop\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_middle:\n\t"
	"nopl (%rax)\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".balign 64\n"
	"jumps_call:\n\t"
	"call *jumps_pointer(%rip)\n\t"
	"ret\n"
	".popsection\n"
	".pushsection .data\n"
	".balign 8\n"
	"jumps_pointer:\n\t"
	".quad jumps_one\n"
	".popsection");

const char *const windows[WINDOWS] = { jumps_one,    jumps_pushes, jumps_frame,
				       jumps_saved,  jumps_all,	   jumps_end,
				       jumps_middle, jumps_call };

struct shared *shared;
struct table table;
struct process *process;
struct thread *thread;
struct sites sites;
struct watcher *watcher;
struct site *planted[WINDOWS];

static unsigned others; /* threads of the program that are not traced */

int
jump_call(const char *function, int argument)
{
	int (*pointer)(int) = (int (*)(int))(uintptr_t)function;

	return pointer(argument);
}

void
jump_nap(void)
{
	const struct timespec moment = { .tv_nsec = 1000000 };

	nanosleep(&moment, NULL);
}

void
jump_serve(void)
{
	atomic_store(&shared->serves, true);
	for (;;)
		;
}

static void
attach_to_one(pid_t pid)
{
	struct err err = { "" };
	struct stop stop;

	table_init(&table);
	process = process_add(&table, pid, space_new(pid, &table.tally));
	ck_assert_int_eq(space_open(process->space, &err), 0);
	ck_assert_int_eq(ptrace(PTRACE_SEIZE, pid, NULL,
				attach_options(&table)),
			 0);
	thread = thread_add(&table, process, pid);
	/* With a count of one, xtrace would take the traced thread for the only
	 * thread of the program. */
	process->thread_count += others;
	ck_assert_int_eq(thread_interrupt(&table, thread), 0);
	ck_assert_int_eq(wait_asked(&table, thread, &stop), 0);
	thread_mend_interrupted(&table, thread);
}

static void
plant_all(void)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		const char *why = "";

		ck_assert_msg(sites_plant_one(&sites, (addr_t)windows[i],
					      SITE_OWNER_CALL, thread,
					      &planted[i], &why) == 0,
			      "%s", why);
	}
}

void
jump_scene_begin(void (*program)(void), unsigned workers)
{
	void *scratch = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pid_t pid;

	others = workers;
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(shared, MAP_FAILED);
	pid = tracee_fork(program);
	/* The first thread runs nothing of its own once it is attached to. */
	while (atomic_load(&shared->workers) < workers ||
	       !atomic_load(&shared->serves))
		jump_nap();
	attach_to_one(pid);
	watcher = watcher_start();
	ck_assert_ptr_nonnull(watcher);
	sites_init(&sites, &table, process->space, watcher);
	sites.slots.scratch = (addr_t)scratch;
	plant_all();
}

void
jump_scene_end(void)
{
	watcher_dismiss(watcher);
	sites.watcher = NULL;
	sites_release(&sites);
	tracee_kill(process->pid);
	process->thread_count -= others;
	table_release(&table);
}

void
jump_check_running(void)
{
	siginfo_t info = { .si_pid = 0 };

	ck_assert_int_eq(waitid(P_PID, (id_t)process->pid, &info,
				WEXITED | WNOHANG | WNOWAIT),
			 0);
	/* A stop of the traced thread is reported, too. */
	ck_assert_msg(info.si_pid == 0 || info.si_code == CLD_TRAPPED ||
			      info.si_code == CLD_STOPPED,
		      "the program has ended: %d, %d", info.si_code,
		      info.si_status);
}

void
jump_goes_round(void)
{
	uint64_t then = atomic_load(&shared->rounds) + 50;

	while (atomic_load(&shared->rounds) < then) {
		jump_check_running();
		jump_nap();
	}
	ck_assert_uint_eq(atomic_load(&shared->wrong), 0);
}

void
jump_ask(struct jump_request *requests, const struct check_condition *condition)
{
	for (size_t i = 0; i < WINDOWS; i++) {
		requests[i] = (struct jump_request){ .site = planted[i] };
		if (!condition)
			continue;
		requests[i].conditions[0] = *condition;
		requests[i].count = 1;
	}
	ck_assert_int_eq(jumps_plant(&sites, requests, WINDOWS, thread), 0);
	for (size_t i = 0; i < WINDOWS; i++)
		ck_assert_msg(requests[i].done, "%zu: %s", i, requests[i].why);
}
