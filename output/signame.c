/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The C library knows the names (glibc 2.32 and later), except for real-time
 * signals. The C library reserves a few of these, so that SIGRTMIN is a
 * function call. What SIGRTMIN is for a tracee depends on the tracee's C
 * library.
 */
#include "output/signame.h"

#include <signal.h>
#include <string.h>

void
signame_add(struct str *to, int number)
{
	const char *name = sigabbrev_np(number);

	if (name) {
		str_add(to, "SIG");
		str_add(to, name);
	} else if (number >= SIGRTMIN && number <= SIGRTMAX) {
		str_add(to, "SIGRTMIN+");
		str_add_signed(to, number - SIGRTMIN);
	} else {
		str_add(to, "signal ");
		str_add_signed(to, number);
	}
}

void
signame_add_description(struct str *to, int number)
{
	const char *text = sigdescr_np(number);

	if (text) {
		str_add(to, text);
	} else if (number >= SIGRTMIN && number <= SIGRTMAX) {
		str_add(to, "Real-time signal ");
		str_add_signed(to, number - SIGRTMIN);
	} else {
		str_add(to, "Unknown signal");
	}
}
