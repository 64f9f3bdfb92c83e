/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Faults of displaced instructions look like the program's own. Its handler
 * finds in rip the address in the function, and in si_addr the untraced value.
 * "table": the handler continues elsewhere by a table of fault addresses, as
 * the engines of Java and JavaScript do. "mend": it corrects the cause and lets
 * the instruction run again, which is still one call. "jump": it jumps out. The
 * second instruction of a slot may fault as well. If a call through memory
 * faults, the return address of the slot's copy is on the stack, but the
 * program does not see that address.
 *
 * FILE: p.conf: int load(addr); int divide(int, int, int);
 * FILE: p.conf: int second(addr); int through(addr);
 *
 * RUN: xtrace --pid=never -F p.conf -x load+divide+second+through %t table
 * COUNT: 3 load(%any
 * COUNT: 3 divide(%any
 * COUNT: 3 second(%any
 * COUNT: 3 through(%any
 * COUNT: 3 <... second resumed> ) = 77
 * COUNT: 3 <... through resumed> ) = 77
 * COUNT: 3 <... load resumed> ) = 77
 * COUNT: 3 <... divide resumed> ) = 77
 * COUNT: 12 --- SIGSEGV (Segmentation fault) ---
 *
 * RUN: xtrace --pid=never -F p.conf -x load+divide %t mend
 * COUNT: 3 load(%any
 * COUNT: 3 <... load resumed> ) = 0
 *
 * RUN: xtrace --pid=never -F p.conf -x load+divide %t jump
 * COUNT: 3 load(%any
 * COUNT: 3 divide(%any
 *
 * RUN: xtrace --pid=never -F p.conf -x load+divide+second+through -p %p
 * ATTACH:
 * COUNT: 3 load(%any
 * COUNT: 3 divide(%any
 * COUNT: 3 second(%any
 * COUNT: 3 through(%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <ucontext.h>

int load(const int *from);
int divide(int by, int unused, int rest);
int wrong(int x);
int halt(int x);
int second(const int *from);
int through(const void *to);
extern const char landing[], landing_pops[];

__asm__(".text\n"
	".globl load, divide, wrong, halt, landing\n"
	".globl second, through, landing_pops\n"
	".type second, @function\n .type through, @function\n"
	"second: push %rbx\n mov (%rdi), %eax\n pop %rbx\n ret\n"
	".size second, . - second\n"
	"through: call *(%rdi)\n ret\n .size through, . - through\n"
	"landing_pops: pop %rbx\n mov $77, %eax\n ret\n"
	".type load, @function\n .type divide, @function\n"
	".type wrong, @function\n .type halt, @function\n"
	"load: mov (%rdi), %eax\n ret\n .size load, . - load\n"
	"divide: idiv %edi\n ret\n .size divide, . - divide\n"
	"wrong: ud2\n ret\n .size wrong, . - wrong\n"
	"halt: hlt\n ret\n .size halt, . - halt\n"
	"landing: mov $77, %eax\n ret\n");

static const char *how;
static char *page;
static sigjmp_buf place;
static uintptr_t sp;

static const char *
name_of(uintptr_t address)
{
	return address == (uintptr_t)load	  ? "load"
	       : address == (uintptr_t)divide	  ? "divide"
	       : address == (uintptr_t)wrong	  ? "wrong"
	       : address == (uintptr_t)halt	  ? "halt"
	       : address == (uintptr_t)page	  ? "page"
	       : address == (uintptr_t)through	  ? "through"
	       : address == (uintptr_t)second + 1 ? "second + 1"
	       : address == 0			  ? "0"
						  : "ELSEWHERE";
}

static void
handler(int number, siginfo_t *info, void *frame)
{
	greg_t *registers = ((ucontext_t *)frame)->uc_mcontext.gregs;
	char line[128];

	/* The handler finds the same stack pointer as untraced. */
	snprintf(line, sizeof(line), "signal %d code %d rip %s addr %s sp %ld",
		 number, info->si_code, name_of((uintptr_t)registers[REG_RIP]),
		 name_of((uintptr_t)info->si_addr),
		 (long)((uintptr_t)registers[REG_RSP] - sp));
	say(line);
	if (!strcmp(how, "mend"))
		mprotect(page, 4096, PROT_READ);
	else if (!strcmp(how, "jump"))
		siglongjmp(place, 1);
	else if ((uintptr_t)registers[REG_RIP] == (uintptr_t)second + 1)
		registers[REG_RIP] = (greg_t)landing_pops;
	else
		registers[REG_RIP] = (greg_t)landing;
}

static int
all(void)
{
	sp = (uintptr_t)__builtin_frame_address(0);
	mprotect(page, 4096, PROT_NONE);
	if (!sigsetjmp(place, 1) &&
	    load((int *)page) != (strcmp(how, "mend") ? 77 : 0))
		return 1;
	if (!strcmp(how, "mend"))
		return 0;
	if (!sigsetjmp(place, 1) && divide(0, 0, 0) != 77)
		return 2;
	if (!sigsetjmp(place, 1) && wrong(3) != 77)
		return 3;
	if (!sigsetjmp(place, 1) && halt(4) != 77)
		return 4;
	if (!sigsetjmp(place, 1) && second((int *)page) != 77)
		return 5;
	if (!sigsetjmp(place, 1) && through(page) != 77)
		return 6;
	return 0;
}

int
main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = SA_SIGINFO };
	int numbers[] = { SIGSEGV, SIGFPE, SIGILL, SIGBUS };
	int result = 0;

	how = argc > 1 ? argv[1] : "table";
	page = mmap(0, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < 4; i++)
		sigaction(numbers[i], &action, 0);
	if (argc < 2)
		ready();
	for (int i = 0; i < 3 && !result; i++)
		result = all();
	return result;
}
