/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kills an xtrace at a random moment, and reports what it was doing. Each line
 * of input is
 *
 *	PID WAIT TRIES LINGER MEANS AIM WANTED
 *
 * After a random time of at most WAIT us, the tracing thread of PID is stopped,
 * and its stack is read by its frame pointers. If one of the functions WANTED
 * is on the stack, the process is killed LINGER us later. If not, the thread
 * continues and is stopped again, at most TRIES times. WANTED is "a,b" (a or
 * b), "a,b/c,d" (a or b, but neither c nor d), or "-" (any function). So the
 * moment is random among all moments when a wanted function runs.
 *
 * A function that runs rarely would hardly be found in this way. With AIM
 * "a,b", the random time begins when a or b is entered, where a breakpoint is
 * planted; with AIM "-", no breakpoint is planted. With "!" before AIM, the
 * process gets SIGINT when the breakpoint is planted. A tracer does not notice
 * that it is traced. It affects other processes only by system calls, and at
 * each of its stops a system call has been made or has not been made.
 *
 * With TRIES 0, the process is killed without reading its stack.
 *
 * MEANS is "kill" (SIGKILL), "abort" (SIGABRT, like a failed assertion), or
 * "fault": the thread continues at an unmapped address. With ":W" after it,
 * SIGKILL is first sent to W, which is a watcher.
 *
 * The answer is "killed", the number of tries, and the functions of the stack,
 * innermost first; instead of the functions "unseen" if the stack was not read,
 * or "alone" if PID has no tracing thread. The answer is "gone" if PID ended
 * before, and "missed" if no wanted function was found.
 *
 *	killer XTRACE SEED
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define FRAMES 48
#define STACK 16384
#define SPIN_MOST 300
#define UNMAPPED 0x10008 /* an address that no program of these tests maps */

static const unsigned char *file;
static const Elf64_Sym *symbols;
static size_t symbol_count;
static const char *names;

static void
read_symbols(const char *path)
{
	int fd = open(path, O_RDONLY);
	struct stat st;
	const Elf64_Ehdr *head;
	const Elf64_Shdr *sections;

	if (fd < 0 || fstat(fd, &st) < 0)
		exit(3);
	file = mmap(0, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	head = (const void *)file;
	sections = (const void *)(file + head->e_shoff);
	for (int i = 0; i < head->e_shnum; i++) {
		if (sections[i].sh_type != SHT_SYMTAB)
			continue;
		symbols = (const void *)(file + sections[i].sh_offset);
		symbol_count = sections[i].sh_size / sizeof(symbols[0]);
		names = (const char *)file +
			sections[sections[i].sh_link].sh_offset;
	}
	if (!names)
		exit(3);
}

/* True if name is a function of the list, or a part that gcc has made of such a
 * function ("a.isra.0"). */
static int
listed(const char *name, const char *list)
{
	size_t length = strcspn(name, ".");

	while (*list) {
		size_t item = strcspn(list, ",");

		if (item == length && !strncmp(list, name, length))
			return 1;
		list += item + (list[item] == ',');
	}
	return 0;
}

static const char *
name_of(uint64_t offset)
{
	for (size_t i = 0; i < symbol_count; i++)
		if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC &&
		    offset - symbols[i].st_value < symbols[i].st_size)
			return names + symbols[i].st_name;
	return NULL;
}

/* ---- the stack ---------------------------------------------------------- */

struct stack {
	uint64_t base; /* the address at which the program is mapped */
	uint64_t sp;   /* address of words[0] */
	uint64_t words[STACK / 8];
	size_t count;
	const char *frames[FRAMES];
	int depth;
};

static uint64_t
base_of(pid_t pid)
{
	char path[64];
	uint64_t base = 0;
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	maps = fopen(path, "r");
	if (!maps)
		return 0;
	if (fscanf(maps, "%lx", &base) != 1)
		base = 0;
	fclose(maps);
	return base;
}

