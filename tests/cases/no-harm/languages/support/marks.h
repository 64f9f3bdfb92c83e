/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program's rounds, with two marks among them. At each mark the program
 * writes a line and waits for one.
 */
#ifndef MARKS_H
#define MARKS_H

#include "subject.h"
#include <stdlib.h>

struct marks {
	int first, last;
};

static inline struct marks
marks_of(int argc, char **argv)
{
	struct marks marks = { argc > 1 ? atoi(argv[1]) : 10,
			       argc > 2 ? atoi(argv[2]) : 20 };

	return marks;
}

/* True if there is a round i, counted from 1. Waits if a mark is before it. */
static inline int
marks_go_on(const struct marks *marks, int i)
{
	if (i == marks->first + 1 || i == marks->last + 1)
		ready();
	return i <= marks->last;
}

#endif
