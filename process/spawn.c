/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts a program. The child waits on a pipe until it is seized, then it calls
 * exec. If exec fails, the error comes back through a second pipe, which a
 * successful exec closes. A byte that is not 0 is a status with which the child
 * is to exit. The child is seized and does not use PTRACE_TRACEME.
 * So its later stops are like those of an attached process, and it is not
 * killed when we are.
 */
#include "process/spawn.h"

#include "arch/arch.h"
#include "base/fd.h"
#include "process/attach.h"
#include "process/interpreter.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The step that failed in the child. It is sent to us with the errno. */
enum child_step { CHILD_USER, CHILD_EXEC, CHILD_READY };

struct child_word {
	enum child_step step;
	int code;
};

/* The exit statuses of a shell for a command that cannot be executed, or that
 * does not exist. */
#define STATUS_NOT_EXECUTABLE 126
#define STATUS_NO_COMMAND 127

/* How long spawn_run() waits before it looks for signals again. */
#define LOOK_MS 50

struct pipes {
	int go[2];   /* we send a byte when the child is seized */
	int word[2]; /* the child sends struct child_word, or nothing */
};

static int
become(const struct passwd *user)
{
	if (initgroups(user->pw_name, user->pw_gid) < 0 ||
	    setgid(user->pw_gid) < 0 || setuid(user->pw_uid) < 0)
		return -errno;
	return 0;
}

/* The number of signals, as rt_sigaction(2) counts them. The C library hides
 * two of them. */
#define SIGNALS 64
#define SIGSET_SIZE 8
struct signal_action {
	void (*handler)(int);
	unsigned long flags;
	void (*restorer)(void);
	uint64_t mask;
};

void
spawn_signals_now(struct spawn_signals *ret_signals)
{
	struct spawn_signals signals = { .ignored = 0 };

	sigprocmask(SIG_SETMASK, NULL, &signals.blocked);
	for (int i = 1; i <= SIGNALS; i++) {
		struct signal_action action;

		if (syscall(SYS_rt_sigaction, i, NULL, &action, SIGSET_SIZE) ==
			    0 &&
		    action.handler == SIG_IGN)
			signals.ignored |= UINT64_C(1) << (i - 1);
	}
	if (getrlimit(RLIMIT_NOFILE, &signals.descriptors) < 0)
		signals.descriptors.rlim_max = 0;
	*ret_signals = signals;
}

void
spawn_more_descriptors(const struct spawn_signals *signals)
{
	struct rlimit more = signals->descriptors;

	more.rlim_cur = more.rlim_max;
	if (more.rlim_max && setrlimit(RLIMIT_NOFILE, &more) < 0)
		return;
}

/* Restores signal actions and the mask. exec resets our handlers, but keeps
 * ignored signals ignored (execve(2)). */
static void
give_signals(const struct spawn_signals *signals)
{
	for (int i = 1; i <= SIGNALS; i++) {
		struct signal_action action = { SIG_DFL, 0, 0, 0 };

		if (signals->ignored & UINT64_C(1) << (i - 1))
			action.handler = SIG_IGN;
		syscall(SYS_rt_sigaction, i, &action, NULL, SIGSET_SIZE);
	}
	sigprocmask(SIG_SETMASK, &signals->blocked, NULL);
	if (signals->descriptors.rlim_max &&
	    setrlimit(RLIMIT_NOFILE, &signals->descriptors) < 0)
		return;
}

/* Does the change set or remove this variable? */
static bool
changes(const char *change, const char *variable)
{
	size_t length = strcspn(change, "=");

	return !strncmp(change, variable, length) && variable[length] == '=';
}

/* The environment with the changes; the caller frees the array. Of two changes
 * of one variable, the later counts. */
static char **
changed_environment(const struct spawn_request *request)
{
	size_t count = 0;
	char **changed;

	while (environ[count])
		count++;
	changed = xcalloc(count + request->change_count + 1, sizeof(*changed));
	memcpy(changed, environ, count * sizeof(*changed));
	for (size_t i = 0; i < request->change_count; i++) {
		const char *change = request->changes[i];
		size_t kept = 0;

		for (size_t k = 0; k < count; k++) {
			if (!changes(change, changed[k]))
				changed[kept++] = changed[k];
		}
		/* The cast removes the const, because execve(2) takes no
		 * const. */
		if (strchr(change, '='))
			changed[kept++] = (char *)(uintptr_t)change;
		count = kept;
	}
	changed[count] = NULL;
	return changed;
}

