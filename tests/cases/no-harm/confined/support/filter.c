/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * filter HOW: installs a seccomp policy, then makes a hundred traced calls for
 * each line of input. See filter.py.
 *
 *	some	kills at mmap, memfd_create and rt_sigaction
 *	list	kills at all calls but its own and the ones xtrace injects
 *	two	two policies: first "fails", then "some"
 *	fails	makes mmap fail with ENOMEM, and kills at no call
 *	asks	looks at the address of a call's instruction, allows all calls
 *	resume	kills at restart_syscall; the program waits with a time limit
 *
 * CFLAGS: -O1
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AT(field) ((unsigned)offsetof(struct seccomp_data, field))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define ANSWER(what) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_##what)
#define WHERE(call, what)                                                      \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_##call, 0, 1), ANSWER(what)
#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static struct sock_filter some[] = {
	LOAD(nr),
	WHERE(mmap, KILL_PROCESS),
	WHERE(memfd_create, KILL_PROCESS),
	WHERE(rt_sigaction, KILL_PROCESS),
	ANSWER(ALLOW),
};

static struct sock_filter list[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
	ANSWER(KILL_PROCESS),
	LOAD(nr),
	WHERE(read, ALLOW),
	WHERE(write, ALLOW),
	WHERE(exit_group, ALLOW),
	WHERE(munmap, ALLOW),
	WHERE(rt_sigaction, ALLOW),
	WHERE(rt_sigprocmask, ALLOW),
	WHERE(rt_sigreturn, ALLOW),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0),
	ANSWER(KILL_PROCESS),
	/* Allows memory to be executable or writable, but not both. */
	LOAD(args[2]),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 6),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 6, 0, 1),
	ANSWER(KILL_PROCESS),
	ANSWER(ALLOW),
};

static struct sock_filter fails[] = {
	LOAD(nr),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 1),
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOMEM),
	ANSWER(ALLOW),
};

static struct sock_filter asks[] = {
	LOAD(instruction_pointer),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, 1),
	ANSWER(KILL_PROCESS),
	ANSWER(ALLOW),
};

static struct sock_filter resume[] = {
	LOAD(nr),
	WHERE(restart_syscall, KILL_PROCESS),
	ANSWER(ALLOW),
};

static int
install(struct sock_filter *filter, size_t count)
{
	struct sock_fprog program = { (unsigned short)count, filter };

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static int
confine(const char *how)
{
	int r = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);

	if (!strcmp(how, "list"))
		return r | install(list, COUNT(list));
	if (!strcmp(how, "fails"))
		return r | install(fails, COUNT(fails));
	if (!strcmp(how, "asks"))
		return r | install(asks, COUNT(asks));
	if (!strcmp(how, "resume"))
		return r | install(resume, COUNT(resume));
	if (!strcmp(how, "two"))
		r |= install(fails, COUNT(fails));
	return r | install(some, COUNT(some));
}

__attribute__((noipa)) int
f(int x)
{
	return x + 1;
}

__attribute__((noipa)) int
g(int x)
{
	return x * 2 + 1;
}

/* Reads the next line; 0 at the end of the input. */
static int
hear(int limit)
{
	struct pollfd in = { .fd = 0, .events = POLLIN };
	char line[64];

	if (limit && poll(&in, 1, limit) != 1)
		return 0;
	return read(0, line, sizeof(line)) > 0;
}

int
main(int argc, char **argv)
{
	int limit = 0;

	if (argc != 2 || confine(argv[1]) != 0)
		return 3;
	if (!strcmp(argv[1], "resume"))
		limit = 600000;
	if (write(1, "ready\n", 6) != 6)
		return 4;
	while (hear(limit)) {
		for (int i = 0; i < 50; i++) {
			if (f(i) != i + 1 || g(i) != 2 * i + 1)
				_exit(2);
		}
		if (write(1, "done\n", 5) != 5)
			return 4;
	}
	_exit(7);
}
