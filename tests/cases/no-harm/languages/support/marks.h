/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounds up to two marks: at each a line is said and one is waited for. */
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

/* Before round i, which counts from 1: is there one? */
static inline int
marks_go_on(const struct marks *marks, int i)
{
	if (i == marks->first + 1 || i == marks->last + 1)
		ready();
	return i <= marks->last;
}

#endif
