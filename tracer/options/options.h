/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The command line, as a value. Only tracer/ uses it.
 */
#ifndef TRACER_OPTIONS_OPTIONS_H
#define TRACER_OPTIONS_OPTIONS_H

#include "base/clock.h"
#include "base/err.h"
#include "base/vec.h"
#include "base/words.h"
#include "output/look.h"
#include "process/choice.h"
#include "tracer/options/format_table.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct condition;
struct filter;
struct packages;
struct request_frame;

/* options->in_flight, if --in-flight is not given */
#define OPTIONS_IN_FLIGHT (10 * CLOCK_SECOND)
struct pattern;
struct script_filter;
struct sdt_filter;
struct tampering;

enum action {
	ACTION_TRACE,
	ACTION_DUMP,
	ACTION_HEAP,
	ACTION_HELP,
	ACTION_VERSION,
	ACTION_TOPICS, /* -Dh */
	ACTION_CHECK_CONFIG,
	ACTION_SHOW_PROTOTYPE,
	ACTION_LIST_SETS,
	ACTION_LIST_PROBES,
	ACTION_DRAW_FLAME,
	ACTION_COMPARE,
};

/* --stack: which frames -w shows. */
enum stack_choice {
	STACK_SCRIPT,
	STACK_NATIVE,
	STACK_MERGED,
	STACK_CALLS,
	STACK_DEFAULT, /* the script's frames if there are any, else native
			* ones */
};

/* --sample-mode: of which threads there are samples, and what they count. */
enum sample_mode {
	SAMPLE_CPU, /* samples of threads that run; they count CPU time */
	/* samples of all threads; they count the time of the clock */
	SAMPLE_WALL,
	/* samples of threads that hold an interpreter's lock or wait for it;
	 * they count the time of the clock */
	SAMPLE_GIL,
};

/* Which calls are shown: all calls, or only calls that failed (-Z) or succeeded
 * (-z). */
enum outcome_choice {
	OUTCOME_ANY,
	OUTCOME_FAILED,
	OUTCOME_SUCCESSFUL,
};

/* A name in -S that programs of one size have no system call for. */
struct missing_call {
	unsigned word; /* the size of an address in these programs, in bytes */
	struct err why;
};