/* Waits until the process may run the command. xtrace may have been killed: a
 * new child ends, too, but a process that was given away runs the command. */
static void
await_go(const struct pipes *pipes, bool given_away)
{
	unsigned char status = 0;
	ssize_t n;

	while ((n = read(pipes->go[0], &status, 1)) < 0 && errno == EINTR)
		;
	if (n != 1 && !given_away)
		_exit(STATUS_NO_COMMAND);
	if (n == 1 && status)
		_exit(status);
}

static int
status_of(const char *name, int code)
{
	char file[PATH_MAX];

	/* If the command is there, ENOENT means that its interpreter is not. */
	return code == ENOENT && spawn_find(name, file) != 0
		       ? STATUS_NO_COMMAND
		       : STATUS_NOT_EXECUTABLE;
}

static never_returns void
run_child(const struct spawn_request *request, const struct passwd *user,
	  char *const *environment, const struct pipes *pipes)
{
	struct child_word word = { CHILD_EXEC, 0 };

	give_signals(request->signals);
	if (user) {
		word.step = CHILD_USER;
		word.code = -become(user);
	}
	if (word.code == 0) {
		word.step = CHILD_EXEC;
		execvpe(request->arguments[0], request->arguments, environment);
		word.code = errno;
	}
	if (write(pipes->word[1], &word, sizeof(word)) < 0)
		_exit(STATUS_NOT_EXECUTABLE);
	_exit(status_of(request->arguments[0], word.code));
}

int
spawn_find(const char *name, char ret_file[PATH_MAX])
{
	const char *path = getenv("PATH"), *end;
	int found = ENOENT;

	if (strchr(name, '/')) {
		snprintf(ret_file, PATH_MAX, "%s", name);
		return access(name, X_OK) == 0 ? 0 : errno;
	}
	if (!path)
		path = "/bin:/usr/bin";
	do {
		size_t length;

		end = strchrnul(path, ':');
		length = (size_t)(end - path);
		/* An empty part of PATH is the current directory. */
		snprintf(ret_file, PATH_MAX, "%.*s/%s",
			 length ? (int)length : 1, length ? path : ".", name);
		if (access(ret_file, X_OK) == 0)
			return 0;
		if (errno == EACCES)
			found = errno;
		path = end + 1;
	} while (*end);
	return found;
}

/* Explains why the command cannot be executed: returns -ENOEXEC and a sentence
 * if its file exists, but its interpreter does not; else 0. */
static int
explain_interpreter(const char *name, struct err *err)
{
	char file[PATH_MAX], interpreter[PATH_MAX];

	if (spawn_find(name, file) != 0 ||
	    interpreter_of(file, interpreter, sizeof(interpreter)) < 0 ||
	    access(interpreter, X_OK) == 0)
		return 0;
	return err_set(err, -ENOEXEC, "%s: its interpreter %s: %s", name,
		       interpreter, strerror(errno));
}

static int
explain(const struct spawn_request *request, const struct child_word *word,
	struct err *err)
{
	const char *name = request->arguments[0];
	int r;

	if (word->step == CHILD_USER)
		return err_set(err, -word->code, "cannot run as user '%s': %s",
			       request->user, strerror(word->code));
	r = explain_interpreter(name, err);
	if (r < 0)
		return r;
	if (word->code == ENOENT && !strchr(name, '/'))
		return err_set(err, -ENOENT, "%s: no such command", name);
	return err_set(err, -word->code, "%s: %s", name, strerror(word->code));
}

static int
find_user(const char *name, struct passwd **ret_user, struct err *err)
{
	*ret_user = NULL;
	if (!name)
		return 0;
	*ret_user = getpwnam(name);
	if (!*ret_user)
		return err_set(err, -ENOENT, "no user '%s'", name);
	return 0;
}

int
spawn_check(const struct spawn_request *request, struct err *err)
{
	char file[PATH_MAX];
	struct child_word word = { CHILD_EXEC,
				   spawn_find(request->arguments[0], file) };
	struct passwd *user;
	int r = find_user(request->user, &user, err);

	if (r < 0 || word.code == 0)
		return r;
	return explain(request, &word, err);
}

static int
open_pipes(struct pipes *pipes, struct err *err)
{
	if (pipe2(pipes->go, O_CLOEXEC) < 0 ||
	    pipe2(pipes->word, O_CLOEXEC) < 0)
		return err_set(err, -errno, "cannot make a pipe: %m");
	return 0;
}

