/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * struct inside_action is the kernel's struct for 64-bit programs. For 32-bit
 * programs the kernel has three words of 4 bytes and then the mask, without a
 * gap (struct compat_sigaction in include/linux/compat.h). Such a struct is
 * written to, and read from, the member `found` of the handler area's header.
 */
#include "breakpoints/outlive/sigaction.h"

#include "process/remote.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

#define SIGSET_SIZE 8
#define WORDS 3u /* the handler, the flags, the restorer */

_Static_assert(offsetof(struct inside_action, mask) == WORDS * sizeof(uint64_t),
	       "the mask is behind the words");

static int
call_kernel(struct table *table, struct thread *thread, addr_t scratch,
	    addr_t action, addr_t before)
{
	const struct stub_call call = {
		.number = SYS_rt_sigaction,
		.arguments = { SIGTRAP, action, before, SIGSET_SIZE },
	};
	int64_t result;
	int r = remote_run(table, thread, scratch, &call, 1, &result);

	return r < 0 ? r : (int)result;
}

int
sigaction_write(struct space *space, addr_t to,
		const struct inside_action *action)
{
	const unsigned word = space->arch->word;
	uint64_t wide[WORDS + 1];
	uint8_t bytes[sizeof(wide)];

	memcpy(wide, action, sizeof(wide));
	for (unsigned i = 0; i < WORDS; i++)
		memcpy(bytes + i * word, &wide[i], word);
	memcpy(bytes + WORDS * word, &wide[WORDS], sizeof(wide[WORDS]));
	return space_write(space, to, bytes,
			   WORDS * word + sizeof(wide[WORDS]));
}

/* Writes the struct inside_action at `from` to `to`, in the program's form. */
static int
narrow(struct space *space, addr_t from, addr_t to)
{
	struct inside_action action;
	int r = space_read_raw(space, from, &action, sizeof(action));

	return r < 0 ? r : sigaction_write(space, to, &action);
}

/* The reverse of narrow(). */
static int
widen(struct space *space, unsigned word, addr_t from, addr_t to)
{
	uint64_t wide[WORDS + 1] = { 0 };
	uint8_t bytes[sizeof(wide)];
	int r = space_read_raw(space, from, bytes,
			       WORDS * word + sizeof(wide[WORDS]));

	if (r < 0)
		return r;
	for (unsigned i = 0; i < WORDS; i++)
		memcpy(&wide[i], bytes + i * word, word);
	memcpy(&wide[WORDS], bytes + WORDS * word, sizeof(wide[WORDS]));
	return space_write(space, to, wide, sizeof(wide));
}

int
survive_sigaction(struct survive *survive, struct table *table,
		  struct thread *thread, addr_t scratch, addr_t action,
		  addr_t before)
{
	const addr_t found =
		survive->data + offsetof(struct inside_header, found);
	struct space *space = thread->process->space;
	const unsigned word = space->arch->word;
	int r = 0;

	if (word == sizeof(uint64_t))
		return call_kernel(table, thread, scratch, action, before);
	if (action)
		r = narrow(space, action, found);
	if (r == 0)
		r = call_kernel(table, thread, scratch, action ? found : 0,
				before ? found : 0);
	if (r == 0 && before)
		r = widen(space, word, found, before);
	return r;
}
