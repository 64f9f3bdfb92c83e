/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Injects system calls into a tracee: mmap for the slots, sigaction for the
 * handler that remains if we are killed. If we are killed at any point, the
 * thread restores itself (arch/stub.h).
 */
#ifndef PROCESS_REMOTE_H
#define PROCESS_REMOTE_H

#include "arch/stub.h"
#include "base/attr.h"
#include "process/thread.h"

/*
 * Makes the stopped thread run the calls. Afterwards it is stopped again, and
 * resumes with its registers as they are set now (thread_set_pc). scratch:
 * STUB_ROOM bytes of executable memory that no thread runs; their content is
 * restored. results: what each call returned, in the kernel's form (-errno).
 *
 * Returns 0; -ESRCH; -EPERM if remote_allowed() fails; -EBUSY if the thread
 * cannot be used now (it is in a system call that must not be interrupted);
 * -EFAULT if the calls could not be reached, and the thread is unchanged.
 *
 * If the wait is late (wait_late()) the calls are given up: -EBUSY. The thread
 * is then still in their code and leaves it by itself. Until remote_end(), no
 * call can be injected into that space, and what is mapped there must stay.
 */
must_check int remote_run(struct table *table, struct thread *thread,
			  addr_t scratch, const struct stub_call *calls,
			  size_t count, int64_t *results);

/*
 * True if some thread of the space is still in the code of calls that were
 * given up.
 */
bool remote_given_up(const struct table *table, const struct space *space);

/*
 * Returns 0 if the stopped thread may run these calls; -ESRCH; -EPERM if it has
 * a seccomp policy that might not simply allow them.
 */
must_check int remote_allowed(const struct thread *thread,
			      const struct stub_call *calls, size_t count);

/*
 * The thread, whose injected call was given up (thread->given_up), has this
 * stop. Returns true if the call is over: the registers and the mask of the
 * thread are its own again, the bytes of the stub are restored, and given_up is
 * NULL. False if the thread must run on to its next system call.
 */
must_check bool remote_end(struct table *table, struct thread *thread,
			   const struct stop *stop);

#endif
