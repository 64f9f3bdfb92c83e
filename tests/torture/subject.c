/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The tortured program: threads that each do one thing forever, and check the
 * results. Every thread calls functions of the program, of a library that it is
 * linked with, and of the C library. In addition,
 *
 *	spin	never makes a system call, so that one thread always runs
 *	call	sleeps now and then
 *	load	dlopen, calls, dlclose
 *	fork	fork, vfork, posix_spawn; the child makes calls, exits with 43
 *	signal	sends SIGUSR1 to the others; the handler makes calls
 *	trap	int3 and raise(SIGTRAP), each to be handled once (own handler)
 *	mask	makes calls with SIGTRAP blocked, which must stay blocked
 *	jump	siglongjmp out of a handler that makes calls
 *	block	uses pipes with poll, and times out
 *	birth	creates threads that make calls and end
 *
 * A branch, a forked copy with three threads, runs beside it. The counts are in
 * a file that the driver maps, too. Lines of input: "exec" and "thread" (exec
 * from another thread) start again in the same process; "stop" ends it.
 *
 *	subject COUNTERS FOLDER (own | default) ROLES
 *
 * ROLES is a sum of powers of two: which of the threads exist.
 *
 * LIB: libmod.so -DMOD=m -fno-omit-frame-pointer
 * LIB: libplug.so -DMOD=p
 * CFLAGS: -D_GNU_SOURCE -DMOD=f -DMAIN -fno-omit-frame-pointer
 * LDFLAGS: -lmod -pthread -ldl
 */
#include "subject.h"
#include "functions.h"

#ifdef MAIN
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>

extern function *const mtable_0[FUNCTIONS];
function m0_0, m3_1, m7_2, m15_3;

enum role {
	SPIN,
	LOAD,
	FORK,
	SIGNAL,
	TRAP,
	MASK,
	JUMP,
	BLOCK,
	BIRTH,
	CALL,
	CALL_TOO,
	BRANCH,
	BRANCH_CALL,
	BRANCH_LOAD,
	ROLES
};
/* the first role of the branch; the roles before it are threads of the program
 * itself */
#define HERE BRANCH

struct row {
	_Atomic long tid, calls, wrong, first_wrong, others, lost;
	long unused[2];
};
struct counters {
	_Atomic long pid, branch, stop, handled;
	long unused[4];
	struct row rows[ROLES];
};

static struct counters *counters;
static const char *folder;
static char **arguments;
static int own_handler;
static long roles;
static _Atomic int begun; /* all threads have started */
static _Atomic int execs; /* a thread is about to exec */
static pthread_t threads[ROLES];
static _Thread_local struct row *mine;
static _Thread_local volatile sig_atomic_t trapped;
static _Thread_local sigjmp_buf back;
static _Thread_local volatile sig_atomic_t may_jump;

static void
check(int right, long what)
{
	if (right || !mine)
		return;
	if (atomic_fetch_add(&mine->wrong, 1) == 0)
		mine->first_wrong = what;
}

static void
call_table(function *const *table, long from, long many, long what)
{
	for (long i = from; i < from + many; i++) {
		long n = i % FUNCTIONS;

		check(table[n](i) == i * (n / 4 + 2) + n % 4, what + n);
	}
}

/* A loss that docs/SURVIVAL.md admits. The driver counts them. */
static void
may_lose(int kept)
{
	if (!kept)
		atomic_fetch_add(&mine->lost, 1);
}

/* Calls functions directly and through the PLT. */
static void
call_some(long round)
{
	char *text = malloc(24 + (size_t)(round & 63));

	call_table(TABLE, round, 6, 1000);
	call_table(mtable_0, round, 3, 2000);
	check(m0_0(round) == round * 2, 3000);
	check(m3_1(round) == round * 5 + 1, 3001);
	check(m15_3(round) == round * 17 + 3, 3002);
	strcpy(text, "some text");
	check(strlen(text) == 9 && strchr(text, 't') == text + 5, 3003);
	free(text);
	if (mine)
		atomic_fetch_add(&mine->calls, 1);
}

