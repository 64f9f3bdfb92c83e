/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The library is loaded at run time, as tracer/plan/downloads does it, because
 * it loads some thirty others, and few runs of xtrace need it. Its functions
 * and the numbers of its options never change (libcurl(3), "Compatibility"), so
 * its header is not needed either.
 *
 * Certificates and the names in them are checked, which is the library's
 * default. Other protocols than HTTP are refused, and answers that lead
 * elsewhere are not followed.
 */
#include "network/curl.h"

#include "base/log.h"
#include "base/xmalloc.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of <curl/curl.h>. */
enum {
	CURLOPT_FOLLOWLOCATION = 52,
	CURLOPT_NOPROGRESS = 43,
	CURLOPT_NOSIGNAL = 99,
	CURLOPT_TIMEOUT_MS = 155,
	CURLOPT_CONNECTTIMEOUT_MS = 156,
	CURLOPT_PROTOCOLS = 181,
	CURLOPT_URL = 10002,
	CURLOPT_ERRORBUFFER = 10010,
	CURLOPT_POSTFIELDS = 10015,
	CURLOPT_USERAGENT = 10018,
	CURLOPT_HTTPHEADER = 10023,
	CURLOPT_XFERINFODATA = 10057,
	CURLOPT_WRITEFUNCTION = 20011,
	CURLOPT_XFERINFOFUNCTION = 20219,
	CURLOPT_POSTFIELDSIZE_LARGE = 30120,
	CURLOPT_CAINFO_BLOB = 40309,
	CURLE_ABORTED_BY_CALLBACK = 42,
	CURLINFO_RESPONSE_CODE = 0x200000 + 2,
	CURLINFO_RETRY_AFTER = 0x600000 + 57,
	CURLPROTO_HTTP_HTTPS = 3,
	CURL_GLOBAL_ALL = 3,
};

/* struct curl_blob: the library reads the bytes, which stay ours. */
struct curl_bytes {
	void *at;
	size_t length;
	unsigned flags;
};

#define ERROR_SIZE 256 /* CURL_ERROR_SIZE of <curl/curl.h> */
#define TIMEOUT_MS 10000L

struct curl {
	void *library, *easy, *list;
	int (*global_init)(long flags);
	void *(*easy_init)(void);
	int (*setopt)(void *easy, int option, ...);
	int (*perform)(void *easy);
	int (*getinfo)(void *easy, int info, ...);
	const char *(*strerror)(int code);
	void *(*append)(void *list, const char *line);
	void (*free_list)(void *list);
	const struct str *certificates;
	bool (*stop)(void *argument);
	void *stop_argument;
	char error[ERROR_SIZE];
};

static bool
find(struct curl *curl)
{
	const struct {
		void *to;
		const char *name;
	} rows[] = {
		{ &curl->global_init, "curl_global_init" },
		{ &curl->easy_init, "curl_easy_init" },
		{ &curl->setopt, "curl_easy_setopt" },
		{ &curl->perform, "curl_easy_perform" },
		{ &curl->getinfo, "curl_easy_getinfo" },
		{ &curl->strerror, "curl_easy_strerror" },
		{ &curl->append, "curl_slist_append" },
		{ &curl->free_list, "curl_slist_free_all" },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		void *function = dlsym(curl->library, rows[i].name);

		if (!function)
			return false;
		memcpy(rows[i].to, &function, sizeof(function));
	}
	return true;
}

int
curl_load(struct curl **ret_curl, struct err *err)
{
	static const char *const names[] = { "libcurl.so.4",
					     "libcurl-gnutls.so.4" };
	struct curl *curl = xcalloc(1, sizeof(*curl));

	for (size_t i = 0; i < array_size(names) && !curl->library; i++)
		curl->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	if (curl->library && find(curl)) {
		*ret_curl = curl;
		return 0;
	}
	free(curl);
	return err_set(err, -ENOENT,
		       "%s is needed to send anything (package libcurl4)",
		       names[0]);
}

void
curl_free(struct curl *curl)
{
	if (curl && curl->list)
		curl->free_list(curl->list);
	free(curl);
}

void
curl_set(struct curl *curl, const char *headers, const struct str *certificates)
{
	cleanup(freep) char *copy = xstrdup(headers);
	char *rest = copy, *line;

	while ((line = strsep(&rest, "\n"))) {
		if (*line)
			curl->list = curl->append(curl->list, line);
	}
	curl->certificates = certificates;
}

