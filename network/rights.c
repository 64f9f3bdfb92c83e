/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Three limits, each of which would be enough to keep the process from tracing
 * another one, except on systems that lack it:
 *
 *	user		root becomes nobody, without groups and capabilities
 *	Landlock	no process outside of our domain can be traced or read
 *			(landlock(7)), and no file can be written; Linux 5.13
 *	seccomp		the calls with which processes are traced or programs
 *			run fail with EPERM
 *
 * Files can still be read, because libcurl reads certificates and the addresses
 * of name servers.
 */
#include "network/rights.h"

#include "arch/arch.h"
#include "base/log.h"

#include <errno.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The user and group without rights (nobody, nogroup), on every Debian. */
#define NOBODY 65534

/* ---- the user ------------------------------------------------------------ */

static int
drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { { 0, 0, 0 }, { 0, 0, 0 } };

	return syscall(SYS_capset, &header, none) < 0 ? -errno : 0;
}

/* A user namespace may have no number for nobody. Then root stays, without
 * capabilities. */
static void
become_nobody(void)
{
	if (geteuid() != 0)
		return;
	if (setgroups(0, NULL) < 0 || setresgid(NOBODY, NOBODY, NOBODY) < 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) < 0)
		debug("root stays: %d", errno);
}

/* ---- Landlock ------------------------------------------------------------ */

/* All of struct landlock_ruleset_attr; older headers lack its end. */
struct ruleset {
	uint64_t files, ports, scopes;
};

#define FILES                                                             \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |     \
	 LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | \
	 LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |     \
	 LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |     \
	 LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |   \
	 LANDLOCK_ACCESS_FS_MAKE_SYM)
/* LANDLOCK_SCOPE_SIGNAL, of version 6 */
#define SCOPE_SIGNAL (UINT64_C(1) << 1)
#define SCOPES_SINCE 6

/* No rule allows an access, so each access that the ruleset names is refused.
 */
static int
landlock(void)
{
	long version = syscall(SYS_landlock_create_ruleset, NULL, 0,
			       LANDLOCK_CREATE_RULESET_VERSION);
	struct ruleset rules = { .files = FILES };
	size_t size = sizeof(rules.files);
	int descriptor, r;

	if (version < 1)
		return version < 0 ? -errno : -ENOSYS;
	if (version >= SCOPES_SINCE) {
		rules.scopes = SCOPE_SIGNAL;
		size = sizeof(rules);
	}
	descriptor = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
	if (descriptor < 0)
		return -errno;
	r = syscall(SYS_landlock_restrict_self, descriptor, 0) < 0 ? -errno : 0;
	close(descriptor);
	return r;
}

/* ---- seccomp ------------------------------------------------------------- */

static const uint32_t refused[] = {
	SYS_ptrace,
	SYS_process_vm_readv,
	SYS_process_vm_writev,
	SYS_pidfd_getfd,
	SYS_pidfd_open,
	SYS_perf_event_open,
	SYS_bpf,
	SYS_execve,
	SYS_execveat,
	SYS_kill,
	SYS_tkill,
	SYS_pidfd_send_signal,
};

#define REFUSED (sizeof(refused) / sizeof(refused[0]))
/* Numbers from here on belong to another ABI of the same CPU. */
#define OTHER_ABI UINT32_C(0x40000000)

#define LOAD(member)                       \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, \
		 offsetof(struct seccomp_data, member))
#define JUMP(test, value, yes, no) \
	BPF_JUMP(BPF_JMP | (test) | BPF_K, (value), (yes), (no))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))

static int
forbid_calls(void)
{
	struct sock_filter filter[REFUSED + 6] = {
		LOAD(arch),
		JUMP(BPF_JEQ, arch_of_host()->audit, 0, REFUSED + 3),
		LOAD(nr),
		JUMP(BPF_JGE, OTHER_ABI, REFUSED + 1, 0),
	};
	struct sock_fprog program = { .len = REFUSED + 6, .filter = filter };

	/* The filter compares the call with each row of the list. If they are
	 * equal, it jumps to its last instruction, which refuses the call. */
	for (unsigned i = 0; i < REFUSED; i++)
		filter[4 + i] =
			(struct sock_filter)JUMP(BPF_JEQ, refused[i],
						 (uint8_t)(REFUSED - i), 0);
	filter[4 + REFUSED] = (struct sock_filter)ANSWER(SECCOMP_RET_ALLOW);
	filter[5 + REFUSED] =
		(struct sock_filter)ANSWER(SECCOMP_RET_ERRNO | EPERM);
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) < 0 ? -errno
									: 0;
}

int
rights_drop(void)
{
	int locked, forbidden, r;

	become_nobody();
	r = drop_capabilities();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	locked = landlock();
	forbidden = forbid_calls();
	debug("rights: capabilities %d, Landlock %d, seccomp %d", r, locked,
	      forbidden);
	/* Without seccomp, Landlock still keeps us from tracing; without
	 * Landlock, seccomp does. */
	if (r < 0)
		return r;
	return locked < 0 && forbidden < 0 ? forbidden : 0;
}
