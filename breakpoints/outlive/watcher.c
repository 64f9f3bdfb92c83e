/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * xtrace and the watcher share a mapping with a row for each planted trap. The
 * watcher sleeps in a read of a pipe whose other end only xtrace holds, so the
 * end of xtrace, for whatever reason, wakes it. It is a grandchild in a session
 * of its own: ^C in a terminal does not reach it, and xtrace need not wait for
 * it with waitpid(2).
 *
 * The kernel closes the pipe only after it has freed the memory of a killed
 * xtrace, which takes milliseconds; the tracing thread may have released its
 * tracees before that. So while a thread traces, the watcher waits for a robust
 * mutex that this thread holds. The kernel looks at the mutexes of a thread as
 * one of the first acts of its end (kernel/exit.c, exit_mm()), and releases the
 * tracees as one of the last.
 *
 * All jumps are turned into traps first, step by step, because the CPUs have to
 * be synchronised between two steps, which takes some milliseconds. Then the
 * original bytes of all traps are restored.
 *
 * A row's address is written last and cleared first. The mapping is reserved
 * large and touched as it fills. Our last acts also clear rows, and must not
 * allocate memory. Therefore memory for clearing a row is allocated with each
 * row.
 */
#include "breakpoints/outlive/watcher.h"

#include "base/fd.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/outlive/cores.h"
#include "breakpoints/outlive/way.h"
#include "process/spawn.h"
#include "process/status.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* The priorities of the watcher, which must run at once when xtrace has ended:
 * FIRST_FIFO for SCHED_FIFO, and FIRST_NICE if that policy is refused. */
#define FIRST_FIFO 1
#define FIRST_NICE (-20)

#define ROWS_MOST (UINT32_C(1) << 22)
#define SEMAPHORES_MOST (UINT32_C(1) << 14)

struct watched {
	_Atomic addr_t address; /* address of the trap; 0: the row is free */
	pid_t pid;
	uint8_t original[TRAP_MOST];
	const struct arch_trap *trap;
	_Atomic bool jumps;
	struct jump jump; /* valid if jumps is set */
};

/*
 * A semaphore. xtrace may be killed before or after the write that counts it
 * up, or down. Its value tells: as long as xtrace has counted it up, and no
 * other tracer has left, it is at least `raised`.
 */
struct watched_semaphore {
	/* address of the semaphore; 0: the row is free */
	_Atomic addr_t address;
	_Atomic uint32_t raised; /* 0: the semaphore was not counted up yet */
	addr_t site;
	pid_t pid;
	const struct arch_trap *trap;
};

struct watched_rows {
	/* held by the tracing thread as long as it traces */
	pthread_mutex_t tracing;
	_Atomic uint32_t dismissed;
	_Atomic uint32_t count;
	_Atomic uint32_t semaphore_count;
	struct watched_semaphore semaphores[SEMAPHORES_MOST];
	struct watched rows[];
};

struct watcher {
	struct watched_rows *shared;
	int pipe; /* open as long as xtrace runs */
	/* a pipe at whose end a read returns 0 when the watcher has ended */
	int ended;
	uint32_t *idle; /* numbers of free rows; has room for all of them */
	uint32_t idle_count, idle_room;
};

#define SHARED_SIZE \
	(sizeof(struct watched_rows) + ROWS_MOST * sizeof(struct watched))

/* ---- the watcher's own life -------------------------------------------------
 */

static void
put_back(int memory, const struct watched *row, addr_t address)
{
	const struct arch_trap *trap = row->trap;
	uint8_t there[TRAP_MOST];

	if (pread(memory, there, trap->length, (off_t)address) ==
		    trap->length &&
	    trap_is_at(trap, there) &&
	    pwrite(memory, row->original, trap->length, (off_t)address) !=
		    trap->length)
		return;
}

/* The rows of one process follow each other, so one descriptor is kept open. */
struct opened {
	pid_t pid;
	int memory;
};

static int
memory_of(struct opened *opened, pid_t pid)
{
	char path[64];

	if (pid == opened->pid)
		return opened->memory;
	if (opened->memory >= 0)
		close(opened->memory);
	snprintf(path, sizeof(path), "/proc/%d/mem", status_living(pid));
	opened->memory = open(path, O_RDWR | O_CLOEXEC);
	opened->pid = pid;
	return opened->memory;
}

