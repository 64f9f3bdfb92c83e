/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads /proc/PID/status and similar files. Fields that a kernel does not have
 * stay zero.
 */
#include "process/status.h"

#include "arch/arch.h"
#include "base/fd.h"
#include "base/reader.h"
#include "base/xmalloc.h"

#include <dirent.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

/* How often the children of a process are read, until two readings are
 * equal. */
#define TRIES_MOST 10

/* The text after "Name:\t" in a status file, or NULL. */
static const char *
field(const char *text, const char *name)
{
	size_t length = strlen(name);

	while (text && *text) {
		if (!strncmp(text, name, length) && text[length] == ':')
			return text + length + 1 +
			       strspn(text + length + 1, " \t");
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return NULL;
}

static long
number(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? strtol(value, NULL, 10) : 0;
}

static uint64_t
mask(const char *text, const char *name)
{
	const char *value = field(text, name);

	return value ? strtoull(value, NULL, 16) : 0;
}

static bool
has_shadow_stack(const char *text)
{
	const char *value = field(text, "x86_Thread_features");
	const char *end = value ? strchr(value, '\n') : NULL;
	const char *word = value ? strstr(value, "shstk") : NULL;

	return word && end && word < end;
}

int
status_read(pid_t tid, struct status *ret_status)
{
	cleanup(freep) char *text = NULL;
	char path[64];
	const char *state;
	int r;

	snprintf(path, sizeof(path), "/proc/%d/status", tid);
	r = fd_read_file(path, &text, NULL);
	if (r < 0)
		return r == -EMFILE || r == -ENFILE ? r : -ESRCH;
	state = field(text, "State");
	*ret_status = (struct status){
		.pid = (pid_t)number(text, "Tgid"),
		.parent = (pid_t)number(text, "PPid"),
		.tracer = (pid_t)number(text, "TracerPid"),
		.state = state ? state[0] : '?',
		.resident = (uint64_t)number(text, "VmRSS") * 1024,
		.has_memory = field(text, "VmSize") != NULL,
		.blocked = mask(text, "SigBlk"),
		.ignored = mask(text, "SigIgn"),
		.caught = mask(text, "SigCgt"),
		.pending = mask(text, "SigPnd"),
		.shared = mask(text, "ShdPnd"),
		.shadow_stack = has_shadow_stack(text),
		.seccomp = (int)number(text, "Seccomp"),
	};
	return 0;
}

static int
read_numbers(const char *path, struct pids *ret_pids)
{
	DIR *directory = opendir(path);
	struct dirent *entry;

	if (!directory)
		return -ESRCH;
	while ((entry = readdir(directory))) {
		pid_t pid = atoi(entry->d_name);

		if (pid > 0)
			vec_push(&ret_pids->list, pid);
	}
	closedir(directory);
	return 0;
}

int
status_threads(pid_t pid, struct pids *ret_tids)
{
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	return read_numbers(path, ret_tids);
}

static bool
lives(pid_t tid)
{
	struct status status;

	return status_read(tid, &status) == 0 && status.state != 'Z' &&
	       status.state != 'X';
}

pid_t
status_living(pid_t pid)
{
	struct pids tids = { 0 };
	pid_t found = pid;

	if (lives(pid) || status_threads(pid, &tids) < 0)
		return pid;
	for (size_t i = 0; i < tids.list.count && found == pid; i++) {
		if (lives(tids.list.at[i]))
			found = tids.list.at[i];
	}
	vec_release(&tids.list);
	return found;
}

bool
status_ended(pid_t pid)
{
	struct status status;

	return status_read(status_living(pid), &status) < 0 ||
	       !status.has_memory;
}

static bool
stat_root(const char *path, struct statx *ret_root)
{
	return statx(AT_FDCWD, path, 0, STATX_INO | STATX_MNT_ID, ret_root) ==
		       0 &&
	       (ret_root->stx_mask & STATX_MNT_ID);
}

/* A mount has another id in each mount namespace (statx(2), STATX_MNT_ID, since
 * Linux 5.8). */
bool
status_shares_root(pid_t pid)
{
	struct statx ours, theirs;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/root", pid);
	return stat_root("/", &ours) && stat_root(path, &theirs) &&
	       ours.stx_mnt_id == theirs.stx_mnt_id &&
	       ours.stx_ino == theirs.stx_ino;
}

/* Reads the children of all threads of pid once. -ESRCH if pid has no threads,
 * another error if the kernel does not tell children (CONFIG_PROC_CHILDREN). */
static int
look_for_children(pid_t pid, struct pids *ret_pids)
{
	struct pids tids = { 0 };
	int r = status_threads(pid, &tids);

	for (size_t i = 0; i < tids.list.count && r == 0; i++) {
		cleanup(freep) char *text = NULL;
		char path[64], *end;

		snprintf(path, sizeof(path), "/proc/%d/task/%d/children", pid,
			 tids.list.at[i]);
		r = fd_read_file(path, &text, NULL);
		for (char *at = text; r == 0 && *at; at = end + (*end == ' '))
			vec_push(&ret_pids->list, (pid_t)strtol(at, &end, 10));
		/* A thread that has ended is left out. */
		if (r < 0 && access("/proc/thread-self/children", R_OK) == 0)
			r = 0;
	}
	vec_release(&tids.list);
	return r;
}

static bool
same_pids(const struct pids *one, const struct pids *other)
{
	return one->list.count == other->list.count &&
	       (one->list.count == 0 ||
		!memcmp(one->list.at, other->list.at,
			one->list.count * sizeof(pid_t)));
}

static void
walk_for_children(pid_t pid, struct pids *ret_pids)
{
	struct pids all = { 0 };

	if (read_numbers("/proc", &all) < 0)
		return;
	for (size_t i = 0; i < all.list.count; i++) {
		struct status status;

		if (status_read(all.list.at[i], &status) == 0 &&
		    status.parent == pid)
			vec_push(&ret_pids->list, all.list.at[i]);
	}
	vec_release(&all.list);
}

/*
 * One reading may miss a child if another one ends meanwhile (proc(5)). Two
 * equal readings have missed none.
 */
void
status_children(pid_t pid, struct pids *ret_pids)
{
	struct pids before = { 0 };
	bool equal = false;
	int r = 0;

	for (unsigned i = 0; i < TRIES_MOST && !equal && r == 0; i++) {
		struct pids now = { 0 };

		r = look_for_children(pid, &now);
		equal = i > 0 && same_pids(&before, &now);
		vec_release(&before.list);
		before = now;
	}
	for (size_t i = 0; i < before.list.count && equal; i++)
		vec_push(&ret_pids->list, before.list.at[i]);
	vec_release(&before.list);
	if (!equal && r != -ESRCH)
		walk_for_children(pid, ret_pids);
}

size_t
status_child_count(pid_t pid)
{
	struct pids children = { 0 };
	size_t count = 0;

	status_children(pid, &children);
	for (size_t i = 0; i < children.list.count; i++) {
		struct status status;

		count += status_read(children.list.at[i], &status) == 0 &&
			 status.has_memory;
	}
	vec_release(&children.list);
	return count;
}

void
status_processes(struct pids *ret_pids)
{
	if (read_numbers("/proc", ret_pids) < 0)
		return;
}

/* The state, behind the name, is field 3; the time is field 22 (proc(5)). */
int
status_started(pid_t pid, uint64_t *ret_ticks)
{
	cleanup(freep) char *text = NULL;
	char path[64];
	char *at;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	if (fd_read_file(path, &text, NULL) < 0)
		return -ESRCH;
	at = strrchr(text, ')');
	for (int field = 2; at && field < 22; field++)
		at = strchr(at + 1, ' ');
	if (!at)
		return -ESRCH;
	*ret_ticks = strtoull(at, NULL, 10);
	return 0;
}

/*
 * While a thread is being woken, its state is R, but /proc may still tell its
 * system call as if the thread waited there (seen with Linux 6.18).
 */
static bool
is_woken(pid_t pid, pid_t tid)
{
	cleanup(freep) char *text = NULL;
	const char *name_end;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%d/task/%d/stat", pid, tid);
	if (fd_read_file(path, &text, NULL) < 0)
		return false;
	name_end = strrchr(text, ')');
	return name_end && !strncmp(name_end, ") R", 3);
}

/* A line of /proc/PID/task/TID/syscall has the number of the system call, six
 * arguments, the stack pointer and the pc; or -1, the stack pointer and the
 * pc. */
void
status_parse_blocked(const char *text, struct blocked *ret)
{
	struct blocked blocked = { .number = -1 };
	char *rest;

	blocked.running = !strncmp(text, "running", 7);
	if (!blocked.running) {
		blocked.number = strtol(text, &rest, 10);
		for (int i = 0; i < 6 && blocked.number >= 0; i++)
			blocked.arguments[i] = strtoull(rest, &rest, 16);
		blocked.sp = strtoull(rest, &rest, 16);
		blocked.pc = strtoull(rest, &rest, 16);
	}
	*ret = blocked;
}

/* Reads the memory of a process that need not be traced. */
struct process_reader {
	struct reader reader;
	pid_t tid;
};

static int
read_process(struct reader *reader, addr_t from, void *to, size_t length)
{
	const struct process_reader *of =
		container_of(reader, struct process_reader, reader);
	const struct iovec here = { to, length };
	const struct iovec there = { (void *)(uintptr_t)from, length };

	return process_vm_readv(of->tid, &here, 1, &there, 1, 0) ==
			       (ssize_t)length
		       ? 0
		       : -EFAULT;
}

/* Translates the call to xtrace's own call that waits in the same way. */
static void
translate(const struct arch_system_call *call, pid_t tid,
	  struct blocked *blocked)
{
	struct process_reader memory = { { .read = read_process }, tid };

	blocked->number = call->waits_as(call->known_as(blocked->number),
					 blocked->arguments, &memory.reader);
}

int
status_blocked(const struct arch *arch, pid_t pid, pid_t tid,
	       struct blocked *ret)
{
	static const struct blocked running = { .running = true, .number = -1 };
	cleanup(freep) char *text = NULL;
	char path[64];
	int r;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/syscall", pid, tid);
	r = fd_read_file(path, &text, NULL);
	if (r < 0)
		return r;
	status_parse_blocked(text, ret);
	if (ret->number >= 0)
		translate(arch->system_call, tid, ret);
	if (!ret->running && is_woken(pid, tid))
		*ret = running;
	return 0;
}

void
status_place(pid_t pid, pid_t tid, char *to, size_t room)
{
	cleanup(freep) char *function = NULL;
	struct blocked blocked = { .number = -1 };
	struct status status = { .state = '?' };
	char path[64], call[40] = "";

	if (status_read(tid, &status) < 0 ||
	    status_blocked(arch_of_host(), pid, tid, &blocked) < 0)
		blocked.number = -1;
	if (!blocked.running && blocked.number >= 0)
		snprintf(call, sizeof(call), ", system call %ld",
			 blocked.number);
	snprintf(path, sizeof(path), "/proc/%d/task/%d/wchan", pid, tid);
	if (fd_read_file(path, &function, NULL) < 0 || *function == '0')
		snprintf(to, room, "state %c%s", status.state, call);
	else
		snprintf(to, room, "state %c%s, in %s", status.state, call,
			 function);
}

/* The fields of statm are numbers of pages. Field 1 is the size of all
 * mappings. Field 6 is the data and the stacks (proc(5)): the kernel adds up
 * the mappings that are private and writable. */
int
status_writable(pid_t tid, uint64_t *ret_bytes)
{
	cleanup(freep) char *text = NULL;
	uint64_t fields[6] = { 0 };
	char path[64], *at;

	snprintf(path, sizeof(path), "/proc/%d/statm", tid);
	if (fd_read_file(path, &text, NULL) < 0)
		return -ESRCH;
	at = text;
	for (size_t i = 0; i < 6; i++)
		fields[i] = strtoull(at, &at, 10);
	if (fields[0] == 0)
		return -ESRCH;
	*ret_bytes = fields[5] * (uint64_t)sysconf(_SC_PAGESIZE);
	return 0;
}

void
status_name(pid_t pid, char *to, size_t room)
{
	cleanup(freep) char *text = NULL;
	char path[64];
	size_t length;

	snprintf(path, sizeof(path), "/proc/%d/comm", pid);
	if (fd_read_file(path, &text, NULL) < 0)
		text = xstrdup("?");
	/* The name may contain newlines, so only the last byte is removed. */
	length = strlen(text);
	if (length > 0 && text[length - 1] == '\n')
		text[length - 1] = '\0';
	snprintf(to, room, "%s", text);
}

const struct arch *
status_arch(pid_t pid)
{
	Elf32_Ehdr header = { .e_type = ET_NONE };
	cleanup(fd_closep) int fd = -1;
	char path[64];

	/* The members up to e_machine are the same in the headers of both
	 * classes. */
	snprintf(path, sizeof(path), "/proc/%d/exe", status_living(pid));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || read(fd, &header, sizeof(header)) != sizeof(header))
		return arch_of_host();
	return arch_of_program(header.e_ident, header.e_machine);
}