struct options {
	enum action action;
	bool heap_still;   /* --heap=still */
	bool heap_native;  /* --heap=native */
	bool heap_strings; /* --heap-strings */
	/* -x: the functions that are traced */
	vec_of(struct filter *) locations;
	/* -x: the SDT probes that are traced */
	vec_of(struct sdt_filter *) sdts;
	/* --script-calls, or -x names functions of scripts: these are traced */
	bool script_calls;
	vec_of(struct script_filter *) scripts; /* none: all functions */
	/* -e: the imports whose calls are traced */
	vec_of(struct filter *) imports;
	/* -l: the libraries whose calls are traced */
	vec_of(struct pattern *) libraries;
	/* --inject: which calls are changed */
	vec_of(struct tampering *) tamperings;
	bool no_library_calls;
	bool system_calls; /* -S or -x NAME@SYS: system calls are traced */
	bool names_system_calls; /* -x NAME@SYS was given */
	/* the filters of -S; none: all system calls */
	vec_of(struct filter *) system_call_filters;
	vec_of(struct missing_call) missing_calls;
	vec_of(pid_t) pids;
	/* how many of the pids are from -p; the others were chosen */
	size_t required_pids;
	/* --attach-name, --cgroup, --unit, --container */
	vec_of(struct choice) choices;
	bool follow_new; /* --follow-new */
	bool service;	 /* --service */
	/* the file with more options of the service, or NULL */
	const char *service_file;
	/* The files of the trace are continued at their end, because xtrace
	 * has executed itself again after a SIGHUP (--service). */
	bool continues;
	vec_of(const char *) configs;
	vec_of(const char *) sets; /* --set, --sql: names or paths */
	char **command;		   /* the command to start; NULL: none */
	/* requests to servers are shown (--requests), or another option needs
	 * them */
	bool requests;
	/* --request-frame: the function whose calls are requests, or NULL */
	struct request_frame *request_frame;
	/* transactions are followed (--transactions), or another option needs
	 * them */
	bool transactions;
	/* --query-strings: paths keep their query strings */
	bool query_strings;
	bool bind; /* --bind: values bound to statements are shown */
	const char *user;
	/* -E: changes of the environment, "VAR=VALUE" or "VAR" */
	vec_of(const char *) environment;
	/* --grandchild: xtrace runs as a grandchild of its first process */
	bool grandchild;
	bool follow;
	bool split; /* -ff: one file for each process */
	bool demangle;
	/* names are demangled with the types of their parameters */
	bool demangle_types;
	bool as_ltrace;
	/* the name by which xtrace was called: "xtrace" or "ltrace" */
	const char *own_name;
	uint64_t limit; /* 0: none */
	uint64_t duration;
	/* --in-flight: queries are announced after this time, in ns; 0:
	 * never */
	uint64_t in_flight;
	/* --if: the condition for showing a call, or NULL */
	struct condition *condition;
	bool histogram;		    /* --histogram was given */
	struct condition *measured; /* the expression of --histogram, or NULL */
	enum outcome_choice outcome;
	/* -P: the files that calls must be about, as given and without symbolic
	 * links */
	vec_of(char *) paths;
	const char *output; /* -o: the file of the trace */
	enum look_when color;
	struct look look;
	struct destination formats[FORMATS];
	unsigned frames; /* -w: how many frames are shown; 0: none */
	enum stack_choice stack;
	bool from_own; /* --stack-from app: -w begins at the application's first
			* frame */
	/* --packages: which files count as packages, or NULL */
	struct packages *packages;
	uint64_t stack_min_time; /* the stack is walked at a return after this
				  * time; 0: at the entry */
	bool wall; /* --wall: durations with the time in which threads are
		    * held */
	bool descriptors; /* -y: descriptors are shown with their files */
	unsigned sample;  /* --sample: rounds per second; 0: none */
	enum sample_mode sample_mode;
	unsigned alloc; /* --alloc: percent of the time; 0: not wanted */
	double budget;	/* --budget: percent of the time; 0: no limit */
	bool jumps;	/* --engine: hot sites get jumps */
	bool eager;	/* --engine=eager: they get them at their first hit */
	bool rotate;	/* --rotate */
	uint64_t rotate_size;
	unsigned rotate_keep;
	bool stats;
	bool quiet;	       /* -q: nothing is announced on a terminal */
	const char *prototype; /* --show-prototype: the name of a function */
	const char *probes_of; /* --list-probes: a pid, or the path of a file */
	const char *picture;   /* --draw-flame: the path of the picture */
	enum format_name picture_format;
	/* --against: the path of the older folded stacks, or NULL */
	const char *against;
	/* --compare: the path of the older table, or NULL */
	const char *before;
	bool weighed; /* --weight was given */
	/* arguments of --check-config and --compare; NULL-terminated */
	char **files;
	struct words defaults; /* words to which strings of defaults point */
	char *unread; /* why the file of defaults was not read, or NULL */
};

/*
 * Reads the command line, and the user's defaults for a trace. Returns -EINVAL
 * and a message in err (several lines if a caret helps) if it makes no sense,
 * -ESRCH if no process fits a choice. The strings are argv's, or
 * options->defaults'.
 */
must_check int options_parse(struct options *options, int argc, char **argv,
			     struct err *err);
void options_release(struct options *options);

/* Is -x given, or an option that names what is traced as -x does? */
static inline bool
options_name_places(const struct options *options)
{
	return options->locations.count > 0 || options->sdts.count > 0 ||
	       options->names_system_calls || options->script_calls;
}

/* True if processes are traced: for calls, samples or growth, or until the heap
 * of a command is counted. */
static inline bool
options_run(const struct options *options)
{
	return options->action == ACTION_TRACE ||
	       (options->action == ACTION_HEAP && options->command);
}

/* True if the options select calls. Samples, growth and a census need none. */
static inline bool
options_trace_calls(const struct options *options)
{
	return (options->sample == 0 && options->alloc == 0 &&
		options->action != ACTION_HEAP) ||
	       options_name_places(options) || options->imports.count > 0 ||
	       options->libraries.count > 0 || options->sets.count > 0 ||
	       options->system_calls;
}

/* True if traps are planted: for calls, at functions that get memory, or at the
 * end of an interpreter. */
static inline bool
options_plant(const struct options *options)
{
	return options_trace_calls(options) || options->alloc > 0 ||
	       options->action == ACTION_HEAP;
}

/* The first given option that xtrace does not have for 32-bit programs, as the
 * user knows it, or NULL. */
const char *options_refused_32bit(const struct options *options);

/* The text of --version; the caller frees it. option_help() has the text of
 * --help. */
char *options_version(const struct options *options);

#endif