static void
lower_semaphore(int memory, const struct watched_semaphore *row, addr_t address)
{
	uint8_t there[TRAP_MOST];
	uint32_t raised = atomic_load(&row->raised);
	uint16_t value;

	if (!raised ||
	    pread(memory, there, row->trap->length, (off_t)row->site) !=
		    row->trap->length ||
	    !trap_is_at(row->trap, there) ||
	    pread(memory, &value, sizeof(value), (off_t)address) !=
		    sizeof(value) ||
	    value < raised)
		return;
	value--;
	if (pwrite(memory, &value, sizeof(value), (off_t)address) !=
	    sizeof(value))
		return;
}

/* Counts the semaphores down whose probes still have their traps: then the
 * process still runs the same program. */
static void
lower_semaphores(struct watched_rows *shared)
{
	struct opened opened = { 0, -1 };

	for (uint32_t i = 0; i < atomic_load(&shared->semaphore_count); i++) {
		const struct watched_semaphore *row = &shared->semaphores[i];
		addr_t address = atomic_load(&row->address);
		int memory = address ? memory_of(&opened, row->pid) : -1;

		if (memory >= 0)
			lower_semaphore(memory, row, address);
	}
	if (opened.memory >= 0)
		close(opened.memory);
}

/* Takes one step of the way back for each jump. Returns how many bytes were
 * written. */
static int
jumps_go_back(struct watched_rows *shared, unsigned step)
{
	struct opened opened = { 0, -1 };
	int written = 0, memory, r;

	for (uint32_t i = 0; i < atomic_load(&shared->count); i++) {
		const struct watched *row = &shared->rows[i];

		if (!atomic_load(&row->address) || !atomic_load(&row->jumps))
			continue;
		memory = memory_of(&opened, row->pid);
		r = way_step(memory, &row->jump, row->trap,
			     jump_step_back(&row->jump, step, true));
		written += r > 0 ? r : 0;
	}
	if (opened.memory >= 0)
		close(opened.memory);
	return written;
}

/* Turns all jumps into traps. If the CPUs cannot be synchronised between two
 * steps, the jumps stay, which is harmless. */
static bool
all_jumps_go_back(struct watched_rows *shared)
{
	for (unsigned step = 0; step < JUMP_STEPS; step++) {
		if (jumps_go_back(shared, step) && cores_sync_global() < 0)
			return false;
	}
	return true;
}

static void
put_all_back(struct watched_rows *shared)
{
	struct opened opened = { 0, -1 };
	bool all = all_jumps_go_back(shared);

	lower_semaphores(shared);

	for (uint32_t i = 0; i < atomic_load(&shared->count); i++) {
		struct watched *row = &shared->rows[i];
		addr_t address = atomic_load(&row->address);
		int memory;

		if (!address || (!all && atomic_load(&row->jumps)))
			continue;
		memory = memory_of(&opened, row->pid);
		if (memory >= 0)
			put_back(memory, row, address);
	}
}

/* Opens the watcher's own memory and writes nothing to it, before xtrace
 * traces. The code that restores traps is then in memory, so the first trap is
 * restored as fast as later ones. */
static void
rehearse(void)
{
	const struct watched row = { .pid = getpid(),
				     .trap = &arch_of_host()->trap };
	struct opened opened = { 0, -1 };
	int memory = memory_of(&opened, row.pid);

	if (memory < 0)
		return;
	put_back(memory, &row, (addr_t)(uintptr_t)&row);
	close(memory);
}

/* Returns when xtrace ends, or when its tracing thread ends while it traces.
 * Each byte in the pipe says that a thread holds the mutex. */
static void
await_end(struct watched_rows *shared)
{
	char byte;
	ssize_t n;

	while ((n = read(3, &byte, 1)) > 0 || (n < 0 && errno == EINTR)) {
		if (n < 0)
			continue;
		if (pthread_mutex_lock(&shared->tracing) != 0)
			return;
		pthread_mutex_unlock(&shared->tracing);
	}
}

