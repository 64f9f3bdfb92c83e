/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kernel loads and stores complete states for us. The handler of our own
 * int3 replaces the registers in its frame by the wanted state, so that its
 * return starts the code. The signal that ends the code brings a frame with the
 * final state, and its handler restores our registers. The frames are on an
 * alternate stack, so that rsp may have any value.
 *
 * The vector registers are in the frame in the XSAVE format, with a header that
 * tells which parts are present (Intel SDM 1, 13.4; the kernel's
 * arch/x86/include/uapi/asm/sigcontext.h for the words at 464).
 */
#include "tests/unit/arch/machine.h"

#include "base/attr.h"
#include "tests/unit/checks.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * The address of the memory. Sums of two to nine such addresses are not
 * canonical, or far from all mappings.
 */
#define HOME 0x1a0000000000u
#define NEAR (HOME + 0x100000u)
#define DATA (HOME + 0x200000u)
#define CALLEES (HOME + 0x300000u)
#define FAR (HOME + 0x1000000000u)

#define ALTERNATE_STACK 65536
#define MAGIC_AT 464
#define MAGIC 0x46505853u
#define HEADER_AT 512
#define YMMH_AT 576
#define X87_AND_SSE 3u
#define YMMH 4u

static struct {
	const struct machine_state *in;
	struct machine_state *out;
	struct machine_state own;
	char stack[ALTERNATE_STACK];
} running;

/* The place of the upper halves in the frame, or NULL if the processor has
 * none. */
static uint8_t *
ymmh_of(uint8_t *fx)
{
	uint32_t magic;
	uint64_t features;

	memcpy(&magic, fx + MAGIC_AT, sizeof(magic));
	memcpy(&features, fx + MAGIC_AT + 8, sizeof(features));
	return magic == MAGIC && features & YMMH ? fx + YMMH_AT : NULL;
}

static void
mark_present(uint8_t *fx, uint64_t parts)
{
	uint64_t present;

	memcpy(&present, fx + HEADER_AT, sizeof(present));
	present |= parts;
	memcpy(fx + HEADER_AT, &present, sizeof(present));
}

static void
store_state(ucontext_t *frame, struct machine_state *state)
{
	uint8_t *fx = (uint8_t *)frame->uc_mcontext.fpregs;
	uint8_t *ymmh = ymmh_of(fx);
	uint64_t present = 0;

	memcpy(state->gregs, frame->uc_mcontext.gregs, sizeof(state->gregs));
	memcpy(state->fx, fx, MACHINE_FX);
	memset(state->ymmh, 0, MACHINE_YMMH);
	if (!ymmh)
		return;
	memcpy(&present, fx + HEADER_AT, sizeof(present));
	if (present & YMMH)
		memcpy(state->ymmh, ymmh, MACHINE_YMMH);
}

static void
load_state(ucontext_t *frame, const struct machine_state *state)
{
	uint8_t *fx = (uint8_t *)frame->uc_mcontext.fpregs;
	uint8_t *ymmh = ymmh_of(fx);

	memcpy(frame->uc_mcontext.gregs, state->gregs, sizeof(state->gregs));
	memcpy(fx, state->fx, MAGIC_AT);
	if (!ymmh)
		return;
	memcpy(ymmh, state->ymmh, MACHINE_YMMH);
	mark_present(fx, X87_AND_SSE | YMMH);
}

static void
on_signal(int signal, siginfo_t *info, void *context)
{
	ucontext_t *frame = context;
	struct machine_state *out = running.out;

	if (running.in) {
		store_state(frame, &running.own);
		load_state(frame, running.in);
		running.in = NULL;
		return;
	}
	store_state(frame, out);
	out->signal = signal;
	out->fault = 0;
	if (signal == SIGSEGV || signal == SIGBUS)
		out->fault = (addr_t)info->si_addr;
	load_state(frame, &running.own);
}

void
machine_run(const struct machine_state *in, struct machine_state *ret_out)
{
	struct machine_state full = *in;

	/* x87 and mxcsr stay as they are. */
	running.in = &full;
	running.out = ret_out;
	__asm__ volatile("fxsave64 %0" : "=m"(running.own.fx));
	memcpy(full.fx, running.own.fx, 160);
	__asm__ volatile("int3" ::: "memory");
}

addr_t
machine_end(const struct machine_state *state)
{
	return state->gregs[REG_RIP] - (state->signal == SIGTRAP);
}

static void *
map(addr_t at, size_t size, int protection, int flags, int file)
{
	void *want = (void *)at;
	void *got = mmap(want, size, protection, flags, file, 0);

	ck_assert_ptr_ne(got, MAP_FAILED);
	ck_assert(!at || got == want);
	return got;
}

static void
map_code(struct machine *machine, enum machine_area area, addr_t at)
{
	int file = memfd_create("code", MFD_CLOEXEC);

	ck_assert_int_ge(file, 0);
	ck_assert_int_eq(ftruncate(file, MACHINE_CODE_SIZE), 0);
	machine->code[area] = at;
	map(at, MACHINE_CODE_SIZE, PROT_READ | PROT_EXEC,
	    MAP_SHARED | MAP_FIXED_NOREPLACE, file);
	machine->write[area] = map(0, MACHINE_CODE_SIZE, PROT_READ | PROT_WRITE,
				   MAP_SHARED, file);
	memset(machine->write[area], 0xcc, MACHINE_CODE_SIZE);
	close(file);
}

void
machine_init(struct machine *machine)
{
	static const int ends[] = { SIGTRAP, SIGSEGV, SIGBUS, SIGILL, SIGFPE };
	stack_t stack = { .ss_sp = running.stack, .ss_size = ALTERNATE_STACK };
	struct sigaction action = { .sa_sigaction = on_signal,
				    .sa_flags = SA_ONSTACK | SA_SIGINFO };

	map_code(machine, MACHINE_HOME, HOME);
	map_code(machine, MACHINE_NEAR, NEAR);
	map_code(machine, MACHINE_FAR, FAR);
	map_code(machine, MACHINE_CALLEES, CALLEES);
	machine->data =
		map(DATA, MACHINE_DATA_SIZE, PROT_READ | PROT_WRITE,
		    MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1);
	ck_assert_int_eq(sigaltstack(&stack, NULL), 0);
	for (size_t i = 0; i < array_size(ends); i++)
		ck_assert_int_eq(sigaction(ends[i], &action, NULL), 0);
}

void
machine_regs(const struct machine_state *state, struct regs *ret_regs)
{
	*ret_regs = (struct regs){ 0 };
	ret_regs->gpr.rax = state->gregs[REG_RAX];
	ret_regs->gpr.rcx = state->gregs[REG_RCX];
	ret_regs->gpr.rdx = state->gregs[REG_RDX];
	ret_regs->gpr.rsi = state->gregs[REG_RSI];
	ret_regs->gpr.rdi = state->gregs[REG_RDI];
	ret_regs->gpr.rsp = state->gregs[REG_RSP];
	ret_regs->gpr.eflags = state->gregs[REG_EFL];
}

int
machine_memory_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	memcpy(to, (const void *)(uintptr_t)from, length);
	return 0;
}
