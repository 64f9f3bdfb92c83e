/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls work() and inner() in many ways, and prints how many of their calls
 * have ended.
 *
 * LIB: libcounted.so -DCOUNTED -O2
 * LIB: libpassing.so -DPASSING -O2
 * CFLAGS: -O2
 * LDFLAGS: -lcounted -lpthread -ldl
 */
#ifdef COUNTED

#include <atomic>

extern "C" {
std::atomic<long> works, inners;

__attribute__((noinline)) int
inner(int x)
{
	__asm__ volatile("" ::: "memory");
	inners++;
	return x * 3 + 1;
}

__attribute__((noinline)) int
work(int x, int (*then)(int))
{
	works++;
	x += inner(x);
	if (then)
		x += then(x);
	return x ^ inner(x + 1);
}
}

#elif defined(PASSING)

extern "C" __attribute__((noinline)) int
passing(int x)
{
	__asm__ volatile("" ::: "memory");
	return x * 5 + 3;
}

#else

#include <atomic>
#include <cerrno>
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

extern "C" {
extern std::atomic<long> works, inners;
int inner(int x);
int work(int x, int (*then)(int));
}

static long count;
static volatile int sink;
static long unfinished; /* calls of work() that do not end */

static void
plain()
{
	for (long i = 0; i < count; i++)
		sink = work((int)i, nullptr);
}

static void *
thread(void *)
{
	plain();
	return nullptr;
}

/* Later threads get the stacks and thread pointers of earlier ones. */
static void
threads()
{
	pthread_t ids[8];

	for (int round = 0; round < 6; round++) {
		for (auto &id : ids)
			pthread_create(&id, nullptr, thread, nullptr);
		for (auto &id : ids)
			pthread_join(id, nullptr);
	}
}

static void
on_signal(int)
{
	sink = work(7, nullptr);
}

static void
signals(int flags)
{
	static char stack[65536];
	stack_t alternate = {};
	struct sigaction action = {};
	struct itimerval soon = { { 0, 0 }, { 0, 60 } }, never = {};

	alternate.ss_sp = stack;
	alternate.ss_size = sizeof(stack);
	sigaltstack(&alternate, nullptr);
	action.sa_handler = on_signal;
	action.sa_flags = SA_RESTART | flags;
	sigaction(SIGALRM, &action, nullptr);
	/* One signal a round: each round ends, however slow the handler is. */
	for (int i = 0; i < 100; i++) {
		setitimer(ITIMER_REAL, &soon, nullptr);
		plain();
	}
	setitimer(ITIMER_REAL, &never, nullptr);
	signal(SIGALRM, SIG_IGN);
}

static void
signals_own()
{
	signals(0);
}

static void
signals_alternate()
{
	signals(SA_ONSTACK);
}

static jmp_buf place;

static int
jump_out(int x)
{
	if (x % 3 == 0)
		longjmp(place, 1);
	return work(x, nullptr);
}

static void
jumps()
{
	for (volatile long i = 0; i < count; i++)
		if (setjmp(place) == 0)
			sink = work((int)i, jump_out);
}

static int
throw_out(int x)
{
	if (x % 2 == 0)
		throw x;
	return work(x, nullptr);
}

static void
exceptions()
{
	for (long i = 0; i < count; i++) {
		try {
			sink = work((int)i, throw_out);
		} catch (int x) {
			sink = inner(x);
		}
	}
}

static void
wait_all()
{
	while (wait(nullptr) > 0 || errno == EINTR)
		;
}

/* Without -f, children are not traced: their calls are counted neither by
 * xtrace nor by this program. */
static void
forks()
{
	for (int i = 0; i < 5; i++) {
		plain();
		if (fork() == 0) {
			plain();
			_exit(0);
		}
		plain();
	}
	wait_all();
}

static int
spawn(int x)
{
	char name[] = "/bin/true", *arguments[] = { name, nullptr };
	pid_t pid;

	posix_spawn(&pid, name, nullptr, nullptr, arguments, nullptr);
	return x;
}

static void
vforks()
{
	static std::atomic<long> before_works, before_inners;

	for (int i = 0; i < 5; i++) {
		plain();
		before_works = works.load();
		before_inners = inners.load();
		if (vfork() == 0) {
			sink = work(1, nullptr);
			sink = work(2, nullptr);
			_exit(0);
		}
		/* The calls of the child, which shares this memory, do not
		 * count. */
		works = before_works.load();
		inners = before_inners.load();
		sink = work(1, spawn);
	}
	wait_all();
}

/* Each thread has its children spawned in the middle of its calls. */
static void *
spawning(void *)
{
	for (int i = 0; i < 12; i++) {
		plain();
		sink = work(1, spawn);
	}
	return nullptr;
}

static void
spawns()
{
	pthread_t ids[4];

	for (auto &id : ids)
		pthread_create(&id, nullptr, spawning, nullptr);
	for (auto &id : ids)
		pthread_join(id, nullptr);
	wait_all();
}

static int
cloned(void *)
{
	plain();
	return 0;
}

/* Threads without a thread pointer of their own: they have that of the thread
 * that has made them, which makes calls, too. The C library does not know these
 * threads. */
