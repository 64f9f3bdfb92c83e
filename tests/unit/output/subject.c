/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory begins at BASE, an address that this test does not have. Reads
 * outside of it fail as in a process. */
#include "subject.h"

#include "arch/regs.h"
#include "base/arena.h"
#include "base/reader.h"
#include "base/xmalloc.h"
#include "conf/parse/parse.h"
#include "values/capture.h"
#include "values/fetch.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define BASE 0x27bc000u
#define ROOM 4096u

struct subject {
	struct reader reader;
	struct registers registers;
	struct regs regs;
	struct library *library;
	struct arena arena;
	struct capture entry;
	struct capture exit;
	char memory[ROOM];
	size_t used;
};

static int
read_memory(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct subject *subject = container_of(reader, struct subject, reader);

	if (from < BASE || length > ROOM || from - BASE > ROOM - length)
		return -EFAULT;
	memcpy(to, subject->memory + (from - BASE), length);
	return 0;
}

static const struct vregs *
no_vregs(struct registers *registers)
{
	(void)registers;
	return NULL;
}

struct subject *
subject_new(const char *prototypes)
{
	struct subject *subject = xcalloc(1, sizeof(*subject));
	struct complaints complaints = { 0 };

	subject->reader.read = read_memory;
	subject->registers.regs = &subject->regs;
	subject->registers.vregs = no_vregs;
	subject->library = library_parse("subject.conf", prototypes,
					 strlen(prototypes), NULL, &complaints);
	arena_init(&subject->arena);
	/* The first 256 bytes are the stack. */
	subject->used = 256;
	subject->regs.gpr.rsp = BASE;
	return subject;
}

void
subject_free(struct subject *subject)
{
	library_free(subject->library);
	arena_release(&subject->arena);
	free(subject);
}

addr_t
subject_put(struct subject *subject, const void *bytes, size_t length)
{
	addr_t at = BASE + subject->used;

	ck_assert_uint_le(subject->used + length, ROOM);
	memcpy(subject->memory + subject->used, bytes, length);
	subject->used = (subject->used + length + 15) & ~(size_t)15;
	return at;
}

addr_t
subject_text(struct subject *subject, const char *text)
{
	return subject_put(subject, text, strlen(text) + 1);
}

void
subject_change(struct subject *subject, addr_t at, const void *bytes,
	       size_t length)
{
	memcpy(subject->memory + (at - BASE), bytes, length);
}

void
subject_enter(struct subject *subject, struct event_call *call,
	      const uint64_t arguments[6])
{
	struct user_regs_struct *gpr = &subject->regs.gpr;

	gpr->rdi = arguments[0];
	gpr->rsi = arguments[1];
	gpr->rdx = arguments[2];
	gpr->rcx = arguments[3];
	gpr->r8 = arguments[4];
	gpr->r9 = arguments[5];
	capture_init(&subject->entry, &subject->reader, &subject->arena);
	call->arguments =
		arguments_fetch(library_proto(subject->library, call->name),
				&subject->registers, &subject->entry,
				&subject->arena);
}

void
subject_leave_entry(struct subject *subject)
{
	capture_seal(&subject->entry);
}

void
subject_return(struct subject *subject, struct event_call *call,
	       uint64_t result)
{
	subject->regs.gpr.rax = result;
	capture_init(&subject->exit, &subject->reader, &subject->arena);
	call->result = arguments_result(call->arguments, &subject->registers,
					&subject->exit);
}
