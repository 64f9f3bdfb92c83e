/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A tracee that calls small functions. If a function returns a wrong result,
 * the tracee exits, and the test notices. */
#include "tests/unit/breakpoints/scene.h"

#include "process/regs.h"
#include "tests/unit/checks.h"

#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

__asm__(".pushsection .text\n"
	".globl scene_nop, scene_add, scene_call\n"
	".globl scene_iret, scene_int3, scene_ret\n"
	".hidden scene_nop, scene_add, scene_call\n"
	".hidden scene_iret, scene_int3, scene_ret\n"
	".balign 16\n"
	"scene_nop:\n\t"
	"nopl (%rax)\n\t"
	"lea 1(%rdi),%eax\n\t"
	"ret\n"
	".balign 16\n"
	"scene_add:\n\t"
	"lea 1(%rdi),%eax\n\t"
	"nop\n\t"
	"ret\n"
	".balign 16\n"
	"scene_call:\n\t"
	"call *scene_pointer(%rip)\n\t"
	"ret\n"
	".balign 16\n"
	"scene_iret:\n\t"
	"iretq\n"
	".balign 16\n"
	"scene_int3:\n\t"
	"int3\n\t"
	"ret\n"
	".balign 16\n"
	"scene_ret:\n\t"
	"ret\n"
	".popsection\n"
	".pushsection .data\n"
	".balign 8\n"
	"scene_pointer:\n\t"
	".quad scene_add\n"
	".popsection");

static volatile uint64_t rounds;

static int
call(const char *function, int argument)
{
	int (*pointer)(int) = (int (*)(int))(uintptr_t)function;

	return pointer(argument);
}

static void
go_round(void)
{
	for (;;) {
		int count = 0;

		count += call(scene_nop, count);
		count += call(scene_add, count);
		count += call(scene_call, count);
		if (count != 7)
			_exit(1);
		rounds++;
	}
}

void
scene_begin(struct scene *scene)
{
	void *scratch = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(scratch, MAP_FAILED);
	tracee_start(&scene->tracee, go_round);
	tracee_stop(&scene->tracee);
	sites_init(&scene->sites, &scene->tracee.table,
		   scene->tracee.process->space, NULL);
	scene->sites.slots.scratch = (addr_t)scratch;
}

void
scene_end(struct scene *scene)
{
	sites_release(&scene->sites);
	tracee_end(&scene->tracee);
}

uint8_t
scene_raw(struct scene *scene, const char *address)
{
	uint8_t byte;

	ck_assert_int_eq(space_read_raw(scene->sites.space, (addr_t)address,
					&byte, 1),
			 0);
	return byte;
}

uint8_t
scene_veiled(struct scene *scene, const char *address)
{
	uint8_t byte;

	ck_assert_int_eq(reader_read(&scene->sites.space->reader,
				     (addr_t)address, &byte, 1),
			 0);
	return byte;
}

struct site *
scene_plant(struct scene *scene, const char *address)
{
	const char *why = "";
	struct site *site = NULL;
	int r = sites_plant_one(&scene->sites, (addr_t)address, SITE_OWNER_CALL,
				scene->tracee.thread, &site, &why);

	ck_assert_msg(r == 0, "%d: %s", r, why);
	ck_assert_uint_eq(site->address, (addr_t)address);
	return site;
}

struct site *
scene_run_to(struct scene *scene, const char *address)
{
	struct site *site = scene_plant(scene, address);
	const struct regs *regs;

	tracee_resume(&scene->tracee, 0);
	tracee_await(&scene->tracee, STOP_TRAP);
	regs = thread_regs(&scene->tracee.table, scene->tracee.thread);
	ck_assert_uint_eq(regs_pc(regs), site->address + 1);
	return site;
}

static uint64_t
rounds_of(struct scene *scene)
{
	uint64_t count;

	/* If the tracee has ended, this read fails. */
	ck_assert_int_eq(space_read_raw(scene->sites.space, (addr_t)&rounds,
					&count, sizeof(count)),
			 0);
	return count;
}

void
scene_goes_round(struct scene *scene)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	uint64_t then = rounds_of(scene) + 20;

	while (rounds_of(scene) < then)
		nanosleep(&nap, NULL);
}
