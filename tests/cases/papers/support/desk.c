/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The example in CONTRIBUTING.md: a library whose functions ask a desk, and
 * with -DPROGRAM a program that uses the library. For walk-driver.py.
 */
struct desk {
	int fault;
	const char *complaint;
};

int desk_ask(struct desk *desk, const char *question);
int desk_fault(const struct desk *desk);
const char *desk_complaint(const struct desk *desk);

#ifdef PROGRAM
int
main(void)
{
	struct desk desk = { 0, "" };

	desk_ask(&desk, "SELECT 1");
	desk_ask(&desk, "");
	return 0;
}
#else
int
desk_ask(struct desk *desk, const char *question)
{
	desk->fault = question[0] ? 0 : 7;
	desk->complaint = question[0] ? "" : "empty question";
	return question[0] ? 3 : -1;
}

int
desk_fault(const struct desk *desk)
{
	return desk->fault;
}

const char *
desk_complaint(const struct desk *desk)
{
	return desk->complaint;
}
#endif