/* Computes for a while without the C library, whose functions might make a
 * system call. */
static void
spin(long round)
{
	call_table(TABLE, round, 6, 1100);
	call_table(mtable_0, round, 3, 2100);
	check(m7_2(2 * round) == 2 * round * 9 + 2, 3100);
	for (int i = 0; i < 2000; i++)
		OPAQUE(round);
	atomic_fetch_add(&mine->calls, 1);
}

static void
short_sleep(long microseconds)
{
	struct timespec time = { 0, microseconds * 1000 };

	nanosleep(&time, 0);
}

static void
load(long round)
{
	char path[4096];
	function *const *table;
	void *module;

	snprintf(path, sizeof(path), "%s/libplug%ld.so", folder, round % 4);
	module = dlopen(path, round & 4 ? RTLD_NOW : RTLD_LAZY);
	check(module != 0, 4000);
	if (!module)
		return;
	table = dlsym(module, "ptable_0");
	check(table != 0, 4001);
	if (table)
		call_table(table, round, 70, 4100);
	check(dlclose(module) == 0, 4002);
	call_some(round);
	if (round % 8 == 0)
		short_sleep(300);
}

/* In a forked child: checks that it computes correctly. */
static int
child_status(long round)
{
	struct row here = { 0 };

	mine = &here;
	for (long i = 0; i < 20; i++)
		call_some(round + i);
	return here.wrong ? 44 : 43;
}

static void
await_child(pid_t pid, long what)
{
	int status = 0;

	check(pid > 0, what);
	if (pid <= 0)
		return;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	if (WIFEXITED(status) && WEXITSTATUS(status) == 43)
		return;
	check(0, what + 100000 + status);
}

static void
fork_one(long round)
{
	char *words[] = { arguments[0], (char *)"child", 0 };
	pid_t pid = -1;

	switch (round % 3) {
	case 0:
		pid = fork();
		if (pid == 0)
			_exit(child_status(round));
		await_child(pid, 5000);
		break;
	case 1:
		pid = vfork();
		if (pid == 0) {
			execv("/proc/self/exe", words);
			_exit(99);
		}
		await_child(pid, 5001);
		break;
	default:
		check(posix_spawn(&pid, "/proc/self/exe", 0, 0, words,
				  environ) == 0,
		      5002);
		await_child(pid, 5003);
	}
	mine->others++;
	call_some(round);
	short_sleep(1000);
}

static void
on_usr1(int number, siginfo_t *info, void *context)
{
	int saved = errno;

	(void)number;
	(void)context;
	check(info->si_code == SI_TKILL, 6000);
	call_table(TABLE, 7, 2, 6100);
	call_table(mtable_0, 9, 2, 6200);
	check(m15_3(5) == 5 * 17 + 3, 6001);
	atomic_fetch_add(&counters->handled, 1);
	errno = saved;
}

static void
signal_others(long round)
{
	static const enum role whom[] = { SPIN, LOAD,  FORK,  TRAP, MASK,
					  JUMP, BLOCK, BIRTH, CALL, CALL_TOO };

	if (begun && roles >> whom[round % 10] & 1)
		pthread_kill(threads[whom[round % 10]], SIGUSR1);
	mine->others++;
	call_some(round);
	short_sleep(500);
}

static void
on_trap(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)context;
	check(info->si_code == SI_KERNEL || info->si_code == SI_TKILL, 7000);
	trapped++;
	call_table(TABLE, 3, 1, 7100);
}

/* A SIGTRAP did not arrive: finds out whether it is blocked, or late. */
static void
seek_trap(void)
{
	sigset_t set;

	pthread_sigmask(SIG_SETMASK, 0, &set);
	check(!sigismember(&set, SIGTRAP), 7004);
	short_sleep(50000);
	check(!trapped, 7005);
	may_lose(trapped);
}

static void
trap(long round)
{
	trapped = 0;
	if (own_handler) {
		__asm__ volatile("int3");
		if (!trapped)
			seek_trap();
		check(trapped < 2, 7003);
		trapped = 0;
		raise(SIGTRAP);
		check(trapped < 2, 7002);
		may_lose(trapped);
		mine->others += 2;
	}
	call_some(round);
	short_sleep(200);
}

