/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A doubly linked list. The links are members of the items. The head is a
 * struct list; in an empty list its links point at itself.
 */
#ifndef BASE_LIST_H
#define BASE_LIST_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>

struct list {
	struct list *next;
	struct list *previous;
};

static inline void
list_init(struct list *list)
{
	list->next = list->previous = list;
}

static inline bool
list_empty(const struct list *list)
{
	return list->next == list;
}

/* Adds item at the end of the list. */
static inline void
list_append(struct list *list, struct list *item)
{
	item->next = list;
	item->previous = list->previous;
	list->previous->next = item;
	list->previous = item;
}

/* Takes item out of its list; it is then a list of its own. */
static inline void
list_remove(struct list *item)
{
	item->previous->next = item->next;
	item->next->previous = item->previous;
	list_init(item);
}

#define list_item(link, type, member) container_of(link, type, member)

/* A loop over the items, whose body may remove the current item. */
#define list_each(link, after, head)                                \
	for (struct list *link = (head)->next, *after = link->next; \
	     link != (head); link = after, after = link->next)

#endif