static void
close_pipes(struct pipes *pipes)
{
	fd_closep(&pipes->go[0]);
	fd_closep(&pipes->go[1]);
	fd_closep(&pipes->word[0]);
	fd_closep(&pipes->word[1]);
}

/* Resumes the seized child and waits for its exec event or its end. */
static int
await_exec(struct table *table, struct thread *thread, struct pipes *pipes,
	   struct child_word *word, volatile pid_t *born)
{
	struct stop stop;
	int r;

	if (write(pipes->go[1], "", 1) == 1)
		*born = thread->tid;
	fd_closep(&pipes->go[1]);
	fd_closep(&pipes->word[1]);
	for (;;) {
		r = wait_thread(table, thread, &stop);
		if (r < 0 || stop.kind == STOP_GONE)
			break;
		if (stop.kind == STOP_EXEC)
			return 0;
		/* ^C before the exec: pass it on to the child. */
		thread_resume(table, thread,
			      stop.kind == STOP_SIGNAL ? stop.signal : 0);
	}
	if (read(pipes->word[0], word, sizeof(*word)) != sizeof(*word))
		*word = (struct child_word){ CHILD_EXEC, ECHILD };
	thread_remove(table, thread);
	return -word->code;
}

/* Notes which kind of program has begun. -ENOEXEC if xtrace does not know this
 * kind, or if its addresses do not have the size that was requested. */
static int
take_arch(struct space *space, const struct spawn_request *request,
	  struct err *err)
{
	const struct arch *arch = status_arch(space->pid);
	const char *name = request->arguments[0];

	if (!arch)
		return err_set(err, -ENOEXEC,
			       "%s: a kind of program that is not supported",
			       name);
	if (arch->word != request->word)
		return err_set(err, -ENOEXEC,
			       "%s: a %u-bit program, in place of the %u-bit "
			       "one that its file seemed to be",
			       name, 8u * arch->word, 8 * request->word);
	space->arch = arch;
	return 0;
}

static int
start(struct table *table, const struct spawn_request *request,
      const struct passwd *user, struct pipes *pipes,
      struct process **ret_process, struct err *err)
{
	cleanup(freep) char **environment = changed_environment(request);
	struct child_word word;
	struct process *process;
	struct thread *thread;
	pid_t pid = request->place ? request->place->pid : fork();
	int r;

	if (pid < 0)
		return err_set(err, -errno, "cannot fork: %m");
	if (pid == 0) {
		fd_closep(&pipes->go[1]);
		await_go(pipes, false);
		run_child(request, user, environment, pipes);
	}
	if (ptrace(PTRACE_SEIZE, pid, NULL, attach_options(table)) < 0) {
		r = -errno;
		if (!request->place) {
			kill(pid, SIGKILL);
			wait_reap(table, pid);
		}
		return err_set(err, r, "cannot trace the started process: %s",
			       strerror(-r));
	}
	process = process_add(table, pid, space_new(pid, &table->tally));
	process->ours = true;
	thread = thread_add(table, process, pid);
	r = await_exec(table, thread, pipes, &word, request->born);
	if (r < 0)
		return explain(request, &word, err);
	r = take_arch(process->space, request, err);
	if (r == 0)
		r = space_open(process->space, err);
	if (r < 0) {
		/*
		 * The program has not executed any instruction yet, so it can
		 * be killed. A process that was given away runs on untraced.
		 */
		if (!request->place) {
			kill(pid, SIGKILL);
			spawn_await(pid);
		}
		thread_remove(table, thread);
		return r;
	}
	*ret_process = process;
	return 0;
}

int
spawn(struct table *table, const struct spawn_request *request,
      struct process **ret_process, struct err *err)
{
	struct pipes pipes = { { -1, -1 }, { -1, -1 } };
	struct passwd *user;
	int r = find_user(request->user, &user, err);

	if (r < 0)
		return r;
	if (request->place) {
		pipes.go[1] = request->place->go;
		pipes.word[0] = request->place->word;
	} else {
		r = open_pipes(&pipes, err);
	}
	if (r == 0)
		r = start(table, request, user, &pipes, ret_process, err);
	if (request->place)
		request->place->pid = 0;
	close_pipes(&pipes);
	return r;
}

/* ---- the command in xtrace's place ----------------------------------------
 */

/*
 * Runs in the first process, which becomes the command. The grandchild has sent
 * its pid, because it is not an ancestor of the command: with the Yama module
 * it may trace the command only if the command has named it (prctl(2),
 * PR_SET_PTRACER). The kernel forgets the name when the grandchild ends.
 */