void
curl_stop_when(struct curl *curl, bool (*stop)(void *argument), void *argument)
{
	curl->stop = stop;
	curl->stop_argument = argument;
}

/* The body of an answer is dropped, because nothing in it is needed. */
static size_t
ignore(char *bytes, size_t size, size_t count, void *unused)
{
	(void)bytes;
	(void)unused;
	return size * count;
}

/* CURLOPT_XFERINFOFUNCTION(3): another result than 0 ends the request. The
 * numbers are curl_off_t. */
static int
look_at_stop(void *argument, int64_t a, int64_t b, int64_t c, int64_t d)
{
	struct curl *curl = argument;

	(void)a;
	(void)b;
	(void)c;
	(void)d;
	return curl->stop(curl->stop_argument);
}

/* With a library before 7.77, the system's certificates stay. */
static void
trust(struct curl *curl)
{
	struct curl_bytes bytes = { .at = curl->certificates->text,
				    .length = curl->certificates->length };

	if (curl->setopt(curl->easy, CURLOPT_CAINFO_BLOB, &bytes) != 0)
		debug("libcurl takes no certificates from memory");
}

/* Initializes the library. Only the process that sends calls this, because the
 * library may start threads. */
static bool
begin(struct curl *curl)
{
	if (curl->easy)
		return true;
	if (curl->global_init(CURL_GLOBAL_ALL) != 0)
		return false;
	curl->easy = curl->easy_init();
	if (!curl->easy)
		return false;
	curl->setopt(curl->easy, CURLOPT_NOSIGNAL, 1L);
	curl->setopt(curl->easy, CURLOPT_FOLLOWLOCATION, 0L);
	curl->setopt(curl->easy, CURLOPT_PROTOCOLS, (long)CURLPROTO_HTTP_HTTPS);
	curl->setopt(curl->easy, CURLOPT_TIMEOUT_MS, TIMEOUT_MS);
	curl->setopt(curl->easy, CURLOPT_CONNECTTIMEOUT_MS, TIMEOUT_MS);
	curl->setopt(curl->easy, CURLOPT_USERAGENT, "xtrace");
	curl->setopt(curl->easy, CURLOPT_ERRORBUFFER, curl->error);
	curl->setopt(curl->easy, CURLOPT_WRITEFUNCTION, ignore);
	curl->setopt(curl->easy, CURLOPT_HTTPHEADER, curl->list);
	curl->setopt(curl->easy, CURLOPT_NOPROGRESS, 0L);
	curl->setopt(curl->easy, CURLOPT_XFERINFOFUNCTION, look_at_stop);
	curl->setopt(curl->easy, CURLOPT_XFERINFODATA, curl);
	if (curl->certificates->length > 0)
		trust(curl);
	return true;
}

void
curl_post(struct curl *curl, const char *url, const struct str *body,
	  struct curl_answer *ret_answer)
{
	long code = 0;
	int64_t wait = 0;
	int r;

	*ret_answer = (struct curl_answer){ 0 };
	if (!begin(curl)) {
		snprintf(ret_answer->why, sizeof(ret_answer->why),
			 "libcurl does not work");
		return;
	}
	curl->error[0] = '\0';
	curl->setopt(curl->easy, CURLOPT_URL, url);
	curl->setopt(curl->easy, CURLOPT_POSTFIELDS, str_text(body));
	curl->setopt(curl->easy, CURLOPT_POSTFIELDSIZE_LARGE,
		     (int64_t)body->length);
	r = curl->perform(curl->easy);
	if (r != 0) {
		snprintf(ret_answer->why, sizeof(ret_answer->why), "%s",
			 r == CURLE_ABORTED_BY_CALLBACK
				 ? "the server does not answer"
			 : curl->error[0] ? curl->error
					  : curl->strerror(r));
		return;
	}
	curl->getinfo(curl->easy, CURLINFO_RESPONSE_CODE, &code);
	curl->getinfo(curl->easy, CURLINFO_RETRY_AFTER, &wait);
	ret_answer->code = (int)code;
	ret_answer->retry_after = wait > 0 ? (uint64_t)wait : 0;
}
