/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libdwfl unwinds the stack. We tell it the modules, and it asks for registers
 * and words of memory; it never touches the process. Memory is read through a
 * read cache, so a stack that is walked again costs one system call.
 *
 * A walk needs the thread held, and naming the frames needs debug information,
 * which takes milliseconds to read. So they are two steps.
 *
 * A return address is the instruction behind the call, which may already belong
 * to the next line or function. So a frame is looked up at the byte before it,
 * except the innermost frame and a frame that a signal has interrupted. If a
 * thread is at an entry or a return, libdwfl gets its registers as if the
 * thread were inside its caller's call, at that byte. Then it does not matter
 * what the function itself has done, or which tables a PLT has.
 *
 * If a thread was not stopped, its frame pointer is not known. A function that
 * allocates stack space at run time (alloca(), libffi) addresses its whole
 * frame with the frame pointer. Then the function's return address is searched
 * on the stack, which gives the frame pointer, and the walk continues from that
 * frame.
 *
 * Stacks may be damaged: the walk ends at a frame whose stack pointer is not
 * further out than the previous frame's. A frame that a signal interrupted is
 * an exception, because the handler may have its own stack.
 */
#include "stacks/native.h"

#include "base/die.h"
#include "base/log.h"
#include "stacks/caller.h"
#include "stacks/native_places.h"
#include "stacks/read_cache.h"
#include "symbols/fde.h"

#include <dwarf.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define ANY_THREAD 1

struct native {
	const struct arch *arch;
	Dwfl *dwfl;
	/* An empty ELF file of the architecture, which tells libdwfl the
	 * machine. */
	union {
		Elf64_Ehdr wide;
		Elf32_Ehdr narrow;
	} header;
	Elf *machine;
	struct read_cache cache;
	struct native_modules modules;
	struct native_places places;
	/* Where the current walk starts. */
	const struct native_start *start;
	struct stack *stack;
	bool ended; /* the walk was ended by our decision, not libdwfl's */
	/* the walk continues from the last frame, which was added already */
	bool again;
	addr_t base; /* the frame pointer with which the walk continues */
	/* how many frames were there before the walk continued */
	size_t begun_at;
};

/* ---- what libdwfl asks -----------------------------------------------------
 */

static pid_t
next_thread(Dwfl *dwfl, void *user, void **ret_thread)
{
	(void)dwfl;
	(void)user;
	(void)ret_thread;
	return 0;
}

static bool
find_thread(Dwfl *dwfl, pid_t tid, void *user, void **ret_thread)
{
	(void)dwfl;
	*ret_thread = user;
	return tid == ANY_THREAD;
}

static bool
read_word(Dwfl *dwfl, Dwarf_Addr at, Dwarf_Word *ret_word, void *user)
{
	struct native *native = user;
	uint64_t word;

	(void)dwfl;
	if (reader_word(&native->cache.reader, at, native->arch->word, &word) <
	    0)
		return false;
	*ret_word = word;
	return true;
}

/*
 * Sets the registers with which the walk continues at the last frame. Its pc is
 * a return address, so the address before it, inside the call, is used. The
 * innermost frame has made no call, and keeps its pc.
 */
static void
begin_at_last(const struct native *native, Dwarf_Word *words)
{
	const struct arch_dwarf *dwarf = native->arch->dwarf;
	const struct stack *stack = native->stack;
	const struct frame *last = &stack->at[stack->count - 1];

	words[dwarf->sp] = last->at;
	words[dwarf->pc] = stack->count == 1 ? last->pc : last->pc - 1;
}

static bool
give(Dwfl_Thread *thread, unsigned number, const Dwarf_Word *word)
{
	return dwfl_thread_state_registers(thread, (int)number, 1, word);
}

