/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the copy, and reads the mask that the kernel has for it. The tests
 * compare this mask. */
#include "tests/unit/tracer/masked.h"

#include "tests/unit/checks.h"
#include "process/regs.h"
#include "tests/unit/live/tracee.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/sigtrap/sigtrap_parts.h"

#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct masked masked;

TARGET static int
unit_masked(int number)
{
	return number;
}

static void
set_all(void)
{
	const uint64_t all = ALL;

	unit_masked(1);
	syscall(SYS_rt_sigprocmask, SIG_SETMASK, &all, NULL, sizeof(all));
	for (;;)
		syscall(SYS_getppid);
}

void
masked_stop(void)
{
	masked.thread = inject_stop(&masked.stage.session, masked.stage.pid);
	ck_assert_ptr_nonnull(masked.thread);
	thread_mend_interrupted(&masked.stage.session.table, masked.thread);
}

void
masked_open(void (*run)(void))
{
	stage_open(&masked.stage, "-x unit_masked", NULL, run);
	masked.thread =
		table_thread(&masked.stage.session.table, masked.stage.pid);
	ck_assert_ptr_nonnull(masked.thread);
	masked.record = session_record(&masked.stage.session, masked.thread);
	masked.program = session_program(&masked.stage.session,
					 masked.thread->process->space);
	ck_assert_uint_ne(masked.program->sites.survive.code, 0);
	masked.own = &masked.record->sigtrap->mask;
}

void
masked_open_stopped(void)
{
	masked_open(set_all);
	masked_stop();
}

void
masked_close(void)
{
	free(stage_close(&masked.stage));
}

void
masked_set(uint64_t mask)
{
	ck_assert_int_eq(thread_set_signal_mask(masked.thread, mask), 0);
}

uint64_t
masked_in_kernel(void)
{
	uint64_t mask;

	ck_assert_int_eq(thread_signal_mask(masked.thread, &mask), 0);
	return mask;
}

void
masked_catches(bool is)
{
	masked.program->sites.survive.header.program.handler = is ? 0x1000 : 0;
}