static void
clones()
{
	const int flags = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
			  CLONE_THREAD | CLONE_SYSVSEM | CLONE_PARENT_SETTID |
			  CLONE_CHILD_CLEARTID;
	constexpr size_t size = 65536;

	for (int i = 0; i < 6; i++) {
		static volatile pid_t living;
		void *stack = mmap(nullptr, size, PROT_READ | PROT_WRITE,
				   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (clone(cloned, (char *)stack + size, flags, nullptr, &living,
			  nullptr, &living) < 0)
			_exit(1);
		plain();
		while (living)
			usleep(100);
	}
}

static ucontext_t outside, fiber;
static bool ends;

static int
leave(int x)
{
	swapcontext(&fiber, &outside);
	return inner(x);
}

static void
fiber_body()
{
	while (!ends)
		sink = work(3, leave);
	swapcontext(&fiber, &outside);
}

static void
fibers()
{
	static char stack[65536];

	getcontext(&fiber);
	fiber.uc_stack.ss_sp = stack;
	fiber.uc_stack.ss_size = sizeof(stack);
	makecontext(&fiber, fiber_body, 0);
	for (long i = 0; i < count; i++) {
		swapcontext(&outside, &fiber);
		sink = work(5, nullptr);
	}
	ends = true;
	swapcontext(&outside, &fiber);
}

static int
end_thread(int x)
{
	pthread_exit(nullptr);
	return x;
}

static std::atomic<long> mappings;
static std::atomic<bool> enough;

/* Maps memory next to the lowest mapping, as new threads do for their
 * stacks. */
static void *
mapping(void *)
{
	for (; !enough; mappings++) {
		mmap(nullptr, 0x10000, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
		     -1, 0);
		usleep(20);
	}
	return nullptr;
}

static void
maps()
{
	pthread_t id;

	pthread_create(&id, nullptr, mapping, nullptr);
	while (mappings < 10)
		usleep(100);
	plain();
	enough = true;
	pthread_join(id, nullptr);
}

static void *
ending(void *)
{
	plain();
	unfinished++;
	sink = work(1, end_thread);
	return nullptr;
}

static void
exits()
{
	pthread_t id;

	for (int i = 0; i < 10; i++) {
		pthread_create(&id, nullptr, ending, nullptr);
		pthread_join(id, nullptr);
	}
}

/* The library is loaded again, at the same address or at another one. */
static void
unloads()
{
	long passings = 0;

	for (int round = 0; round < 12; round++) {
		void *library = dlopen("libpassing.so", RTLD_NOW);
		auto passing = (int (*)(int))dlsym(library, "passing");

		for (long i = 0; i < count; i++, passings++)
			sink = passing((int)i);
		plain();
		dlclose(library);
		free(malloc(1000 + round));
	}
	printf("passing %ld\n", passings);
}

static int left;

/* More calls are open at the same time than a thread's block can hold. */
static int
recurse(int x)
{
	return left-- > 0 ? work(x, recurse) : 0;
}

static void
deep()
{
	for (long i = 0; i < count / 100; i++) {
		left = 300;
		sink = recurse(0);
	}
}

/* From now on, reading the processor's counter raises SIGSEGV. */
static void
counterless()
{
	plain();
	prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0);
	count /= 10;
	plain();
}

static char **own_arguments;

/* The program executes itself, and the new program continues the count. */
static void
execs()
{
	char first[32], second[32], name[] = "/proc/self/exe", way[] = "after";
	char *arguments[] = { name, way, own_arguments[2], first, second,
			      nullptr };

	plain();
	snprintf(first, sizeof(first), "%ld", works.load());
	snprintf(second, sizeof(second), "%ld", inners.load());
	execv(name, arguments);
}

static void
after()
{
	works = atol(own_arguments[3]);
	inners = atol(own_arguments[4]);
	plain();
}

static long
now()
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

static long spin, inside, around, longest_inside;

static int
spin_for(int x)
{
	long start = now(), passed;

	do
		passed = now() - start;
	while (passed < spin);
	inside += passed;
	if (passed > longest_inside)
		longest_inside = passed;
	return x;
}

/* One of ten calls takes long. Prints the time within work() and around it. */
static void
measured()
{
	for (long i = 0; i < count; i++) {
		long start = now();

		spin = i % 10 ? 20000 : 1000000;
		sink = work((int)i, spin_for);
		around += now() - start;
	}
	printf("inside %ld\naround %ld\nlongest %ld\n", inside, around,
	       longest_inside);
}

static const struct {
	const char *name;
	void (*go)();
} ways[] = {
	{ "plain", plain },	{ "threads", threads },
	{ "signals", signals_own }, { "alternate", signals_alternate },
	{ "jumps", jumps },	{ "exceptions", exceptions },
	{ "forks", forks },	{ "vforks", vforks },
	{ "spawns", spawns },	{ "clones", clones },
	{ "fibers", fibers },	{ "exits", exits },
	{ "maps", maps },
	{ "unloads", unloads }, { "deep", deep },
	{ "counterless", counterless },
	{ "execs", execs },	{ "after", after },
	{ "measured", measured },
};

int
main(int, char **argv)
{
	own_arguments = argv;
	count = atol(argv[2]);
	for (const auto &way : ways)
		if (!strcmp(way.name, argv[1]))
			way.go();
	printf("work %ld\ninner %ld\n", works.load() - unfinished,
	       inners.load());
	return 0;
}

#endif
