/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * refuse WHAT ERRNO COMMAND...: runs a command to which the kernel refuses one
 * thing with this errno. See refused.py.
 */
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

/*
 * A system call that is refused if the argument with the number `argument`,
 * under the mask, equals `value`. If the mask is 0, each such call is refused.
 */
static const struct refusal {
	const char *name;
	unsigned number, argument, mask, value;
} refusals[] = {
	{ "process_vm_readv", SYS_process_vm_readv, 0, 0, 0 },
	{ "PTRACE_SEIZE", SYS_ptrace, 0, ~0u, PTRACE_SEIZE },
	{ "PTRACE_GETREGSET", SYS_ptrace, 0, ~0u, PTRACE_GETREGSET },
	{ "memfd_create", SYS_memfd_create, 0, 0, 0 },
	/*
	 * A filter cannot see the path. Of all files that xtrace opens, only
	 * /proc/PID/mem is opened for reading and writing.
	 */
	{ "/proc/PID/mem", SYS_openat, 2, O_ACCMODE, O_RDWR },
	{ "sched_setaffinity", SYS_sched_setaffinity, 0, 0, 0 },
	{ "kcmp", SYS_kcmp, 0, 0, 0 },
	{ "nothing", ~0u, 0, 0, 0 },
};

#define OFFSET(field) ((unsigned)offsetof(struct seccomp_data, field))

static int
install(const struct refusal *r, unsigned code)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, OFFSET(nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, r->number, 0, 4),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 OFFSET(args) + 8 * r->argument),
		BPF_STMT(BPF_ALU | BPF_AND | BPF_K, r->mask),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, r->value, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | code),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { sizeof(filter) / sizeof(*filter),
				      filter };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int
main(int argc, char **argv)
{
	size_t i = 0;

	while (argc > 3 && strcmp(refusals[i].name, argv[1]) != 0)
		i++;
	if (argc < 4 || install(&refusals[i], (unsigned)atoi(argv[2])) < 0) {
		perror("refuse");
		return 99;
	}
	execv(argv[3], argv + 3);
	return 98;
}
