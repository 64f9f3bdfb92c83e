/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Debug files from debuginfod servers, if the user has set DEBUGINFOD_URLS. A
 * download can take minutes, so a thread of its own makes it, and nothing waits
 * for it: the file is used when it is there. libdebuginfod keeps the files in
 * its cache.
 */
#ifndef TRACER_PLAN_DOWNLOADS_H
#define TRACER_PLAN_DOWNLOADS_H

#include "base/attr.h"

struct downloads;

enum download_state {
	DOWNLOAD_NONE,	  /* no server has the file, or there are no servers */
	DOWNLOAD_PENDING, /* the file is being fetched */
	DOWNLOAD_READY,
};

/* Starts nothing yet. Nothing is ever downloaded if DEBUGINFOD_URLS is not
 * set. */
struct downloads *downloads_new(void);
/* Ends a download that is not complete. */
void downloads_free(struct downloads *downloads);

/*
 * The debug file of this build-id (hexadecimal; NULL: none). The first call
 * asks for it. *ret_path is set if the state is DOWNLOAD_READY; it belongs to
 * downloads.
 */
enum download_state downloads_find(struct downloads *downloads,
				   const char *build_id, const char **ret_path);

#endif
