/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program without an interpreter loads two interpreters while it is traced.
 * They run scripts on two threads of the program. The stack of a call has only
 * frames of the language and the thread that made the call.
 *
 * BEFORE: ln -sf $(ls /usr/lib/x86_64-linux-gnu/libpython3.*.so.1.0) p.so
 * BEFORE: ln -sf $(ls /usr/lib/x86_64-linux-gnu/libperl.so.5.?? | head -1) l.so
 * LDFLAGS: -ldl -lpthread
 * FILE: p.conf: int isatty(int); uint umask(uint);
 *
 * RUN: xtrace -F p.conf -w 9 -x isatty -x umask %t
 * CONTAINS:
 *   %anyisatty(90) = 0
 *       <string>:3 in leaf
 *       <string>:5 in branch
 *       <string>:6 in <module>
 *   %anyumask(18) = %num
 *       -e:1 in main::leaf
 *       -e:2 in main::branch
 *       -e:3 in {main}
 *   %anyisatty(91) = 0
 *       <string>:3 in leaf
 *       <string>:5 in branch
 *       <string>:6 in <module>
 *   %anyumask(19) = %num
 *       -e:1 in main::leaf
 *       -e:2 in main::branch
 *       -e:3 in {main}
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -w 99 --stack=merged -x isatty -x umask %t
 * CONTAINS:
 *   %anyisatty(90) = 0
 *       <string>:3 in leaf
 *       <string>:5 in branch
 *       <string>:6 in <module>
 *       PyEval_EvalCode+%any
 *       run_python+%hex@t
 *       run_both+%hex@t
 *       main+%hex@t
 *   %anyumask(18) = %num
 *       -e:1 in main::leaf
 *       -e:2 in main::branch
 *       -e:3 in {main}
 *       perl_run+%any
 *       run_perl+%hex@t
 *       run_both+%hex@t
 *       main+%hex@t
 *   %anyisatty(91) = 0
 *       <string>:3 in leaf
 *       run_python+%hex@t
 *       run_both+%hex@t
 *   %anyumask(19) = %num
 *       -e:1 in main::leaf
 *       run_perl+%hex@t
 *       run_both+%hex@t
 *   %any+++ exited (status 0) +++
 * ABSENT:
 *   %any<the script, not placed among these>
 */
#include <dlfcn.h>
#include <pthread.h>
#include <subject.h>

static void *python, *perl;

#define CALL(library, type, name) ((type)dlsym(library, name))

NOINLINE void
run_python(int number)
{
	char text[200];

	snprintf(text, sizeof(text),
		 "import os\n"
		 "def leaf():\n"
		 "    os.isatty(%d)\n"
		 "def branch():\n"
		 "    leaf()\n"
		 "branch()\n",
		 number);
	CALL(python, int (*)(const char *), "PyRun_SimpleString")(text);
	OPAQUE(number);
}

NOINLINE void
run_perl(int number)
{
	void *interpreter = CALL(perl, void *(*)(void), "perl_alloc")();
	char text[200], *words[] = { "perl", "-e", text, NULL };

	snprintf(text, sizeof(text),
		 "sub leaf { umask(%d); 1 }\n"
		 "sub branch { leaf(); 1 }\n"
		 "branch();\n",
		 number);
	CALL(perl, void (*)(void *), "perl_construct")(interpreter);
	CALL(perl, int (*)(void *, void *, int, char **, char **),
	     "perl_parse")(interpreter, NULL, 3, words, NULL);
	CALL(perl, int (*)(void *), "perl_run")(interpreter);
	CALL(perl, int (*)(void *), "perl_destruct")(interpreter);
	CALL(perl, void (*)(void *), "perl_free")(interpreter);
	OPAQUE(number);
}

NOINLINE void
run_both(int number)
{
	int state = CALL(python, int (*)(void), "PyGILState_Ensure")();

	run_python(90 + number);
	CALL(python, void (*)(int), "PyGILState_Release")(state);
	run_perl(18 + number);
	OPAQUE(number);
}

static void *
run_second(void *unused)
{
	run_both(1);
	return unused;
}

int
main(int argc, char **argv)
{
	char **environment = NULL;
	pthread_t second;
	void *state;

	python = dlopen("p.so", RTLD_NOW | RTLD_GLOBAL);
	perl = dlopen("l.so", RTLD_NOW | RTLD_GLOBAL);
	if (!python || !perl) {
		puts(dlerror());
		return 1;
	}
	CALL(perl, void (*)(int *, char ***, char ***), "Perl_sys_init3")
	(&argc, &argv, &environment);
	CALL(python, void (*)(int), "Py_InitializeEx")(0);
	run_both(0);
	state = CALL(python, void *(*)(void), "PyEval_SaveThread")();
	pthread_create(&second, NULL, run_second, NULL);
	pthread_join(second, NULL);
	CALL(python, void (*)(void *), "PyEval_RestoreThread")(state);
	return CALL(python, int (*)(void), "Py_FinalizeEx")() != 0;
}
