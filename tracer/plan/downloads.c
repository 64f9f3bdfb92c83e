/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One thread makes all downloads, one after the other. It has no signals and
 * touches no tracee. libdebuginfod is loaded when it is first needed, as libdw
 * does it, because it loads libcurl and everything below that
 * (debuginfod_find_debuginfo(3), elfutils 0.188).
 *
 * The list of downloads is written by the tracing thread alone. The two threads
 * share the state of each download, and, under the lock, which one is next.
 */
#include "tracer/plan/downloads.h"

#include "base/die.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libdebuginfod.so.1"

struct download {
	char *build_id;
	char *path;	  /* set before the state becomes DOWNLOAD_READY */
	atomic_int state; /* enum download_state */
};

typedef int progress_fn(void *client, long a, long b);

struct downloads {
	struct strmap known; /* build-id -> struct download */
	bool refused;	     /* there is no server, or no library */
	bool started;
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t more;
	vec_of(struct download *) queue; /* under the lock */
	atomic_bool over;
	/* functions of the library */
	void *library;
	void *(*begin)(void);
	void (*end)(void *client);
	int (*find)(void *client, const unsigned char *build_id, int length,
		    char **path);
	void (*set_progress)(void *client, progress_fn *progress);
};

/* progress() finds the downloads here, because the library passes it only the
 * client. */
static struct downloads *running;

/* The library calls this function several times a second, and ends the download
 * if the result is not 0. */
static int
progress(void *client, long a, long b)
{
	(void)client;
	(void)a;
	(void)b;
	return atomic_load(&running->over);
}

static struct download *
next(struct downloads *downloads)
{
	struct download *download = NULL;

	pthread_mutex_lock(&downloads->lock);
	while (!atomic_load(&downloads->over) && downloads->queue.count == 0)
		pthread_cond_wait(&downloads->more, &downloads->lock);
	if (!atomic_load(&downloads->over)) {
		download = downloads->queue.at[0];
		vec_remove(&downloads->queue, 0);
	}
	pthread_mutex_unlock(&downloads->lock);
	return download;
}

static void *
fetch_all(void *argument)
{
	struct downloads *downloads = argument;
	struct download *download;
	void *client;

	die_thread();
	client = downloads->begin();
	if (client)
		downloads->set_progress(client, progress);
	while (client && (download = next(downloads))) {
		int fd = downloads->find(
			client, (const unsigned char *)download->build_id, 0,
			&download->path);

		if (fd >= 0)
			close(fd);
		atomic_store(&download->state,
			     fd >= 0 ? DOWNLOAD_READY : DOWNLOAD_NONE);
	}
	if (client)
		downloads->end(client);
	die_thread_ends();
	return NULL;
}

/* ---- the tracing thread -------------------------------------------------- */

struct downloads *
downloads_new(void)
{
	struct downloads *downloads = xcalloc(1, sizeof(*downloads));
	const char *urls = getenv("DEBUGINFOD_URLS");

	strmap_init(&downloads->known);
	pthread_mutex_init(&downloads->lock, NULL);
	pthread_cond_init(&downloads->more, NULL);
	downloads->refused = !urls || !*urls;
	return downloads;
}

static void
stop(struct downloads *downloads)
{
	pthread_mutex_lock(&downloads->lock);
	atomic_store(&downloads->over, true);
	pthread_cond_signal(&downloads->more);
	pthread_mutex_unlock(&downloads->lock);
	pthread_join(downloads->thread, NULL);
}

void
downloads_free(struct downloads *downloads)
{
	size_t cursor = 0;
	void *item;

	if (downloads->started)
		stop(downloads);
	while (strmap_next(&downloads->known, &cursor, NULL, &item)) {
		struct download *download = item;

		free(download->build_id);
		free(download->path);
		free(download);
	}
	strmap_release(&downloads->known);
	vec_release(&downloads->queue);
	pthread_cond_destroy(&downloads->more);
	pthread_mutex_destroy(&downloads->lock);
	/* The library is not closed, because libcurl does not survive that. */
	free(downloads);
}

/* dlsym(3): a function's address is stored through an object pointer. */
static bool
load_function(struct downloads *downloads, const char *name, void *ret_function)
{
	void *found = dlsym(downloads->library, name);

	memcpy(ret_function, &found, sizeof(found));
	return found != NULL;
}

static bool
load(struct downloads *downloads)
{
	downloads->library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	return downloads->library &&
	       load_function(downloads, "debuginfod_begin",
			     &downloads->begin) &&
	       load_function(downloads, "debuginfod_end", &downloads->end) &&
	       load_function(downloads, "debuginfod_find_debuginfo",
			     &downloads->find) &&
	       load_function(downloads, "debuginfod_set_progressfn",
			     &downloads->set_progress);
}

static bool
start(struct downloads *downloads)
{
	sigset_t all, before;
	int r;

	if (!load(downloads)) {
		debug("no debuginfod: %s", dlerror());
		return false;
	}
	running = downloads;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	r = pthread_create(&downloads->thread, NULL, fetch_all, downloads);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	downloads->started = r == 0;
	return r == 0;
}

static struct download *
ask(struct downloads *downloads, const char *build_id)
{
	struct download *download = xcalloc(1, sizeof(*download));

	download->build_id = xstrdup(build_id);
	atomic_store(&download->state, DOWNLOAD_PENDING);
	strmap_put(&downloads->known, build_id, download);
	pthread_mutex_lock(&downloads->lock);
	vec_push(&downloads->queue, download);
	pthread_cond_signal(&downloads->more);
	pthread_mutex_unlock(&downloads->lock);
	return download;
}

enum download_state
downloads_find(struct downloads *downloads, const char *build_id,
	       const char **ret_path)
{
	struct download *download;
	int state;

	if (downloads->refused || !build_id)
		return DOWNLOAD_NONE;
	if (!downloads->started && !start(downloads)) {
		downloads->refused = true;
		return DOWNLOAD_NONE;
	}
	download = strmap_get(&downloads->known, build_id);
	if (!download)
		download = ask(downloads, build_id);
	state = atomic_load(&download->state);
	if (state == DOWNLOAD_READY)
		*ret_path = download->path;
	return (enum download_state)state;
}
