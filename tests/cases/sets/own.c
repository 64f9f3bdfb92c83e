/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A set of one's own with every act, for a library that no shipped file
 * describes.
 *
 * LIB: libdesk.so -DDESK -O2
 * LDFLAGS: -ldesk
 * FILE: types.conf: typedef state = enum(FREE, BUSY, BROKEN);
 * FILE: types.conf: state desk_state(desk *d);
 * FILE: types.conf: int desk_fault(desk *d);
 * FILE: types.conf: string desk_complaint(desk *d);
 * FILE: desk.conf: set "what is asked of a desk";
 * FILE: desk.conf: import "types.conf"
 * FILE: desk.conf: int desk_ask(desk *d, string question, string name);
 * FILE: desk.conf: int desk_learn(desk *d, string name, string question);
 * FILE: desk.conf: int desk_repeat(desk *d, string name);
 * FILE: desk.conf: int desk_send(desk *d, string question);
 * FILE: desk.conf: int desk_wait(desk *d);
 * FILE: desk.conf: void desk_close(desk *d);
 * FILE: desk.conf: probe desk_ask {
 * FILE: desk.conf:     show question;
 * FILE: desk.conf:     bind name;
 * FILE: desk.conf:     result desk_state(d);
 * FILE: desk.conf:     error desk_fault(d), "HY000",
 * FILE: desk.conf:         desk_complaint(d) if retval < 0;
 * FILE: desk.conf:     rows retval if retval >= 0;
 * FILE: desk.conf: }
 * FILE: desk.conf: probe desk_learn {
 * FILE: desk.conf:     keep question as known[d, name] if retval >= 0;
 * FILE: desk.conf:     show question if retval < 0;
 * FILE: desk.conf: }
 * FILE: desk.conf: probe desk_repeat {
 * FILE: desk.conf:     recall question from known[d, name];
 * FILE: desk.conf:     show question;
 * FILE: desk.conf: }
 * FILE: desk.conf: probe desk_send {
 * FILE: desk.conf:     begin asked[d] if !retval;
 * FILE: desk.conf:     show question;
 * FILE: desk.conf: }
 * FILE: desk.conf: probe desk_wait {
 * FILE: desk.conf:     end asked[d] if retval != 1;
 * FILE: desk.conf:     rows 1 if retval == 1;
 * FILE: desk.conf: }
 * FILE: desk.conf: probe desk_close {
 * FILE: desk.conf:     forget known[d];
 * FILE: desk.conf:     forget asked[d];
 * FILE: desk.conf: }
 *
 * RUN: xtrace --set %d/desk.conf %t
 * EXPECT:
 *   %time desk_ask "when?" = FREE <%dur>
 *   %time desk_ask "why?" = BROKEN ERROR 7 (HY000) "it \"broke\"" <%dur>
 *   %time desk_repeat "how?" = 4 <%dur>
 *   %time desk_learn "" = -1 <%dur>
 *   %time desk_repeat ? %hex "a" = 0 <%dur>
 *   %time desk_send "" = -1 <%dur>
 *   %time desk_send "where?" = 0 <%dur>
 *   %time desk_send "who?" <unfinished ...> <%dur+>
 *   %time desk_repeat ? %hex "b" = 0 <%dur>
 *   %time +++ exited (status 0) +++
 *
 * RUN: xtrace --bind --set %d/desk.conf -x desk_ask --if 'question ~ /w/' %t
 * EXPECT:
 *   %time desk_ask "when?" "Ada" = FREE <%dur>
 *   %time desk_ask "why?" "Bo" = BROKEN ERROR 7 (HY000) "it \"broke\"" <%dur>
 *   %time desk_repeat "how?" = 4 <%dur>
 *   %time desk_send "where?" = 0 <%dur>
 *   %time desk_send "who?" <unfinished ...> <%dur+>
 *   %time +++ exited (status 0) +++
 */
#include <string.h>

struct desk {
	char paint[40];
	int state, fault, waits;
	char complaint[20];
};

int desk_ask(struct desk *desk, const char *question, const char *name);
int desk_learn(struct desk *desk, const char *name, const char *question);
int desk_repeat(struct desk *desk, const char *name);
int desk_send(struct desk *desk, const char *question);
int desk_wait(struct desk *desk);
void desk_close(struct desk *desk);
int desk_state(struct desk *desk);
int desk_fault(struct desk *desk);
const char *desk_complaint(struct desk *desk);

#ifdef DESK

static char learnt[64];

int
desk_state(struct desk *desk)
{
	return desk ? desk->state : 2;
}

int
desk_fault(struct desk *desk)
{
	return desk->fault;
}

const char *
desk_complaint(struct desk *desk)
{
	return desk ? desk->complaint : "no desk";
}

/* Calls other functions by their exported names. Only this function is shown.
 */
int
desk_ask(struct desk *desk, const char *question, const char *name)
{
	desk_send(desk, question);
	while (desk_wait(desk) == 1)
		;
	desk->state = strcmp(question, "why?") ? 0 : 2;
	desk->fault = desk->state ? 7 : 0;
	strcpy(desk->complaint, desk->state ? "it \"broke\"\n" : "");
	return desk->state ? -1 : (int)strlen(name);
}

int
desk_learn(struct desk *desk, const char *name, const char *question)
{
	if (!*question)
		return -1;
	strcpy(learnt, question);
	return desk->fault + *name;
}

int
desk_repeat(struct desk *desk, const char *name)
{
	return *name && desk->paint[0] == 'k' ? (int)strlen(learnt) : 0;
}

int
desk_send(struct desk *desk, const char *question)
{
	desk->waits = 2;
	return *question ? 0 : -1;
}

int
desk_wait(struct desk *desk)
{
	return desk->waits-- > 0;
}

void
desk_close(struct desk *desk)
{
	desk->paint[0] = '\0';
}

#else

int
main(void)
{
	struct desk desk = { .paint = "" };

	desk_ask(&desk, "when?", "Ada");
	desk_ask(&desk, "why?", "Bo");
	desk_learn(&desk, "a", "how?");
	desk.paint[0] = 'k';
	desk_repeat(&desk, "a");
	desk_learn(&desk, "a", "");
	desk_close(&desk);
	desk_repeat(&desk, "a");
	desk_send(&desk, "where?");
	desk_send(&desk, "");
	while (desk_wait(&desk) == 1)
		;
	desk_send(&desk, "who?");
	desk_close(&desk);
	desk_repeat(&desk, "b");
	return 0;
}

#endif
