/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The memory has two pages of text. The page with the newest version is not
 * written to; the next version goes to the other page. A reader that is so slow
 * that its page is written again sees that the count of the page has changed,
 * and begins anew. The count is odd while the page is written
 * (Documentation/locking/seqlock.rst has the same method).
 *
 * The memory is reserved, and the system gives it when it is first touched.
 */
#include "network/board.h"

#include "base/xmalloc.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* A reader gives up when its page was written again so often. */
#define TRIALS 16

struct board_page {
	_Atomic uint64_t count; /* odd: the page is being written */
	_Atomic size_t length;
	char text[BOARD_MOST];
};

struct board_shared {
	_Atomic uint32_t newest; /* index of the page to read */
	struct board_page pages[2];
};

struct board {
	struct board_shared *shared;
};

struct board *
board_new(void)
{
	struct board_shared *shared =
		mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct board *board;

	if (shared == MAP_FAILED)
		return NULL;
	board = xcalloc(1, sizeof(*board));
	board->shared = shared;
	return board;
}

void
board_free(struct board *board)
{
	if (!board)
		return;
	munmap(board->shared, sizeof(*board->shared));
	free(board);
}

bool
board_publish(struct board *board, const char *text, size_t length)
{
	struct board_shared *shared = board->shared;
	uint32_t next = 1 - atomic_load(&shared->newest);
	struct board_page *page = &shared->pages[next];

	if (length > BOARD_MOST)
		return false;
	atomic_fetch_add(&page->count, 1);
	atomic_thread_fence(memory_order_seq_cst);
	memcpy(page->text, text, length);
	atomic_store(&page->length, length);
	atomic_fetch_add(&page->count, 1);
	atomic_store(&shared->newest, next);
	return true;
}

bool
board_read(const struct board *board, struct str *to)
{
	struct board_shared *shared = board->shared;

	for (int i = 0; i < TRIALS; i++) {
		struct board_page *page =
			&shared->pages[atomic_load(&shared->newest)];
		uint64_t count = atomic_load(&page->count);
		size_t length = atomic_load(&page->length);

		if (count % 2)
			continue;
		str_clear(to);
		str_add_bytes(to, page->text, length);
		atomic_thread_fence(memory_order_seq_cst);
		if (atomic_load(&page->count) == count)
			return true;
	}
	return false;
}
