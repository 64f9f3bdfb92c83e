/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The floor of system calls: the cost of a tracer that stops a thread at the
 * entry and the end of each system call, and shows nothing. At each stop it
 * does only what every such tracer must do:
 *
 *	waitid	which thread has stopped
 *	PTRACE_GET_SYSCALL_INFO	the call, its arguments or its result
 *	PTRACE_SYSCALL
 *
 *	callfloor SUBJECT ARGUMENT..
 *
 * It traces one thread, and no other process.
 */
#include <err.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#define SYSCALL_STOP (SIGTRAP | 0x80)

static void
run(pid_t pid)
{
	struct __ptrace_syscall_info call;
	siginfo_t info;
	int signal = 0;

	for (;;) {
		if (ptrace(PTRACE_SYSCALL, pid, NULL, signal) < 0)
			err(1, "PTRACE_SYSCALL");
		if (waitid(P_ALL, 0, &info, WSTOPPED | WEXITED | __WALL) < 0)
			err(1, "waitid");
		if (info.si_code != CLD_TRAPPED)
			return;
		signal = info.si_status == SIGTRAP ? 0 : info.si_status & 0xff;
		if (info.si_status != SYSCALL_STOP)
			continue;
		signal = 0;
		if (ptrace(PTRACE_GET_SYSCALL_INFO, pid, sizeof(call), &call) <
		    0)
			err(1, "PTRACE_GET_SYSCALL_INFO");
	}
}

int
main(int argc, char **argv)
{
	siginfo_t info;
	pid_t pid;

	if (argc < 2)
		errx(2, "callfloor SUBJECT ARGUMENT..");
	pid = fork();
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
			err(1, "PTRACE_TRACEME");
		raise(SIGSTOP);
		execv(argv[1], argv + 1);
		err(127, "%s", argv[1]);
	}
	if (waitid(P_ALL, 0, &info, WSTOPPED | __WALL) < 0 ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, PTRACE_O_TRACESYSGOOD) < 0)
		err(1, "cannot trace the subject");
	run(pid);
	return 0;
}
