/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The SIGTRAP action is changed by one injected rt_sigaction(2). Our action and
 * the program's are in the header of the handler area, where the handler reads
 * the program's action.
 *
 * If the program has its own action, our action uses the program's flags for
 * the alternate stack and for restarting system calls, because our handler lets
 * the program's handler run, except at our traps. There is one difference:
 * SIGTRAP is not blocked while the program's handler runs. Otherwise a trap in
 * that handler would kill the program after we have been killed.
 */
#include "breakpoints/action.h"

#include "base/log.h"
#include "breakpoints/outlive/sigaction.h"
#include "process/remote.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>

#define OF_PROGRAM ((uint64_t)(SA_ONSTACK | SA_RESTART))

#define FIELD(sites, name) \
	((sites)->survive.data + offsetof(struct inside_header, name))

_Static_assert(sizeof(siginfo_t) ==
		       sizeof(((struct inside_header *)NULL)->info),
	       "siginfo_t");

static int
call_sigaction(struct sites *sites, struct thread *thread, addr_t action,
	       addr_t before)
{
	if (!sites->survive.code)
		return -ENOENT;
	return survive_sigaction(&sites->survive, sites->table, thread,
				 sites->slots.scratch, action, before);
}

static bool
is_default(uint64_t handler)
{
	return handler == (uint64_t)(uintptr_t)SIG_DFL;
}

static bool
is_handler(uint64_t handler)
{
	return !is_default(handler) && handler != (uint64_t)(uintptr_t)SIG_IGN;
}

/* The flags of our action while `program` is the program's action. */
static uint64_t
flags_beside(const struct inside_action *program, uint64_t flags)
{
	flags |= OF_PROGRAM;
	if (is_handler(program->handler))
		flags &= ~(OF_PROGRAM & ~program->flags);
	return flags;
}

static int
take_action(struct sites *sites, struct thread *thread,
	    const struct inside_action *found)
{
	struct inside_header *header = &sites->survive.header;
	uint64_t flags = flags_beside(found, header->ours.flags);
	int r;

	debug("%d: SIGTRAP is handled by the program at %#lx",
	      thread->process->pid, (unsigned long)found->handler);
	header->program = *found;
	r = space_write(sites->space, FIELD(sites, program), found,
			sizeof(*found));
	if (r < 0 || flags == header->ours.flags)
		return r;
	header->ours.flags = flags;
	r = space_write(sites->space, FIELD(sites, ours), &header->ours,
			sizeof(header->ours));
	return r < 0 ? r : action_restore(sites, thread);
}

int
action_claim(struct sites *sites, struct thread *thread, const uint64_t *asked,
	     bool *ret_reset)
{
	struct inside_action found;
	int r = call_sigaction(sites, thread, FIELD(sites, ours),
			       FIELD(sites, found));

	if (r == 0)
		r = space_read_raw(sites->space, FIELD(sites, found), &found,
				   sizeof(found));
	if (r < 0)
		return r;
	/* The default action means that the kernel has reset the action at a
	 * trap of a thread that blocks SIGTRAP; the program has not asked for
	 * it. */
	*ret_reset = !asked && is_default(found.handler);
	if (*ret_reset)
		return 0;
	*ret_reset = asked && !is_default(*asked) && is_default(found.handler);
	if (*ret_reset)
		found.handler = *asked;
	if (found.handler == sites->survive.header.ours.handler)
		return 0;
	return take_action(sites, thread, &found);
}

int
action_clear(struct sites *sites)
{
	struct inside_header *header = &sites->survive.header;
	struct inside_action before;
	int r = action_of_program(sites, &before);

	if (r < 0)
		return r;
	header->program = (struct inside_action){
		.handler = is_handler(before.handler) ? 0 : before.handler,
	};
	header->ours.flags = flags_beside(&header->program, header->ours.flags);
	r = space_write(sites->space, FIELD(sites, program), &header->program,
			sizeof(header->program));
	return r < 0 ? r
		     : space_write(sites->space, FIELD(sites, ours),
				   &header->ours, sizeof(header->ours));
}

int
action_restore(struct sites *sites, struct thread *thread)
{
	return call_sigaction(sites, thread, FIELD(sites, ours), 0);
}

/*
 * Converts the siginfo of a sent signal to the form that the kernel reads from
 * a 32-bit program: the members behind si_code begin 4 bytes earlier, without a
 * gap, and si_value has 4 bytes (struct compat_siginfo in
 * include/linux/compat.h). Only si_fd is behind a long, si_band.
 */
static void
narrow_info(siginfo_t *info)
{
	uint8_t *bytes = (uint8_t *)info;
	const size_t from = offsetof(siginfo_t, si_pid);
	const size_t to = from - sizeof(uint32_t);
	const int32_t descriptor = info->si_fd;
	const bool has_descriptor = info->si_code == SI_SIGIO;

	memmove(bytes + to, bytes + from, 3 * sizeof(uint32_t));
	if (has_descriptor)
		memcpy(bytes + to + sizeof(uint32_t), &descriptor,
		       sizeof(descriptor));
}

/*
 * The siginfo needs ids as the tracee sees them; a thread in another PID
 * namespace has other ids there.
 */
int
action_send_again(struct sites *sites, struct thread *thread,
		  const siginfo_t *info)
{
	const struct stub_call who[] = { { .number = SYS_getpid },
					 { .number = SYS_gettid } };
	struct stub_call send = {
		.number = SYS_rt_tgsigqueueinfo,
		.arguments = { 0, 0, SIGTRAP, FIELD(sites, info) },
	};
	int64_t ids[2], result;
	siginfo_t sent = *info;
	int r;

	if (!sites->survive.code)
		return -ENOENT;
	if (sites->space->arch->word != sizeof(uint64_t))
		narrow_info(&sent);
	r = space_write(sites->space, FIELD(sites, info), &sent, sizeof(sent));
	if (r == 0)
		r = remote_run(sites->table, thread, sites->slots.scratch, who,
			       2, ids);
	if (r < 0)
		return r;
	send.arguments[0] = (uint64_t)ids[0];
	send.arguments[1] = (uint64_t)ids[1];
	r = remote_run(sites->table, thread, sites->slots.scratch, &send, 1,
		       &result);
	return r < 0 ? r : (int)result;
}

int
action_of_program(struct sites *sites, struct inside_action *ret_action)
{
	if (!sites->survive.code)
		return -ENOENT;
	return space_read_raw(sites->space, FIELD(sites, program), ret_action,
			      sizeof(*ret_action));
}
