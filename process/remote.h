/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Borrowing a tracee for a system call: mmap for the slots, sigaction for the
 * handler that outlives us. At any point we may be killed and the thread
 * still puts itself right (arch/stub).
 */
#ifndef PROCESS_REMOTE_H
#define PROCESS_REMOTE_H

#include "arch/stub.h"
#include "base/attr.h"
#include "process/thread.h"

/*
 * Makes the stopped thread do the calls; its registers as they are set now
 * (thread_set_pc) are those it resumes with, and it is stopped with them when
 * this returns. scratch: STUB_ROOM bytes of executable memory that no thread
 * runs; what stands there is put back. results: what each call returned, as
 * the kernel does (-errno).
 *
 * 0; -ESRCH; -EPERM where remote_allowed() says so; -EBUSY where the
 * thread cannot be used now (within a system call that must not be touched);
 * -EFAULT where the calls could not be reached, with the thread as it was.
 *
 * When it is late (wait_late()) the calls are given up: -EBUSY. The thread is
 * then still in the code of them and comes out of it by itself, so no call can
 * be made in that space any more, and what is mapped there must stay.
 */
must_check int remote_run(struct table *table, struct thread *thread,
			  addr_t scratch, const struct stub_call *calls,
			  size_t count, int64_t *results);

/* Is a thread of the space in such code? */
bool remote_given_up(const struct table *table, const struct space *space);

/*
 * May the stopped thread be made to do these calls? 0; -ESRCH; -EPERM where it
 * has a seccomp policy that may do anything but make them.
 */
must_check int remote_allowed(const struct thread *thread,
			      const struct stub_call *calls, size_t count);

#endif