static void
mask(long round)
{
	sigset_t set, got;

	sigemptyset(&set);
	sigaddset(&set, SIGTRAP);
	pthread_sigmask(SIG_BLOCK, &set, 0);
	for (int i = 0; i < 4; i++)
		call_some(round + i);
	pthread_sigmask(SIG_SETMASK, 0, &got);
	if (own_handler)
		may_lose(sigismember(&got, SIGTRAP) == 1);
	else
		check(sigismember(&got, SIGTRAP) == 1, 8000);
	pthread_sigmask(SIG_UNBLOCK, &set, 0);
	call_some(round);
	pthread_sigmask(SIG_SETMASK, 0, &got);
	check(sigismember(&got, SIGTRAP) == 0, 8001);
	short_sleep(200);
}

static void
on_usr2(int number, siginfo_t *info, void *context)
{
	(void)number;
	(void)info;
	(void)context;
	call_table(mtable_0, 11, 3, 9100);
	if (may_jump) {
		may_jump = 0;
		siglongjmp(back, 1);
	}
}

static void
jump(long round)
{
	volatile long here = round;

	if (sigsetjmp(back, 1) == 0) {
		may_jump = 1;
		pthread_kill(pthread_self(), SIGUSR2);
		check(0, 9000);
	}
	check(here == round, 9001);
	mine->others++;
	call_some(round);
	short_sleep(200);
}

static int ends[2];

/* True if a byte can be read within the timeout. SIGUSR1 may interrupt poll(2),
 * which the kernel never restarts. */
static int
readable(int timeout)
{
	struct pollfd poll_in = { ends[0], POLLIN, 0 };
	int n;

	while ((n = poll(&poll_in, 1, timeout)) < 0 && errno == EINTR)
		;
	return n;
}

static void
block(long round)
{
	char byte = (char)round, got = 0;

	check(readable(0) == 0, 10000);
	check(write(ends[1], &byte, 1) == 1, 10001);
	check(readable(1000) == 1, 10002);
	check(read(ends[0], &got, 1) == 1 && got == byte, 10003);
	call_some(round);
	short_sleep(3000);
}

static void *
short_life(void *argument)
{
	struct row here = { 0 };

	mine = &here;
	call_some((long)argument);
	call_some((long)argument + 1);
	return (void *)(here.wrong ? 0 : (long)argument + 1);
}

static void
birth(long round)
{
	pthread_t thread;
	void *result = 0;
	int r = pthread_create(&thread, 0, short_life, (void *)round);

	/* pthread_create() fails while another thread is in execve(2), traced
	 * or not: kernel/fork.c, copy_fs(). */
	if (r == EAGAIN && execs)
		return;
	check(r == 0, 11000 + 100000 * r);
	if (r)
		return;
	pthread_join(thread, &result);
	check((long)result == round + 1, 11001);
	mine->others++;
	call_some(round);
	short_sleep(500);
}

static void
call(long round)
{
	call_some(round);
	if (round % 32 == 0)
		short_sleep(500);
}

typedef void deed(long round);
static deed *const deeds[ROLES] = {
	[SPIN] = spin,	      [LOAD] = load,
	[FORK] = fork_one,    [SIGNAL] = signal_others,
	[TRAP] = trap,	      [MASK] = mask,
	[JUMP] = jump,	      [BLOCK] = block,
	[BIRTH] = birth,      [CALL] = call,
	[CALL_TOO] = call,    [BRANCH] = call,
	[BRANCH_CALL] = call, [BRANCH_LOAD] = load,
};

static void *
live(void *argument)
{
	enum role role = (enum role)(long)argument;

	mine = &counters->rows[role];
	mine->tid = gettid();
	for (long round = 0; !counters->stop; round++) {
		deeds[role](round);
		if (role >= HERE && getppid() != counters->pid)
			_exit(1);
	}
	return 0;
}

