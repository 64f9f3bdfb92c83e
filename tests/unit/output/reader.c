/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text is written to a file first, because popen(3) connects only one end
 * of the script. Standard error counts as output, too. */
#include "reader.h"

#include "base/fd.h"
#include "tests/unit/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void
reader_expect_silence(const char *script, const char *text)
{
	char path[] = "/tmp/xtrace-json-XXXXXX", command[192], said[4096];
	int file = mkstemp(path);
	size_t length;
	FILE *pipe;

	ck_assert_int_eq(fd_write_all(file, text, strlen(text)), 0);
	close(file);
	snprintf(command, sizeof(command),
		 "/usr/bin/python3 tests/unit/output/%s <%s 2>&1", script,
		 path);
	pipe = popen(command, "r");
	ck_assert_ptr_nonnull(pipe);
	length = fread(said, 1, sizeof(said) - 1, pipe);
	said[length] = '\0';
	ck_assert_int_eq(pclose(pipe), 0);
	unlink(path);
	ck_assert_msg(length == 0, "%s said\n%s", script, said);
}
