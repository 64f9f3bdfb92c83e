/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of a jump: where it leads, its springboard, its check, and the
 * window's instructions for threads that have stopped. No thread comes there
 * before the jump's bytes are written. The springboard is made last, so that
 * another place can be taken if the program has mapped memory there meanwhile.
 */
#include "breakpoints/jumps_parts.h"

#include "arch/code.h"
#include "breakpoints/boards.h"
#include "breakpoints/room.h"

#include <errno.h>

/* How many places are tried for a springboard. */
#define PLACES_MOST 4

static int
place(struct sites *sites, const struct maps *maps, const struct code *from,
      struct jumping *jumping, const char **ret_why)
{
	const struct arch_jump *arch = jumps_arch(sites);
	struct board_rooms rooms = { 0 };
	struct window window;
	int r = arch->window(from, &sites->limits, &window, ret_why);

	if (r < 0)
		return r;
	boards_rooms(&sites->boards, maps, from->at, arch->board_length,
		     &rooms);
	if (!arch->place(&window, from->at, rooms.list.at, rooms.list.count,
			 &jumping->jump)) {
		*ret_why = "no free memory at an address that it could name";
		r = -ENOSPC;
	}
	vec_release(&rooms.list);
	return r;
}

/* Makes the check of a jump, and writes it into the tracee. */
static int
make_check(struct sites *sites, const struct code *from,
	   const struct jump_request *request, struct jumping *jumping,
	   struct thread *thread)
{
	int r;

	jumping->check_at = room_take(sites, from->at, CHECK_ROOM, thread, &r);
	if (!jumping->check_at)
		return r;
	r = jumps_arch(sites)->check(from, request->conditions, request->count,
				     jumping->check_at, &jumping->check);
	slots_trim(&sites->slots, jumping->check_at, CHECK_ROOM,
		   r == 0 ? jumping->check.length : 0);
	if (r < 0)
		return r;
	return space_write(sites->space, jumping->check_at,
			   jumping->check.bytes, jumping->check.length);
}

static int
make_own(struct sites *sites, const struct code *from, struct jumping *jumping,
	 struct thread *thread, const char **ret_why)
{
	struct relocate_limits limits = sites->limits;
	int r;

	limits.cover = jumps_arch(sites)->length;
	jumping->own_at =
		room_take(sites, from->at, WINDOW_SLOT_ROOM, thread, &r);
	if (!jumping->own_at)
		return r;
	r = sites->space->arch->relocate(from, jumping->own_at, &limits,
					 &jumping->own, ret_why);
	slots_trim(&sites->slots, jumping->own_at, WINDOW_SLOT_ROOM,
		   r == 0 ? jumping->own.length : 0);
	if (r < 0)
		return r;
	return space_write(sites->space, jumping->own_at, jumping->own.bytes,
			   jumping->own.length);
}

static int
make_board(struct sites *sites, struct jumping *jumping, struct thread *thread)
{
	unsigned length = jumps_arch(sites)->board_length;
	addr_t board = jumping->jump.board;
	struct jump_room room = { board, board + length };
	uint8_t bytes[JUMP_MOST];
	int r;

	if (!jumps_arch(sites)->board(board, jumping->check_at, bytes))
		return -ERANGE;
	r = boards_take(&sites->boards, &sites->slots, sites->table, thread,
			room);
	if (r == 0)
		r = survive_regions(&sites->survive, &sites->slots,
				    sites->space);
	if (r == 0)
		r = space_write(sites->space, board, bytes, length);
	return r;
}

static int
make_board_elsewhere(struct sites *sites, const struct code *from,
		     struct jump_request *request, struct jumping *jumping,
		     struct thread *thread)
{
	struct maps now = { 0 };
	int r = maps_read(&now, sites->space->pid);

	if (r == 0)
		r = place(sites, &now, from, jumping, &request->why);
	maps_release(&now);
	return r < 0 ? r : make_board(sites, jumping, thread);
}

int
jumps_build(struct sites *sites, const struct maps *maps,
	    struct jump_request *request, struct jumping *jumping,
	    struct thread *thread)
{
	addr_t at = request->site->address;
	uint8_t bytes[RELOCATE_WINDOW];
	long have =
		reader_some(&sites->space->reader, at, bytes, sizeof(bytes));
	struct code from = { bytes, have > 0 ? (size_t)have : 0, at };
	int r = place(sites, maps, &from, jumping, &request->why);

	if (r == 0) {
		request->why = "there is no room for its check";
		r = make_check(sites, &from, request, jumping, thread);
	}
	if (r == 0)
		r = make_own(sites, &from, jumping, thread, &request->why);
	if (r == 0) {
		request->why = "its springboard cannot be mapped";
		r = make_board(sites, jumping, thread);
	}
	for (int tried = 1; r == -EEXIST && tried < PLACES_MOST; tried++)
		r = make_board_elsewhere(sites, &from, request, jumping,
					 thread);
	return r;
}