static void
read_stack(pid_t pid, uint64_t sp, struct stack *stack)
{
	struct iovec to = { stack->words, STACK }, from = { (void *)sp, STACK };
	ssize_t n = process_vm_readv(pid, &to, 1, &from, 1, 0);

	/* If the copy fails, the stack ends within the STACK bytes: copy fewer
	 * bytes, up to the end of an earlier page. */
	for (size_t less = 4096 - (sp & 4095); n < 0 && less < STACK;
	     less += 4096) {
		to.iov_len = from.iov_len = STACK - less;
		n = process_vm_readv(pid, &to, 1, &from, 1, 0);
	}
	stack->sp = sp;
	stack->count = n < 0 ? 0 : (size_t)n / 8;
}

/* Follows the frames from (rbp, rip); true if they reach the thread's
 * function. */
static int
walk(struct stack *stack, uint64_t rip, uint64_t rbp)
{
	stack->depth = 0;
	while (stack->depth < FRAMES) {
		const char *name = name_of(rip - stack->base);
		uint64_t at = (rbp - stack->sp) / 8;

		if (name)
			stack->frames[stack->depth++] = name;
		if (name && (!strcmp(name, "trace") || !strcmp(name, "main")))
			return 1;
		if (rbp < stack->sp || at + 1 >= stack->count || rbp & 7)
			return 0;
		rip = stack->words[at + 1];
		if (stack->words[at] <= rbp)
			return 0;
		rbp = stack->words[at];
	}
	return 0;
}

/* Reads the stack of the stopped thread. If the thread is in a library, which
 * uses rbp for other things, the stack begins with the first valid frame. */
static int
look(pid_t pid, pid_t tid, struct stack *stack)
{
	struct user_regs_struct regs;

	stack->depth = 0;
	if (ptrace(PTRACE_GETREGS, tid, 0, &regs) < 0)
		return 0;
	stack->base = base_of(pid);
	read_stack(pid, regs.rsp, stack);
	if (walk(stack, regs.rip, regs.rbp))
		return 1;
	for (size_t i = 0; i + 1 < stack->count; i++)
		if (name_of(stack->words[i + 1] - stack->base) &&
		    walk(stack, stack->words[i + 1], stack->words[i]))
			return 1;
	return 0;
}

static int
has_one(const struct stack *stack, char *list)
{
	char *one;

	while ((one = strsep(&list, ",")))
		for (int i = 0; i < stack->depth; i++)
			if (!strcmp(one, stack->frames[i]))
				return 1;
	return 0;
}

static int
wanted_in(const struct stack *stack, const char *wanted)
{
	char copy[512], *without = copy, *with;

	if (!strcmp(wanted, "-"))
		return 1;
	snprintf(copy, sizeof(copy), "%s", wanted);
	with = strsep(&without, "/");
	return has_one(stack, with) && !(without && has_one(stack, without));
}

/* ---- the thread that traces ---------------------------------------------- */

static pid_t
second_thread(pid_t pid)
{
	char path[64];
	struct dirent *entry;
	pid_t found = 0;
	DIR *folder;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	folder = opendir(path);
	if (!folder)
		return -1;
	while ((entry = readdir(folder)))
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != pid)
			found = atoi(entry->d_name);
	closedir(folder);
	return found;
}

