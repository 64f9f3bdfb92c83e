/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What /proc tells about a process or thread (proc(5)), without changing it. */
#ifndef PROCESS_STATUS_H
#define PROCESS_STATUS_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* A signal in a mask, as the kernel and /proc have it. */
#define SIGNAL_BIT(signal) (UINT64_C(1) << ((signal)-1))
#define TRAP_BIT SIGNAL_BIT(SIGTRAP)

struct status {
	pid_t pid;	   /* Tgid */
	pid_t parent;	   /* PPid */
	pid_t tracer;	   /* TracerPid, 0 if none */
	char state;	   /* R S D T t Z X */
	uint64_t resident; /* bytes in memory (VmRSS) */
	bool has_memory;   /* false for kernel threads and zombies */
	uint64_t blocked, ignored, caught; /* SigBlk, SigIgn, SigCgt */
	uint64_t pending;  /* SigPnd: signals pending for the thread */
	uint64_t shared;   /* ShdPnd: signals pending for the process */
	bool shadow_stack; /* x86_Thread_features: shstk */
	int seccomp;	   /* 0 none, 1 strict, 2 filter */
};

/* Reads /proc/TID/status; tid may be any thread's id. Returns 0, -ESRCH, or the
 * error that prevents us from reading it (-EMFILE). */
must_check int status_read(pid_t tid, struct status *ret_status);

struct pids {
	vec_of(pid_t) list;
};

/* The threads that pid has now. Returns 0 or -ESRCH. */
must_check int status_threads(pid_t pid, struct pids *ret_tids);
/* When the process began, in ticks since the machine booted: a pid may be used
 * again, but not with the same time. Returns 0 or -ESRCH. */
must_check int status_started(pid_t pid, uint64_t *ret_ticks);
/* A thread of pid that has not ended. Through it /proc shows what all threads
 * share. This is the leader, unless it has ended before the others: then its
 * files are empty. If no thread is alive, pid itself. */
pid_t status_living(pid_t pid);
/* True if the process has ended, or is ending: no thread of it has memory. The
 * leader may have ended before the others. A kernel thread counts as ended. */
bool status_ended(pid_t pid);
/* True if every path leads to the same file for pid as for us. */
bool status_shares_root(pid_t pid);
/* All processes whose parent is pid. */
void status_children(pid_t pid, struct pids *ret_pids);
/* How many children of pid run a program: kernel threads and zombies do not
 * count. */
size_t status_child_count(pid_t pid);

/* All processes that /proc shows. */
void status_processes(struct pids *ret_pids);

struct arch;

/*
 * Where a thread blocks, and in which system call: /proc/PID/task/TID/syscall.
 * running is true if it does not block. Returns 0 or -errno.
 */
struct blocked {
	bool running;
	long number; /* -1: blocked outside of a system call */
	uint64_t arguments[6];
	addr_t sp, pc;
};
/* arch: the kind of the program. The number, and the arguments with it, are
 * translated by known_as() and waits_as() of its struct arch_system_call. */
must_check int status_blocked(const struct arch *arch, pid_t pid, pid_t tid,
			      struct blocked *ret);
/* Reads the content of the file that status_blocked() reads. A thread that is
 * being woken may look as if it blocked. */
void status_parse_blocked(const char *text, struct blocked *ret);

/*
 * Where a thread waits, for messages: its state, its system call, and the
 * function of the kernel, as far as /proc tells.
 */
#define STATUS_PLACE 120
void status_place(pid_t pid, pid_t tid, char *to, size_t room);

/* The size of the memory that a thread may write and that is private to its
 * process, in bytes: used or not, with the stacks. Returns 0 or -ESRCH: the
 * thread has ended, or has no memory any more. */
must_check int status_writable(pid_t tid, uint64_t *ret_bytes);

/* The kind of the program that the process runs, according to its file.
 * xtrace's own kind if the file cannot be read; NULL if xtrace does not know
 * the kind. */
const struct arch *status_arch(pid_t pid);

/* The program's name, for messages: comm, or "?". */
void status_name(pid_t pid, char *to, size_t room);

#endif