static bool
give_registers(Dwfl_Thread *thread, void *user)
{
	struct native *native = user;
	const struct native_start *start = native->start;
	const struct arch_calling *calling = native->arch->calling;
	const struct arch_dwarf *dwarf = native->arch->dwarf;
	Dwarf_Word words[DWARF_REGISTERS_MOST];
	addr_t back;

	for (unsigned n = 0; n < dwarf->count; n++)
		words[n] = dwarf->get(start->regs, n);
	if (start->place == NATIVE_CALLED) {
		if (calling->return_address(start->regs, &native->cache.reader,
					    &back) < 0)
			return false;
		words[dwarf->sp] += calling->pushed;
		words[dwarf->pc] = back;
	}
	if (start->place != NATIVE_STOPPED)
		words[dwarf->pc]--;
	if (native->again)
		begin_at_last(native, words);
	dwfl_thread_state_register_pc(thread, words[dwarf->pc]);
	if (native->again && !give(thread, dwarf->frame, &native->base))
		return false;
	if (start->few)
		return give(thread, dwarf->sp, &words[dwarf->sp]) &&
		       give(thread, dwarf->pc, &words[dwarf->pc]);
	return dwfl_thread_state_registers(thread, 0, dwarf->count, words);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = find_thread,
	.memory_read = read_word,
	.set_initial_registers = give_registers,
};

/* ---- walking ---------------------------------------------------------------
 */

static void
keep_registers(const struct native *native, Dwfl_Frame *state, size_t i)
{
	struct native_registers *kept = &native->start->registers[i];

	kept->known = 0;
	for (unsigned n = 0; n < native->arch->dwarf->count; n++) {
		Dwarf_Word word;

		if (dwfl_frame_reg(state, n, &word) != 0)
			continue;
		kept->value[n] = word;
		kept->known |= UINT64_C(1) << n;
	}
}

static char *
copy(struct stack *stack, const char *text)
{
	return text ? arena_strdup(stack->arena, text) : NULL;
}

static void
add_frame(struct native *native, addr_t pc, addr_t sp, bool interrupted)
{
	struct stack *stack = native->stack;
	struct frame *frame = stack_push(stack, FRAME_NATIVE, sp);
	const struct reported *reported;

	frame->pc = pc;
	frame->within = interrupted ? pc : pc - 1;
	reported = native_modules_reported(
		dwfl_addrmodule(native->dwfl, frame->within));
	if (reported) {
		frame->module = copy(stack, reported->label);
		frame->base = reported->bias;
	}
}

static int
end_here(struct native *native)
{
	native->ended = true;
	return DWARF_CB_ABORT;
}