static long
now_us(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void
spin(long us)
{
	for (long end = now_us() + us; now_us() < end;)
		;
}

static void
rest(long most)
{
	long us = most ? random() % most : 0;
	struct timespec time = { us / 1000000, us % 1000000 * 1000 };

	/* nanosleep() takes at least SPIN_MOST microseconds, so the thread
	 * spins for less. */
	if (us && us < SPIN_MOST)
		spin(us);
	else if (us)
		nanosleep(&time, NULL);
}

/* A zombie has no threads, but still a folder in /proc. */
static int
ended(pid_t pid)
{
	char path[64], state = 'Z';
	FILE *stat;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	stat = fopen(path, "r");
	if (!stat)
		return 1;
	if (fscanf(stat, "%*d (%*[^)]) %c", &state) != 1)
		state = 'Z';
	fclose(stat);
	return state == 'Z' || state == 'X';
}

static void
say(const char *word, int tries, const struct stack *stack)
{
	printf("%s %d", word, tries);
	for (int i = 0; stack && i < stack->depth; i++)
		printf(" %s", stack->frames[i]);
	printf("\n");
	fflush(stdout);
}

static int
stop(pid_t tid)
{
	int status;

	return ptrace(PTRACE_INTERRUPT, tid, 0, 0) == 0 &&
	       waitpid(tid, &status, __WALL) == tid && WIFSTOPPED(status);
}

static void
go_on(pid_t tid)
{
	siginfo_t info;

	/* If the thread has stopped for a signal, and not for the interrupt,
	 * pass the signal on. */
	if (ptrace(PTRACE_GETSIGINFO, tid, 0, &info) == 0 &&
	    (info.si_code & 0xff00) == 0 && info.si_signo != SIGTRAP)
		ptrace(PTRACE_CONT, tid, 0, (long)info.si_signo);
	else
		ptrace(PTRACE_CONT, tid, 0, 0);
}

/* Makes the thread fault, as if it had called a function at an address that is
 * never mapped. xtrace survives a fault in the first page while a library reads
 * debug information, because it takes that as damaged (base/attempt.c). */
static void
let_fault(pid_t tid)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, tid, 0, &regs) < 0)
		return;
	regs.orig_rax = (uint64_t)-1;
	regs.rip = UNMAPPED;
	ptrace(PTRACE_SETREGS, tid, 0, &regs);
}

static void
end(pid_t pid, pid_t tid, long linger, const char *means)
{
	const char *watcher = strchr(means, ':');
	int status, number = means[0] == 'a'   ? SIGABRT
			     : means[0] == 'f' ? SIGSEGV
					       : SIGKILL;

	if (linger)
		usleep((useconds_t)linger);
	if (watcher)
		kill(atoi(watcher + 1), SIGKILL);
	if (tid <= 0 || number == SIGKILL) {
		kill(pid, number);
	} else {
		if (number == SIGSEGV)
			let_fault(tid);
		else
			syscall(SYS_tgkill, pid, tid, number);
		ptrace(PTRACE_DETACH, tid, 0, 0);
		return;
	}
	while (tid > 0 && waitpid(tid, &status, __WALL) == tid &&
	       WIFSTOPPED(status))
		ptrace(PTRACE_CONT, tid, 0, 0);
}

/* ---- an aim ------------------------------------------------------------- */

#define AIMS 64
#define AIM_TRIES 2000 /* at most so many looks, 500 us apart */
#define AIM_REST 11    /* the random time is one of 1, 2, 4, ... 1024 us */

struct aim {
	uint64_t at[AIMS];
	long before[AIMS];
	int count;
};

/* Plants breakpoints on the functions of the list, while the thread tid is
 * stopped. */
static void
take_aim(pid_t pid, pid_t tid, const char *list, struct aim *aim)
{
	uint64_t base = base_of(pid);

	aim->count = 0;
	for (size_t i = 0; i < symbol_count && aim->count < AIMS; i++) {
		if (ELF64_ST_TYPE(symbols[i].st_info) != STT_FUNC ||
		    !symbols[i].st_value ||
		    !listed(names + symbols[i].st_name, list))
			continue;
		aim->at[aim->count++] = base + symbols[i].st_value;
	}
	for (int i = 0; i < aim->count; i++) {
		aim->before[i] = ptrace(PTRACE_PEEKTEXT, tid, aim->at[i], 0);
		ptrace(PTRACE_POKETEXT, tid, aim->at[i],
		       (aim->before[i] & ~0xffl) | 0xcc);
	}
}

static void
drop_aim(pid_t tid, struct aim *aim)
{
	for (int i = aim->count - 1; i >= 0; i--)
		ptrace(PTRACE_POKETEXT, tid, aim->at[i], aim->before[i]);
}