/* On a busy machine, the traps would stay until other programs have had their
 * turns. A nice value counts only within a session (sched(7), "The autogroup
 * feature"), and the watcher has its own. Both calls need CAP_SYS_NICE. */
static void
hurry(void)
{
	const struct sched_param first = { .sched_priority = FIRST_FIFO };

	if (sched_setscheduler(0, SCHED_FIFO, &first) < 0 &&
	    setpriority(PRIO_PROCESS, 0, FIRST_NICE) < 0)
		debug("the watcher keeps its priority: %d", errno);
}

static never_returns void
watch(struct watched_rows *shared, int pipe_end, int living)
{
	setsid();
	hurry();
	if (chdir("/") < 0)
		_exit(1);
	prctl(PR_SET_NAME, "xtrace-watcher");
	/*
	 * pipe_end and living get the numbers 3 and 4. They are first moved to
	 * free numbers from 8 on, because either may have the number that the
	 * other one should get.
	 */
	pipe_end = fcntl(pipe_end, F_DUPFD, 8);
	living = fcntl(living, F_DUPFD, 8);
	if (dup2(pipe_end, 3) < 0 || dup2(living, 4) < 0)
		_exit(1);
	close_range(5, ~0u, 0);
	fd_null_standard();
	rehearse();
	await_end(shared);
	if (!atomic_load(&shared->dismissed))
		put_all_back(shared);
	_exit(0);
}

/* ---- ours --------------------------------------------------------------- */

/* The child between us and the watcher uses our memory while we wait for its
 * end (vfork(2)), because to copy it takes as long as to make the watcher. It
 * does nothing but to make the watcher. fork(3) would take locks of the C
 * library in our memory: if the child were killed then, our next fork(3) would
 * hang. _Fork(3) takes no lock that our next fork(3) needs. The watcher needs
 * none of them, because we have one thread now. */
static int
start_grandchild(struct watched_rows *shared, const int *ends, const int *life)
{
	pid_t child = vfork();

	if (child < 0)
		return -errno;
	if (child == 0) {
		/* NOLINTNEXTLINE(clang-analyzer-unix.Vfork): see above */
		pid_t grandchild = _Fork();

		if (grandchild == 0) {
			close(ends[1]);
			watch(shared, ends[0], life[1]);
		}
		_exit(grandchild < 0);
	}
	return spawn_await(child) == 0 ? 0 : -EAGAIN;
}

static struct watcher *
watcher_new(struct watched_rows *shared)
{
	struct watcher *watcher = xcalloc(1, sizeof(*watcher));
	int ends[2] = { -1, -1 }, life[2] = { -1, -1 }, r = -1;

	if (pipe2(ends, O_CLOEXEC) == 0 && pipe2(life, O_CLOEXEC) == 0)
		r = start_grandchild(shared, ends, life);
	fd_closep(&ends[0]);
	fd_closep(&life[1]);
	watcher->shared = shared;
	watcher->pipe = ends[1];
	watcher->ended = life[0];
	if (r == 0)
		return watcher;
	debug("no watcher: %d", r);
	fd_closep(&watcher->pipe);
	fd_closep(&watcher->ended);
	free(watcher);
	return NULL;
}

static int
mutex_init(pthread_mutex_t *mutex)
{
	pthread_mutexattr_t how;
	int r = pthread_mutexattr_init(&how);

	if (r == 0)
		r = pthread_mutexattr_setpshared(&how, PTHREAD_PROCESS_SHARED);
	if (r == 0)
		r = pthread_mutexattr_setrobust(&how, PTHREAD_MUTEX_ROBUST);
	if (r == 0)
		r = pthread_mutex_init(mutex, &how);
	return r;
}