static int
take_frame(Dwfl_Frame *state, void *user)
{
	struct native *native = user;
	struct stack *stack = native->stack;
	bool first = stack->count == 0, interrupted;
	Dwarf_Addr pc;
	Dwarf_Word sp;

	if (native->again) {
		native->again = false;
		return DWARF_CB_OK;
	}
	if (!dwfl_frame_pc(state, &pc, &interrupted) ||
	    dwfl_frame_reg(state, native->arch->dwarf->sp, &sp) != 0)
		return end_here(native);
	if (first && native->start->place != NATIVE_STOPPED) {
		pc++;
		interrupted = false;
	}
	if (!first && !interrupted && sp <= stack->at[stack->count - 1].at)
		return end_here(native);
	if (native->start->registers)
		keep_registers(native, state, stack->count);
	add_frame(native, pc, sp, interrupted);
	return stack_full(stack) ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* The unwinding rules of the last frame; NULL, or to be freed. */
static Dwarf_Frame *
rules_of_last(const struct native *native)
{
	const struct stack *stack = native->stack;
	addr_t pc = stack->count ? stack->at[stack->count - 1].pc - 1 : 0;
	Dwfl_Module *module = dwfl_addrmodule(native->dwfl, pc);
	Dwarf_Frame *frame;
	Dwarf_Addr bias;
	Dwarf_CFI *cfi;

	cfi = module ? dwfl_module_eh_cfi(module, &bias) : NULL;
	if (!cfi || dwarf_cfi_addrframe(cfi, pc - bias, &frame) != 0)
		return NULL;
	return frame;
}

/*
 * If few registers are known, libdwfl ends the walk in the same way at a
 * missing register and at the outermost frame. The outermost frame's table says
 * that its return address is undefined (dwarf_frame_register(): no operations,
 * and no pointer in their place).
 */
static bool
has_no_caller(const struct native *native)
{
	Dwarf_Frame *frame = rules_of_last(native);
	Dwarf_Op memory[3], *operations;
	size_t count;
	bool none;

	if (!frame)
		return false;
	none = dwarf_frame_register(frame, (int)native->arch->dwarf->back,
				    memory, &operations, &count) == 0 &&
	       count == 0 && operations == memory;
	free(frame);
	return none;
}

/* Does the last frame end this many bytes behind the frame pointer? */
static bool
ends_behind_base(const struct native *native, int64_t *ret_bytes)
{
	Dwarf_Frame *frame = rules_of_last(native);
	Dwarf_Op *rule;
	size_t count;
	bool does = false;

	if (!frame)
		return false;
	if (dwarf_frame_cfa(frame, &rule, &count) == 0 && count == 1 &&
	    rule->atom == DW_OP_bregx &&
	    rule->number == native->arch->dwarf->frame) {
		*ret_bytes = (int64_t)rule->number2;
		does = true;
	}
	free(frame);
	return does;
}

/* The beginning of the function at that address, with or without a symbol; or
 * 0. */
static addr_t
function_around(const struct modmap *modules, addr_t within)
{
	const struct module *module = modmap_covering(modules, within);
	addr_t start, end;

	if (!module || !image_code_around(module->image, within - module->bias,
					  &start, &end))
		return 0;
	return module->bias + start;
}

/* Can the missing frame pointer of the last frame be found? */
static bool
find_base(struct native *native, const struct modmap *modules)
{
	const struct stack *stack = native->stack;
	const struct frame *last = &stack->at[stack->count - 1];
	addr_t function = function_around(modules, last->pc - 1), back;
	int64_t bytes;

	if (!function || !ends_behind_base(native, &bytes))
		return false;
	back = caller_find(native->arch, &native->cache.reader, modules,
			   last->at, function);
	native->base = back + native->arch->calling->pushed - (addr_t)bytes;
	return back && native->base >= last->at;
}

static int
walk_from(struct native *native)
{
	return dwfl_getthread_frames(native->dwfl, ANY_THREAD, take_frame,
				     native);
}

/* Prepares the walk to continue after a frame for which a register was missing.
 * Returns false if it cannot continue. */
static bool
continue_walk(struct native *native, const struct modmap *modules)
{
	const struct stack *stack = native->stack;

	if (stack->count == 0 || stack_full(stack) ||
	    stack->count == native->begun_at || has_no_caller(native) ||
	    !find_base(native, modules))
		return false;
	native->begun_at = stack->count;
	native->again = true;
	return true;
}

void
native_walk(struct native *native, const struct modmap *modules,
	    struct reader *memory, const struct native_start *start,
	    struct stack *stack)
{
	int r;

	if (stack_full(stack))
		return;
	if (native->places.abandoned) {
		stack->partial = true;
		return;
	}
	if (native_modules_follow(&native->modules, modules, memory))
		native_places_forget(&native->places);
	read_cache_begin(&native->cache, memory);
	native->start = start;
	native->stack = stack;
	native->ended = native->again = false;
	native->begun_at = 0;
	r = walk_from(native);
	while (r == 0 && start->few && !native->ended &&
	       continue_walk(native, modules))
		r = walk_from(native);
	if (r == 0 && start->few)
		stack->partial = !has_no_caller(native);
	if (r < 0 || native->ended)
		stack->partial = true;
	stack->partial_perhaps = r < 0 && !native->ended;
}

/* ---- naming ----------------------------------------------------------------
 */

void
native_prepare(struct native *native, const struct modmap *modules,
	       struct reader *memory)
{
	if (native->places.abandoned)
		return;
	if (native_modules_follow(&native->modules, modules, memory))
		native_places_forget(&native->places);
	native_modules_read(&native->modules);
}

bool
native_knows(const struct native *native, const struct stack *stack, bool lines)
{
	for (size_t i = 0; i < stack->count; i++)
		if (!native_place_known(&native->places, stack->at[i].within,
					lines))
			return false;
	return true;
}

/*
 * Is the last frame in the first function of the program (its ELF entry)? With
 * musl this function has no unwinding table, so libdwfl ends the walk there
 * with an error.
 */
static bool
is_outermost(const struct stack *stack, const struct modmap *modules)
{
	const struct frame *last;
	const struct module *module;

	if (stack->count == 0)
		return false;
	last = &stack->at[stack->count - 1];
	module = modmap_covering(modules, last->pc);
	return module && last->start &&
	       last->start == module->bias + image_entry(module->image);
}

void
native_name(struct native *native, const struct modmap *modules,
	    struct stack *stack, bool lines)
{
	for (size_t i = 0; i < stack->count; i++) {
		struct frame *frame = &stack->at[i];
		Dwfl_Module *module =
			native->places.abandoned
				? NULL
				: dwfl_addrmodule(native->dwfl, frame->within);
		const struct native_location *place =
			native_place(&native->places, module,
				     modmap_covering(modules, frame->within),
				     frame->within, lines);

		frame->start = place->start;
		frame->function = copy(stack, place->function);
		frame->file = copy(stack, place->file);
		frame->line = place->line;
	}
	if (stack->partial_perhaps && is_outermost(stack, modules))
		stack->partial = false;
	stack->partial_perhaps = false;
}

/* ---- its life --------------------------------------------------------------
 */

static Elf *
machine_file(struct native *native)
{
	const struct arch_elf *elf = &native->arch->elf;
	const unsigned char ident[EI_NIDENT] = {
		ELFMAG0,    ELFMAG1,   ELFMAG2,	   ELFMAG3,
		elf->class, elf->data, EV_CURRENT,
	};

	if (elf->class == ELFCLASS32) {
		native->header.narrow = (Elf32_Ehdr){
			.e_type = ET_EXEC,
			.e_machine = elf->machine,
			.e_version = EV_CURRENT,
			.e_ehsize = sizeof(Elf32_Ehdr),
		};
		memcpy(native->header.narrow.e_ident, ident, sizeof(ident));
		return elf_memory((char *)&native->header, sizeof(Elf32_Ehdr));
	}
	native->header.wide = (Elf64_Ehdr){
		.e_type = ET_EXEC,
		.e_machine = elf->machine,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
	};
	memcpy(native->header.wide.e_ident, ident, sizeof(ident));
	return elf_memory((char *)&native->header, sizeof(Elf64_Ehdr));
}

struct native *
native_new(const struct arch *arch)
{
	struct native *native = xcalloc(1, sizeof(*native));

	native->arch = arch;
	elf_version(EV_CURRENT);
	read_cache_init(&native->cache);
	native_places_init(&native->places);
	native->machine = machine_file(native);
	native->dwfl = dwfl_begin(&native_callbacks);
	/* dwfl_begin() and elf_memory() can fail only if memory is short. */
	if (!native->dwfl || !native->machine)
		die("out of memory");
	if (!dwfl_attach_state(native->dwfl, native->machine, ANY_THREAD,
			       &thread_callbacks, native))
		debug("libdwfl: %s", dwfl_errmsg(-1));
	native_modules_init(&native->modules, native->dwfl);
	return native;
}

void
native_free(struct native *native)
{
	if (!native)
		return;
	if (!native->places.abandoned) {
		dwfl_end(native->dwfl);
		elf_end(native->machine);
		native_modules_release(&native->modules);
	}
	native_places_release(&native->places);
	read_cache_release(&native->cache);
	free(native);
}

void
native_vdso(struct native *native, addr_t address)
{
	native->modules.vdso = address;
}