static int
at_aim(pid_t tid, const struct aim *aim)
{
	struct user_regs_struct regs;

	if (ptrace(PTRACE_GETREGS, tid, 0, &regs) < 0)
		return 0;
	for (int i = 0; i < aim->count; i++) {
		if (regs.rip != aim->at[i] + 1)
			continue;
		regs.rip--;
		ptrace(PTRACE_SETREGS, tid, 0, &regs);
		return 1;
	}
	return 0;
}

/* Waits until the stopped thread enters one of the functions and stops there.
 * Returns 1; 0 if it does not, and is stopped anyway; -1 if it has ended. */
static int
await_aim(pid_t pid, pid_t tid, const char *list)
{
	static struct aim aim;
	int status, hit = 0, sends = list[0] == '!';

	take_aim(pid, tid, list + sends, &aim);
	go_on(tid);
	if (sends)
		kill(pid, SIGINT);
	for (int i = 0; i < AIM_TRIES && !hit; i++) {
		pid_t got = waitpid(tid, &status, __WALL | WNOHANG);

		if (got < 0 || (got == tid && !WIFSTOPPED(status)))
			return -1;
		if (got == 0) {
			usleep(500);
			continue;
		}
		hit = WSTOPSIG(status) == SIGTRAP && at_aim(tid, &aim);
		if (!hit)
			go_on(tid);
	}
	if (!hit && !stop(tid))
		return -1;
	/* The thread may have reached the breakpoint between the last try and
	 * the stop. */
	if (!hit)
		hit = at_aim(tid, &aim);
	drop_aim(tid, &aim);
	return hit;
}

static void
hunt(pid_t pid, long most, int tries, long linger, const char *means,
     const char *aim, const char *wanted)
{
	static struct stack stack;
	pid_t tid = 0;

	for (int i = 1; i <= tries; i++) {
		rest(most);
		if (ended(pid)) {
			say("gone", i, NULL);
			return;
		}
		if (tid <= 0) {
			tid = second_thread(pid);
			if (tid > 0 && ptrace(PTRACE_SEIZE, tid, 0, 0) < 0)
				tid = 0;
		}
		if (tid > 0 && strcmp(aim, "-") != 0) {
			if (!stop(tid) || await_aim(pid, tid, aim) < 0) {
				tid = 0;
				continue;
			}
			ptrace(PTRACE_CONT, tid, 0, 0);
			rest(1l << random() % AIM_REST);
		}
		stack.frames[0] = "alone";
		stack.depth = 1;
		if (tid > 0 && stop(tid)) {
			if (!look(pid, tid, &stack))
				stack.depth = 0;
			if (wanted_in(&stack, wanted)) {
				end(pid, tid, linger, means);
				say("killed", i, &stack);
				return;
			}
			go_on(tid);
		} else if (tid > 0) {
			tid = 0;
		} else if (!strcmp(wanted, "-")) {
			end(pid, 0, 0, means);
			say("killed", i, &stack);
			return;
		}
	}
	if (tid > 0 && stop(tid))
		ptrace(PTRACE_DETACH, tid, 0, 0);
	say("missed", tries, NULL);
}

int
main(int argc, char **argv)
{
	char wanted[512], means[32], aim[512];
	long most, linger;
	int pid, tries;

	if (argc < 3)
		return 2;
	read_symbols(argv[1]);
	srandom((unsigned)atoi(argv[2]));
	while (scanf("%d %ld %d %ld %31s %511s %511s", &pid, &most, &tries,
		     &linger, means, aim, wanted) == 7) {
		static struct stack unseen = { .frames = { "unseen" },
					       .depth = 1 };

		if (tries) {
			hunt(pid, most, tries, linger, means, aim, wanted);
			continue;
		}
		rest(most);
		if (ended(pid)) {
			say("gone", 0, NULL);
			continue;
		}
		end(pid, 0, 0, means);
		say("killed", 0, &unseen);
	}
	return 0;
}