struct watcher *
watcher_start(void)
{
	struct watched_rows *shared =
		mmap(NULL, SHARED_SIZE, PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct watcher *watcher;

	if (shared == MAP_FAILED)
		return NULL;
	watcher =
		mutex_init(&shared->tracing) == 0 ? watcher_new(shared) : NULL;
	if (!watcher)
		munmap(shared, SHARED_SIZE);
	return watcher;
}

void
watcher_tracing(struct watcher *watcher)
{
	if (watcher && pthread_mutex_lock(&watcher->shared->tracing) == 0 &&
	    write(watcher->pipe, "", 1) < 0)
		debug("the watcher has ended: %d", errno);
}

void
watcher_traced(struct watcher *watcher)
{
	if (watcher)
		pthread_mutex_unlock(&watcher->shared->tracing);
}

void
watcher_dismiss(struct watcher *watcher)
{
	char byte;

	if (!watcher)
		return;
	atomic_store(&watcher->shared->dismissed, 1);
	fd_closep(&watcher->pipe);
	while (read(watcher->ended, &byte, 1) < 0 && errno == EINTR)
		;
	close(watcher->ended);
	munmap(watcher->shared, SHARED_SIZE);
	free(watcher->idle);
	free(watcher);
}

void
watcher_alarm(struct watcher *watcher)
{
	if (watcher)
		fd_closep(&watcher->pipe);
}

static uint32_t
free_row(struct watcher *watcher)
{
	uint32_t count = atomic_load(&watcher->shared->count);

	if (watcher->idle_count)
		return watcher->idle[--watcher->idle_count];
	if (count == ROWS_MOST)
		return 0;
	if (count == watcher->idle_room) {
		watcher->idle_room = count ? count * 2 : 64;
		watcher->idle = xreallocarray(watcher->idle, watcher->idle_room,
					      sizeof(watcher->idle[0]));
	}
	atomic_store(&watcher->shared->count, count + 1);
	return count + 1;
}

uint32_t
watcher_note(struct watcher *watcher, pid_t pid, addr_t address,
	     const struct arch_trap *trap, const uint8_t *original)
{
	uint32_t number = watcher ? free_row(watcher) : 0;
	struct watched *row;

	if (!number)
		return 0;
	row = &watcher->shared->rows[number - 1];
	row->pid = pid;
	row->trap = trap;
	memcpy(row->original, original, trap->length);
	atomic_store(&row->jumps, false);
	atomic_store(&row->address, address);
	return number;
}

void
watcher_note_jump(struct watcher *watcher, uint32_t number,
		  const struct jump *jump)
{
	struct watched *row;

	if (!watcher || !number)
		return;
	row = &watcher->shared->rows[number - 1];
	row->jump = *jump;
	atomic_store(&row->jumps, true);
}

void
watcher_forget_jump(struct watcher *watcher, uint32_t number)
{
	if (watcher && number)
		atomic_store(&watcher->shared->rows[number - 1].jumps, false);
}

void
watcher_forget(struct watcher *watcher, uint32_t number)
{
	if (!watcher || !number)
		return;
	atomic_store(&watcher->shared->rows[number - 1].address, 0);
	watcher->idle[watcher->idle_count++] = number;
}

/* ---- semaphores --------------------------------------------------------- */

uint32_t
watcher_note_semaphore(struct watcher *watcher, pid_t pid, addr_t address,
		       addr_t site, const struct arch_trap *trap)
{
	struct watched_rows *shared = watcher ? watcher->shared : NULL;
	uint32_t count = shared ? atomic_load(&shared->semaphore_count) : 0;
	struct watched_semaphore *row;
	uint32_t number = 0;

	while (number < count &&
	       atomic_load(&shared->semaphores[number].address))
		number++;
	if (!shared || number == SEMAPHORES_MOST)
		return 0;
	row = &shared->semaphores[number];
	row->pid = pid;
	row->site = site;
	row->trap = trap;
	atomic_store(&row->raised, 0);
	atomic_store(&row->address, address);
	if (number == count)
		atomic_store(&shared->semaphore_count, count + 1);
	return number + 1;
}

void
watcher_semaphore_changes(struct watcher *watcher, uint32_t number,
			  uint16_t raised)
{
	if (watcher && number)
		atomic_store(&watcher->shared->semaphores[number - 1].raised,
			     raised);
}

void
watcher_forget_semaphore(struct watcher *watcher, uint32_t number)
{
	if (watcher && number)
		atomic_store(&watcher->shared->semaphores[number - 1].address,
			     0);
}
