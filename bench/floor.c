/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The floor: the cost of a tracer that shows nothing. It stops a thread twice
 * per call, at the entry and at the return, like every tracer with int3 and
 * ptrace. At each stop it does only what every tracer must do:
 *
 *	waitid	which thread has stopped (WNOWAIT, see docs/SURVIVAL.md)
 *	GETREGS	the arguments, the result
 *	POKEUSER	its pc: the slot with the displaced instructions
 *	CONT
 *
 * With -b it leaves out GETREGS. It then cannot even distinguish two sites;
 * this shows the cost of the stops alone. With -r it reads the return address
 * at each entry, as a tracer must if a function has two callers.
 *
 *	floor [-b | -r] SUBJECT ARGUMENT..
 *
 * The subject (bench/subject.h) tells where its function is, and provides room
 * for two slots. It is seized while it runs. The floor traces one function in
 * one thread.
 */
#include "arch/x86_64/relocate.h"
#include "bench/subject.h"
#include "process/request.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#define TRAP 0xcc

struct floor {
	pid_t pid;
	int memory; /* /proc/PID/mem */
	bool blind, reads_return;
	struct subject_says subject;
	/* the slots of the function's entry and of the return address */
	addr_t slots[2];
	addr_t return_address;
};

static void
read_memory(const struct floor *floor, addr_t from, void *to, size_t length)
{
	if (pread(floor->memory, to, length, (off_t)from) != (ssize_t)length)
		err(1, "cannot read the subject's memory");
}

static void
write_memory(const struct floor *floor, addr_t to, const void *from,
	     size_t length)
{
	if (pwrite(floor->memory, from, length, (off_t)to) != (ssize_t)length)
		err(1, "cannot write the subject's memory");
}

/* Plants a trap at address; slot number `which` gets the displaced
 * instructions. */
static void
plant(struct floor *floor, addr_t address, int which)
{
	addr_t at = floor->subject.rooms[which];
	uint8_t text[RELOCATE_WINDOW], trap = TRAP;
	struct relocated slot;
	const char *why;

	read_memory(floor, address, text, sizeof(text));
	if (x86_64_relocate(&(struct code){ text, sizeof(text), address }, at,
			    NULL, &slot, &why) < 0)
		errx(1, "cannot displace: %s", why);
	write_memory(floor, at, slot.bytes, slot.length);
	write_memory(floor, address, &trap, 1);
	floor->slots[which] = slot.moves_only ? slot.onward : at;
}

/* Waits until the subject stops. False if the subject has ended. */
static bool
wait_for_stop(const struct floor *floor)
{
	siginfo_t info;

	do {
		if (system_call(SYS_waitid, P_ALL, 0, (long)&info,
				WSTOPPED | WEXITED | WNOWAIT | __WALL, 0) < 0)
			err(1, "waitid");
		if (info.si_code == CLD_TRAPPED && info.si_status == SIGTRAP)
			return true;
		if (info.si_code == CLD_TRAPPED &&
		    request(PTRACE_CONT, floor->pid, 0,
			    (void *)(long)(info.si_status & 0xff)) < 0)
			err(1, "PTRACE_CONT");
	} while (info.si_code == CLD_TRAPPED);
	return false;
}

static void
send_to(const struct floor *floor, addr_t pc)
{
	if (ptrace(PTRACE_POKEUSER, floor->pid, offsetof(struct user, regs.rip),
		   pc) < 0 ||
	    ptrace(PTRACE_CONT, floor->pid, NULL, 0) < 0)
		err(1, "ptrace");
}

static void
look(const struct floor *floor, struct user_regs_struct *regs)
{
	if (request(PTRACE_GETREGS, floor->pid, 0, regs) < 0)
		err(1, "PTRACE_GETREGS");
}

static void
read_return(struct floor *floor, addr_t sp)
{
	read_memory(floor, sp, &floor->return_address,
		    sizeof(floor->return_address));
}

/* The first stop is at the entry: the return address is on the stack. */
static void
first_stop(struct floor *floor)
{
	struct user_regs_struct regs;

	look(floor, &regs);
	read_return(floor, regs.rsp);
	plant(floor, floor->return_address, 1);
	send_to(floor, floor->slots[0]);
}

static void
run(struct floor *floor)
{
	struct user_regs_struct regs;
	bool returns = true;

	if (!wait_for_stop(floor))
		return;
	first_stop(floor);
	while (wait_for_stop(floor)) {
		if (!floor->blind) {
			look(floor, &regs);
			returns = regs.rip == floor->return_address + 1;
			if (floor->reads_return && !returns)
				read_return(floor, regs.rsp);
		}
		send_to(floor, floor->slots[returns]);
		returns = !returns;
	}
}

/* Waits for the subject's subject_ready(), and answers it. */
static void
start(struct floor *floor, char **command)
{
	int says[2], answers[2];
	char number[16], path[64];

	if (pipe(says) < 0 || pipe(answers) < 0)
		err(1, "pipe");
	floor->pid = fork();
	if (floor->pid == 0) {
		snprintf(number, sizeof(number), "%d %d", says[1], answers[0]);
		setenv(SUBJECT_SAYS, number, 1);
		execv(command[0], command);
		err(127, "%s", command[0]);
	}
	if (read(says[0], &floor->subject, sizeof(floor->subject)) !=
	    (ssize_t)sizeof(floor->subject))
		errx(1, "the subject does not say where its function is");
	snprintf(path, sizeof(path), "/proc/%d/mem", floor->pid);
	floor->memory = open(path, O_RDWR);
	if (request(PTRACE_SEIZE, floor->pid, 0, NULL) < 0 || floor->memory < 0)
		err(1, "cannot trace the subject");
	plant(floor, floor->subject.function, 0);
	if (write(answers[1], "", 1) != 1)
		err(1, "cannot tell the subject to continue");
}

int
main(int argc, char **argv)
{
	struct floor floor = { 0 };

	for (int option; (option = getopt(argc, argv, "+br")) != -1;)
		switch (option) {
		case 'b':
			floor.blind = true;
			break;
		case 'r':
			floor.reads_return = true;
			break;
		default:
			return 2;
		}
	if (optind == argc)
		errx(2, "floor [-b | -r] SUBJECT ARGUMENT..");
	start(&floor, argv + optind);
	run(&floor);
	return 0;
}