static never_returns void
become_command(const struct spawn_request *request, const struct passwd *user,
	       const struct pipes *pipes)
{
	cleanup(freep) char **environment = changed_environment(request);
	const struct child_word ready = { CHILD_READY, 0 };
	pid_t tracer;

	if (read(pipes->go[0], &tracer, sizeof(tracer)) == sizeof(tracer) &&
	    prctl(PR_SET_PTRACER, (long)tracer, 0, 0, 0) < 0)
		/* without Yama, prctl(2) fails, and no permission is needed */
		errno = 0;
	if (write(pipes->word[1], &ready, sizeof(ready)) == sizeof(ready))
		await_go(pipes, true);
	run_child(request, user, environment, pipes);
}

/* In the grandchild: waits until the first process has read the pid of the
 * grandchild. */
static int
take_place(struct pipes *pipes, pid_t first, struct spawn_place *ret_place,
	   struct err *err)
{
	struct spawn_place place = { first, -1, -1 };
	struct child_word ready;
	pid_t own = getpid();

	if (write(pipes->go[1], &own, sizeof(own)) != sizeof(own) ||
	    read(pipes->word[0], &ready, sizeof(ready)) != sizeof(ready))
		return err_set(err, -ESRCH, "process %d has ended", first);
	place.go = pipes->go[1];
	place.word = pipes->word[0];
	pipes->go[1] = pipes->word[0] = -1;
	*ret_place = place;
	return 0;
}

/* Makes the grandchild. Returns in the grandchild, or with an error in the
 * first process, which otherwise becomes the command. */
static int
split(const struct spawn_request *request, const struct passwd *user,
      struct pipes *pipes, struct spawn_place *ret_place, struct err *err)
{
	pid_t first = getpid(), between = fork(), last;
	int error;

	if (between < 0)
		return err_set(err, -errno, "cannot fork: %m");
	if (between > 0) {
		fd_closep(&pipes->go[1]);
		fd_closep(&pipes->word[0]);
		error = spawn_await(between);
		if (error != 0)
			return err_set(err, -EAGAIN, "cannot fork: %s",
				       strerror(error));
		become_command(request, user, pipes);
	}
	/* The exit status tells the first process that there is no
	 * grandchild: errno of fork(2), EAGAIN or ENOMEM. */
	last = fork();
	if (last != 0)
		_exit(last < 0 ? errno : 0);
	fd_closep(&pipes->go[0]);
	fd_closep(&pipes->word[1]);
	return take_place(pipes, first, ret_place, err);
}

int
spawn_give_place(const struct spawn_request *request,
		 struct spawn_place *ret_place, struct err *err)
{
	struct pipes pipes = { { -1, -1 }, { -1, -1 } };
	struct passwd *user;
	int r = find_user(request->user, &user, err);

	if (r == 0)
		r = open_pipes(&pipes, err);
	if (r == 0)
		r = split(request, user, &pipes, ret_place, err);
	close_pipes(&pipes);
	return r;
}

void
spawn_place_end(struct spawn_place *place, int status)
{
	const unsigned char byte = (unsigned char)status;

	if (!place->pid)
		return;
	if (write(place->go, &byte, 1) == 1)
		place->pid = 0;
	fd_closep(&place->go);
	fd_closep(&place->word);
}

int
spawn_await(pid_t pid)
{
	siginfo_t info = { .si_pid = 0 };

	while (waitid(P_PID, (id_t)pid, &info, WEXITED) < 0) {
		if (errno != EINTR)
			return 0;
	}
	return info.si_code == CLD_EXITED ? info.si_status
					  : 128 + info.si_status;
}

static bool
told_to_end(void)
{
	sigset_t pending;

	return sigpending(&pending) == 0 && (sigismember(&pending, SIGINT) ||
					     sigismember(&pending, SIGTERM) ||
					     sigismember(&pending, SIGQUIT));
}

int
spawn_run(const char *file, char *const *arguments, char *const *environment)
{
	cleanup(fd_closep) int end = -1;
	struct pollfd ends;
	bool told = false;
	pid_t pid;
	int r = posix_spawn(&pid, file, NULL, NULL, arguments, environment);

	if (r != 0)
		return -r;
	end = pidfd_open(pid, 0);
	ends = (struct pollfd){ .fd = end, .events = POLLIN };
	while (end >= 0 && poll(&ends, 1, LOOK_MS) <= 0 && !told)
		told = told_to_end();
	if (told)
		kill(pid, SIGKILL);
	r = spawn_await(pid);
	return told ? -EINTR : r;
}
