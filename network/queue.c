/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring of bytes. `put` and `taken` count all bytes that were ever put in and
 * taken out or dropped; the place of a byte is the rest of its number divided
 * by the room.
 *
 * The oldest text belongs to whichever process moves `taken` behind it with one
 * compare-and-exchange: the reader, after it has copied the text, or the
 * writer, before it overwrites it. If the reader is second, its copy is thrown
 * away. So each text is either taken or counted as dropped, never both.
 */
#include "network/queue.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

struct queue_shared {
	_Atomic uint64_t put, taken;
	_Atomic uint64_t dropped; /* the items of all texts that were dropped */
	unsigned char bytes[];
};

struct queue {
	struct queue_shared *shared;
	size_t room, size;
};

struct queue_head {
	uint32_t length, items;
};

struct queue *
queue_new(size_t room)
{
	size_t size = sizeof(struct queue_shared) + room;
	void *shared = mmap(NULL, size, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	struct queue *queue;

	assert(room > 0 && (room & (room - 1)) == 0);
	if (shared == MAP_FAILED)
		return NULL;
	queue = xcalloc(1, sizeof(*queue));
	*queue = (struct queue){ shared, room, size };
	return queue;
}

void
queue_free(struct queue *queue)
{
	if (!queue)
		return;
	munmap(queue->shared, queue->size);
	free(queue);
}

static void
copy_in(struct queue *queue, uint64_t at, const void *bytes, size_t length)
{
	size_t place = at & (queue->room - 1);
	size_t first = queue->room - place;

	if (first > length)
		first = length;
	memcpy(queue->shared->bytes + place, bytes, first);
	memcpy(queue->shared->bytes, (const char *)bytes + first,
	       length - first);
}

static void
copy_out(const struct queue *queue, uint64_t at, void *bytes, size_t length)
{
	size_t place = at & (queue->room - 1);
	size_t first = queue->room - place;

	if (first > length)
		first = length;
	memcpy(bytes, queue->shared->bytes + place, first);
	memcpy((char *)bytes + first, queue->shared->bytes, length - first);
}

/* Drops the text at `taken`, unless the reader takes it just now. */
static void
drop_oldest(struct queue *queue, uint64_t taken)
{
	struct queue_head head;

	copy_out(queue, taken, &head, sizeof(head));
	if (atomic_compare_exchange_strong(&queue->shared->taken, &taken,
					   taken + sizeof(head) + head.length))
		atomic_fetch_add(&queue->shared->dropped, head.items);
}

void
queue_put(struct queue *queue, const char *text, size_t length, uint32_t items)
{
	struct queue_shared *shared = queue->shared;
	struct queue_head head = { (uint32_t)length, items };
	uint64_t put = atomic_load(&shared->put), taken;

	if (length > queue->room - sizeof(head)) {
		atomic_fetch_add(&shared->dropped, items);
		return;
	}
	while (taken = atomic_load(&shared->taken),
	       put + sizeof(head) + length - taken > queue->room)
		drop_oldest(queue, taken);
	copy_in(queue, put, &head, sizeof(head));
	copy_in(queue, put + sizeof(head), text, length);
	atomic_store(&shared->put, put + sizeof(head) + length);
}

bool
queue_take(struct queue *queue, struct str *to, uint32_t *ret_items)
{
	struct queue_shared *shared = queue->shared;

	for (;;) {
		uint64_t taken = atomic_load(&shared->taken);
		uint64_t put = atomic_load(&shared->put);
		struct queue_head head;

		if (taken == put)
			return false;
		copy_out(queue, taken, &head, sizeof(head));
		/* A head that was overwritten meanwhile may say anything. */
		if (atomic_load(&shared->taken) != taken)
			continue;
		str_clear(to);
		str_add_repeated(to, '\0', head.length);
		copy_out(queue, taken + sizeof(head), to->text, head.length);
		if (!atomic_compare_exchange_strong(&shared->taken, &taken,
						    taken + sizeof(head) +
							    head.length))
			continue;
		*ret_items = head.items;
		return true;
	}
}

uint64_t
queue_dropped(const struct queue *queue)
{
	return atomic_load(&queue->shared->dropped);
}
