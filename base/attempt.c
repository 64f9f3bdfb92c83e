/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A failure goes back into attempt() with siglongjmp(3), also from a signal
 * handler on its separate stack, which Linux allows (sigaltstack(2)).
 *
 * assert(3) calls __assert_fail() (Linux Standard Base Core 5.0,
 * "__assert_fail"). The definition here replaces glibc's, for libraries too. It
 * allocates nothing, while glibc's prints "Unexpected error." if it has no
 * memory for its message.
 *
 * attempt_hurry() comes at any moment. If libc's code is interrupted, malloc()
 * may hold its lock, and xtrace's own data may be half changed if its own code
 * is. So the attempt is ended only while the code of a few libraries runs. They
 * take no lock that is needed later.
 */
#include "base/attempt.h"

#include "base/addr.h"
#include "base/die.h"

#include <assert.h>
#include <link.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define READERS_MOST 8

/* The addresses of a library that reads debug information. */
struct reader_code {
	uintptr_t begin, end;
};

static _Thread_local sigjmp_buf *innermost;
static _Thread_local bool hurried;
static _Thread_local struct reader_code readers[READERS_MOST];
static _Thread_local size_t reader_count;

static bool
is_reader(const char *path)
{
	static const char *const names[] = { "libdw.",	 "libdw-", "libelf.",
					     "libelf-",	 "libz.",  "liblzma.",
					     "libzstd.", "libbz2." };
	const char *slash = strrchr(path, '/');

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strncmp(slash ? slash + 1 : path, names[i],
			     strlen(names[i])))
			return true;
	}
	return false;
}

static int
note_reader(struct dl_phdr_info *info, size_t size, void *argument)
{
	(void)size;
	(void)argument;
	if (!is_reader(info->dlpi_name))
		return 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type == PT_LOAD && (part->p_flags & PF_X) != 0 &&
		    reader_count < READERS_MOST)
			readers[reader_count++] =
				(struct reader_code){ begin,
						      begin + part->p_memsz };
	}
	return 0;
}

static void
catch_fault(uintptr_t address, uintptr_t pc)
{
	if (innermost && address < ADDR_PAGE && !die_is_own_code(pc))
		siglongjmp(*innermost, 1);
}

bool
attempt(void (*run)(void *argument), void *argument)
{
	sigjmp_buf *const outer = innermost;
	sigjmp_buf back;

	/* The second argument makes sigsetjmp(3) save the mask, because a
	 * signal handler has a mask of its own. */
	if (sigsetjmp(back, 1)) {
		innermost = outer;
		return false;
	}
	die_catch_by(catch_fault);
	if (!reader_count)
		dl_iterate_phdr(note_reader, NULL);
	innermost = &back;
	run(argument);
	innermost = outer;
	return true;
}

void
attempt_fail(void)
{
	if (innermost)
		siglongjmp(*innermost, 1);
	die("out of memory");
}

void
attempt_hurry(const void *context)
{
	uintptr_t pc = die_pc(context);

	for (size_t i = 0; innermost && i < reader_count; i++) {
		if (pc >= readers[i].begin && pc < readers[i].end) {
			hurried = true;
			siglongjmp(*innermost, 1);
		}
	}
}

bool
attempt_hurried(void)
{
	return hurried;
}

void
__assert_fail(const char *expression, const char *file, unsigned line,
	      const char *function)
{
	char text[512];

	if (innermost &&
	    !die_is_own_code((uintptr_t)__builtin_return_address(0)))
		siglongjmp(*innermost, 1);
	snprintf(text, sizeof(text),
		 "xtrace: %s:%u: %s: Assertion `%s' failed.\n", file, line,
		 function, expression);
	die_say(text);
	abort();
}
