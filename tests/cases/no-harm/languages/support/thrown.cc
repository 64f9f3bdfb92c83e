/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exceptions through traced frames: one of them passes a destructor, and one is
 * caught and thrown again. See languages.py.
 */
#include "marks.h"
#include <stdexcept>

static long destroyed, caught;

struct witness {
	~witness()
	{
		destroyed++;
	}
};

extern "C" NOINLINE int
inner(int x)
{
	OPAQUE(x);
	throw x;
}

extern "C" NOINLINE int
middle(int x)
{
	witness here;

	try {
		return inner(x) + 1;
	} catch (int number) {
		caught += number == x;
		throw std::runtime_error("again");
	}
}

extern "C" NOINLINE int
outer(int x)
{
	witness here;

	return middle(x) + 1;
}

int
main(int argc, char **argv)
{
	struct marks marks = marks_of(argc, argv);

	for (int i = 1; marks_go_on(&marks, i); i++) {
		try {
			outer(i);
		} catch (const std::runtime_error &error) {
			caught += error.what()[0] == 'a';
		}
	}
	printf("%ld destroyed, %ld caught\n", destroyed, caught);
	return 3;
}
