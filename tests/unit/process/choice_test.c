/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which paths of /proc/PID/cgroup belong to a group, a unit, a container. */
#include "suites.h"

#include "process/choice.h"

#define DIGITS "0123456789abcdef"
#define ID DIGITS DIGITS DIGITS DIGITS

static const struct {
	enum choice_kind kind;
	const char *text, *path;
	bool fits;
} paths[] = {
	{ CHOICE_CGROUP, "/a.slice", "/a.slice", true },
	{ CHOICE_CGROUP, "a.slice/", "/a.slice/b.service", true },
	{ CHOICE_CGROUP, "/a.slice/b.service", "/a.slice", false },
	{ CHOICE_CGROUP, "/a", "/a.slice", false },
	{ CHOICE_CGROUP, "/sys/fs/cgroup/a.slice", "/a.slice/b", true },
	{ CHOICE_CGROUP, "/sys/fs/cgroup/memory/a", "/a/b", true },
	{ CHOICE_CGROUP, "/sys/fs/cgroup/memory", "/a/b", false },
	{ CHOICE_UNIT, "nginx", "/system.slice/nginx.service", true },
	{ CHOICE_UNIT, "nginx.service", "/system.slice/nginx.service", true },
	{ CHOICE_UNIT, "ngin", "/system.slice/nginx.service", false },
	{ CHOICE_UNIT, "nginx", "/system.slice/nginx.scope", false },
	{ CHOICE_UNIT, "user@1000", "/user@1000.service/app.slice", true },
	{ CHOICE_UNIT, "nginx", "/", false },
	{ CHOICE_CONTAINER, ID, "/docker/" ID, true },
	{ CHOICE_CONTAINER, ID, "/system.slice/docker-" ID ".scope", true },
	{ CHOICE_CONTAINER, "0123456789ab", "/docker/" ID "/init", true },
	{ CHOICE_CONTAINER, "123456789abc", "/docker/" ID, false },
	{ CHOICE_CONTAINER, "0123456789a", "/docker/" ID, false },
	{ CHOICE_CONTAINER, ID, "/machine.slice/libpod-" ID ".scope", true },
	{ CHOICE_CONTAINER, ID, "/libpod-conmon-" ID ".scope", false },
	{ CHOICE_CONTAINER, ID,
	  "/kubepods.slice/kubepods-pod1.slice/cri-containerd-" ID ".scope",
	  true },
	{ CHOICE_CONTAINER, "my-web", "/lxc.payload.my-web", true },
	{ CHOICE_CONTAINER, "web", "/lxc/web/system.slice", true },
	{ CHOICE_CONTAINER, "web", "/machine.slice/machine-web.scope", true },
	{ CHOICE_CONTAINER, "web", "/systemd-nspawn@web.service/payload",
	  true },
	{ CHOICE_CONTAINER, "web", "/lxc.payload.my-web", false },
	{ CHOICE_NAME, "web", "/web", false },
};

START_TEST(paths_fit)
{
	const struct choice choice = { paths[_i].kind, paths[_i].text };

	ck_assert_msg(choice_fits_path(&choice, paths[_i].path) ==
			      paths[_i].fits,
		      "%s in %s", paths[_i].text, paths[_i].path);
}
END_TEST

Suite *
choice_suite(void)
{
	Suite *suite = suite_create("choice");
	TCase *tests = tcase_create("choice");

	tcase_add_loop_test(tests, paths_fit, 0,
			    sizeof(paths) / sizeof(paths[0]));
	suite_add_tcase(suite, tests);
	return suite;
}
