/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opens NAME COUNT: loads COUNT libraries with dlopen(), and prints the
 * nanoseconds that the last one took. A # in NAME is replaced by N.so: 0.so,
 * 1.so and so on.
 */
#include "bench/subject.h"

#include <dlfcn.h>

int
main(int argc, char **argv)
{
	int count = argc > 2 ? atoi(argv[2]) : 1;
	uint64_t took = 0;
	char name[4096];

	subject_ready(NULL);
	for (int i = 0; i < count; i++) {
		char *number = NULL;
		uint64_t start;

		snprintf(name, sizeof(name), "%s", argv[1]);
		for (char *p = name; *p; p++)
			number = *p == '#' ? p : number;
		if (number)
			snprintf(number, name + sizeof(name) - number, "%d.so",
				 i);
		start = subject_now();
		if (!dlopen(name, RTLD_NOW)) {
			fprintf(stderr, "%s\n", dlerror());
			return 1;
		}
		took = subject_now() - start;
	}
	printf("%llu\n", (unsigned long long)took);
	return 0;
}
