/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages of the kernel about programs that begin. */
#include "process/births.h"

#include "tests/unit/process/suites.h"

#include <errno.h>
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <poll.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD (NLMSG_HDRLEN + sizeof(struct cn_msg))

static char message[HEAD + sizeof(struct proc_event)];

static void
make(const struct proc_event *event)
{
	struct cn_msg head = { .id = { CN_IDX_PROC, CN_VAL_PROC },
			       .len = sizeof(*event) };

	memcpy(message + NLMSG_HDRLEN, &head, sizeof(head));
	memcpy(message + HEAD, event, sizeof(*event));
}

START_TEST(messages)
{
	struct proc_event event = { .what = PROC_EVENT_EXEC };
	bool accepted = false;

	event.event_data.exec.process_pid = 8;
	event.event_data.exec.process_tgid = 7;
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 7);
	for (size_t i = 0; i < HEAD + 4; i++)
		ck_assert_int_eq(births_of(message, i, &accepted), 0);
	/* The name of a thread is not that of its process. */
	event = (struct proc_event){ .what = PROC_EVENT_COMM };
	event.event_data.comm.process_pid = 8;
	event.event_data.comm.process_tgid = 7;
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 0);
	event.event_data.comm.process_pid = 7;
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 7);
	event = (struct proc_event){ .what = PROC_EVENT_FORK };
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 0);
	ck_assert(!accepted);
	event = (struct proc_event){ .what = PROC_EVENT_NONE };
	event.event_data.ack.err = EPERM;
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 0);
	ck_assert(!accepted);
	event.event_data.ack.err = 0;
	make(&event);
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 0);
	ck_assert(accepted);
	((struct cn_msg *)(message + NLMSG_HDRLEN))->id.idx++;
	accepted = false;
	ck_assert_int_eq(births_of(message, sizeof(message), &accepted), 0);
	ck_assert(!accepted);
}
END_TEST

static bool
has(const struct births *births, pid_t pid)
{
	for (size_t i = 0; i < births->pids.count; i++) {
		if (births->pids.at[i] == pid)
			return true;
	}
	return false;
}

static pid_t
run_program(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		execl("/bin/true", "true", NULL);
		_exit(1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	return pid;
}

/* If xtrace may not get the messages, there is nothing to test. On a busy
 * machine, messages may be lost while this test waits for a CPU. Then another
 * program is run. */
START_TEST(a_program_begins)
{
	struct births births = { 0 };
	struct pollfd ready = { .fd = births_open(), .events = POLLIN };
	pid_t pid;

	if (ready.fd < 0)
		return;
	pid = run_program();
	while (!has(&births, pid)) {
		ck_assert_int_eq(poll(&ready, 1, 20000), 1);
		births_read(ready.fd, &births);
		if (births.lost && !has(&births, pid))
			pid = run_program();
		births.lost = false;
	}
	ck_assert(!has(&births, getpid()));
	vec_release(&births.pids);
	close(ready.fd);
}
END_TEST

Suite *
births_suite(void)
{
	Suite *suite = suite_create("births");
	TCase *tests = tcase_create("births");

	tcase_add_test(tests, messages);
	tcase_add_test(tests, a_program_begins);
	suite_add_tcase(suite, tests);
	return suite;
}