static void
begin(enum role first, enum role end)
{
	for (enum role role = first; role < end; role++)
		if (roles >> role & 1)
			check(pthread_create(&threads[role], 0, live,
					     (void *)(long)role) == 0,
			      12000);
}

static void
end(enum role first, enum role beyond)
{
	for (enum role role = first; role < beyond; role++)
		if (roles >> role & 1)
			pthread_join(threads[role], 0);
}

static void
make_branch(void)
{
	pid_t pid = fork();

	if (pid) {
		counters->branch = pid;
		return;
	}
	begin(HERE, ROLES);
	end(HERE, ROLES);
	_exit(0);
}

static void *
exec_again(void *argument)
{
	(void)argument;
	execs = 1;
	execv("/proc/self/exe", arguments);
	_exit(98);
}

/* Reads a line of input, which is a word; false at the end. */
static int
take_line(void)
{
	char word[16];
	size_t length = 0;
	ssize_t n;
	char c = 0;
	pthread_t thread;

	while ((n = read(0, &c, 1)) != 0 && c != '\n')
		if (n == 1 && length < sizeof(word) - 1)
			word[length++] = c;
	word[length] = '\0';
	if (strcmp(word, "exec") == 0)
		exec_again(0);
	if (strcmp(word, "thread") == 0)
		pthread_create(&thread, 0, exec_again, 0);
	return n && strcmp(word, "stop") != 0;
}

/* Prints where the program faulted, before the program dies of the fault. */
static void
on_fault(int number, siginfo_t *info, void *context)
{
	ucontext_t *at = context;
	char text[200];

	snprintf(text, sizeof(text),
		 "signal %d, code %d, at %p, pc %#llx, sp %#llx, role %ld",
		 number, info->si_code, info->si_addr,
		 at->uc_mcontext.gregs[REG_RIP], at->uc_mcontext.gregs[REG_RSP],
		 mine ? (long)(mine - counters->rows) : -1);
	say(text);
	if (getenv("TORTURE_STAY"))
		pause();
	signal(number, SIG_DFL);
}

static void
handle(int number, void (*handler)(int, siginfo_t *, void *), int flags)
{
	struct sigaction action = { .sa_sigaction = handler,
				    .sa_flags = flags };

	sigaction(number, &action, 0);
}

static int
result(void)
{
	long wrong = 0;

	for (enum role role = 0; role < ROLES; role++)
		wrong += counters->rows[role].wrong;
	if (wrong == 0)
		say("right");
	return wrong != 0;
}

int
main(int argc, char **argv)
{
	int file, status;

	arguments = argv;
	if (argc == 2)
		return child_status(argc);
	file = open(argv[1], O_RDWR | O_CLOEXEC);
	folder = argv[2];
	roles = atol(argv[4]);
	own_handler = strcmp(argv[3], "own") == 0;
	counters = mmap(0, sizeof(*counters), PROT_READ | PROT_WRITE,
			MAP_SHARED, file, 0);
	if (counters == MAP_FAILED || pipe2(ends, O_CLOEXEC) < 0)
		return 2;
	counters->pid = getpid();
	mine = &counters->rows[SPIN];
	handle(SIGUSR1, on_usr1, SA_SIGINFO | SA_RESTART);
	handle(SIGUSR2, on_usr2, SA_SIGINFO);
	handle(SIGSEGV, on_fault, SA_SIGINFO | SA_RESETHAND);
	handle(SIGILL, on_fault, SA_SIGINFO | SA_RESETHAND);
	handle(SIGBUS, on_fault, SA_SIGINFO | SA_RESETHAND);
	if (own_handler)
		handle(SIGTRAP, on_trap, SA_SIGINFO | SA_RESTART);
	if (!counters->branch)
		make_branch();
	begin(0, HERE);
	begun = 1;
	say("ready");
	while (take_line())
		;
	counters->stop = 1;
	end(0, HERE);
	while (waitpid((pid_t)counters->branch, &status, 0) < 0 &&
	       errno == EINTR)
		;
	check(status == 0, 12001);
	return result();
}
#endif
