/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls probe() from many places, which writes down where it was called from
 * as glibc's backtrace(3) tells it, in words:
 *
 *	number module address module address ...
 *
 * innermost first, the addresses as in the modules' files.
 *
 * LIB: one.so -DPLUGIN=1
 * LIB: two.so -DPLUGIN=2
 * CFLAGS: -D_GNU_SOURCE -fno-optimize-sibling-calls -pthread
 * LDFLAGS: -ldl -pthread
 * VARIANT: fast -O2 -fomit-frame-pointer
 * VARIANT: plain -O0 -fno-omit-frame-pointer
 * VARIANT: debug -O1 -g
 * VARIANT: clang CC=clang -O2
 */
#include <subject.h>

#ifdef PLUGIN

/* The sizes differ, so that the two libraries have different code at the same
 * address. */
EXPORT int
plugin(int (*back)(int), int n)
{
	volatile int rest[PLUGIN * 100];

	rest[n % PLUGIN] = n;
	OPAQUE(n);
	if (PLUGIN == 2)
		n = back(n) + 1;
	return back(n) + rest[0];
}

#else

#include <alloca.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>

#define FRAMES 200

static FILE *said;
static int number;
static jmp_buf landing;

static const char *
last_part(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

NOINLINE int
probe(int n)
{
	void *frames[FRAMES];
	int count = backtrace(frames, FRAMES);

	fprintf(said, "%d", n);
	for (int i = 1; i < count; i++) {
		struct link_map *map;
		Dl_info info;

		if (!dladdr1(frames[i], &info, (void **)&map, RTLD_DL_LINKMAP))
			fprintf(said, " ? %lx", (unsigned long)frames[i]);
		else
			fprintf(said, " %s %lx", last_part(info.dli_fname),
				(unsigned long)frames[i] -
					(unsigned long)map->l_addr);
	}
	fputc('\n', said);
	return n;
}

NOINLINE int
call(int n)
{
	(void)n;
	return probe(number++) + 1;
}

NOINLINE int
deeper(int depth)
{
	if (depth > 0)
		return deeper(depth - 1) + 1;
	return call(depth);
}

static int
compare(const void *a, const void *b)
{
	call(0);
	return *(const int *)a - *(const int *)b;
}

/* The compiler does not know the size of this frame. */
NOINLINE int
moving(int n)
{
	char *room = alloca((size_t)n * 16 + 16);

	OPAQUE(room);
	memset(room, n, (size_t)n * 16);
	return call(n) + room[0];
}

static void
handler(int signal)
{
	deeper(signal % 3);
}

/* A signal interrupts this function. */
NOINLINE int
interrupted(int n)
{
	raise(SIGUSR1);
	__asm__ volatile("ud2" ::: "memory");
	return n;
}

static void
fault(int signal, siginfo_t *info, void *context)
{
	(void)signal;
	(void)info;
	call(0);
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += 2;
}

NOINLINE int
jumper(int n)
{
	call(n);
	if (n > 2)
		longjmp(landing, n);
	return jumper(n + 1) + 1;
}

static void *
thread(void *count)
{
	return (void *)(long)deeper((int)(long)count);
}

static void
threads(void)
{
	for (long i = 0; i < 4; i++) {
		pthread_t id;

		if (pthread_create(&id, NULL, thread, (void *)i) == 0)
			pthread_join(id, NULL);
	}
}

static void
plugins(const char *name)
{
	int (*function)(int (*)(int), int);
	void *library = dlopen(name, RTLD_NOW);

	if (!library)
		_exit(98);
	*(void **)&function = dlsym(library, "plugin");
	function(call, 1);
	dlclose(library);
}

static void
signals(void)
{
	static char other[1 << 16];
	stack_t stack = { .ss_sp = other, .ss_size = sizeof(other) };
	struct sigaction action = { .sa_handler = handler };

	sigaction(SIGUSR1, &action, NULL);
	action = (struct sigaction){ .sa_sigaction = fault,
				     .sa_flags = SA_SIGINFO | SA_ONSTACK };
	sigaltstack(&stack, NULL);
	sigaction(SIGILL, &action, NULL);
	interrupted(1);
}

int
main(int argc, char **argv)
{
	int rounds = argc > 2 ? atoi(argv[2]) : 1;
	int array[] = { 3, 1, 2, 5, 4 };

	said = argc > 1 ? fopen(argv[1], "w") : stdout;
	while (rounds-- > 0) {
		for (int i = 0; i < 20; i++)
			deeper(i);
		qsort(array, 5, sizeof(int), compare);
		for (int i = 0; i < 5; i++)
			moving(i);
		signals();
		if (!setjmp(landing))
			jumper(0);
		threads();
		plugins("one.so");
		plugins("two.so");
	}
	fclose(said);
	return 0;
}

#endif
