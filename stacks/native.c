/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The unwinding is libdwfl's. It is told of the modules (what they are named
 * and where they lie: report), gets their files as bytes that symbols/ has
 * open already, and asks for registers and words of memory; it never touches
 * the process. Memory is read through a recall, so that a stack that is walked
 * again costs one system call.
 *
 * What a function returns to is the instruction behind its call, which may
 * belong to the next line or function already, so a frame is looked up at the
 * byte before: but not the innermost, nor one that a signal has interrupted.
 * A thread at an entry or a return is given to libdwfl as if it stood within
 * its caller's call, at that byte; what the function itself has done, and what
 * tables a PLT may have or not, then does not matter.
 *
 *	name:  symbols/symtab, as everywhere in the house
 *	line:  libdwfl, from the file or its debug file
 *
 * both of them once for an address and then from `places`. Lines are looked for
 * only where they are wanted: the first one of the C library makes libdwfl
 * unpack 16 MiB of debug information.
 *
 * Of a thread that was not stopped rbp is not known, and a function that makes
 * room on its stack as it goes (alloca(), libffi) has all of its frame by it.
 * Where the function was called from is searched for then, and tells rbp; the
 * walk goes on from that frame with it.
 *
 * Stacks may be damaged: a frame whose stack pointer does not lie further out
 * than that of the one before ends the walk, but for one that was interrupted,
 * since a signal's handler may have a stack of its own.
 */
#include "stacks/native.h"

#include "base/die.h"
#include "base/log.h"
#include "base/map.h"
#include "base/vec.h"
#include "stacks/caller_x86_64.h"
#include "stacks/recall.h"
#include "symbols/debugfile.h"
#include "symbols/demangle.h"
#include "symbols/fde.h"
#include "symbols/symtab.h"

#include <dwarf.h>
#include <elf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define debug(...) debug_of(LOG_STACKS, __VA_ARGS__)

#define ANY_THREAD 1
#define VDSO_MOST (UINT64_C(64) << 10)
/* Addresses that are remembered with their names. */
#define PLACES_MOST 50000u

/* A module as we have told libdwfl of it. */
struct reported {
	unsigned serial;
	struct image *image;
	const char *label;
	addr_t bias;
	bool current;
};

/* What is to be said of an address. */
struct place {
	const char *function, *file;
	unsigned line;
	bool lined; /* looked for in the debug information, found or not */
	addr_t start;
};

struct native {
	Dwfl *dwfl;
	Elf *machine; /* an empty file for x86-64, for libdwfl to know it by */
	struct recall recall;
	unsigned changes; /* of the map, when its modules were reported */
	bool begun;
	vec_of(struct reported *) modules;
	struct map places; /* address -> struct place */
	struct arena names;
	addr_t vdso;
	uint8_t *vdso_bytes;
	struct image *vdso_image;
	/* Of the walk under way. */
	const struct native_start *start;
	struct stack *stack;
	bool ended;	 /* by our own judgement */
	bool again;	 /* from the last frame on, which is there already */
	addr_t base;	 /* ... its rbp */
	size_t begun_at; /* how many frames there were then */
};

/* ---- what libdwfl asks -----------------------------------------------------
 */

static struct reported *
reported_of(Dwfl_Module *module)
{
	void **user;

	if (!module || !dwfl_module_info(module, &user, NULL, NULL, NULL, NULL,
					 NULL, NULL))
		return NULL;
	return *user;
}

static int
find_elf(Dwfl_Module *module, void **user, const char *name, Dwarf_Addr base,
	 char **ret_path, Elf **ret_elf)
{
	struct reported *reported = *user;
	size_t length;
	const void *bytes;

	(void)module;
	(void)name;
	(void)base;
	if (!reported)
		return -1;
	bytes = image_bytes(reported->image, &length);
	/* It is not written to; the type is from when there was no const. */
	*ret_elf = elf_memory((char *)(uintptr_t)bytes, length);
	*ret_path = strdup(image_name(reported->image));
	return -1;
}

static int
find_debuginfo(Dwfl_Module *module, void **user, const char *name,
	       Dwarf_Addr base, const char *path, const char *link,
	       GElf_Word crc, char **ret_path)
{
	const struct reported *reported = *user;
	int fd;

	(void)module;
	(void)name;
	(void)base;
	(void)path;
	(void)link;
	(void)crc;
	if (!reported)
		return -1;
	*ret_path = debugfile_path(reported->image);
	if (!*ret_path)
		return -1;
	fd = open(*ret_path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	free(*ret_path);
	*ret_path = NULL;
	return -1;
}

static const Dwfl_Callbacks callbacks = {
	.find_elf = find_elf,
	.find_debuginfo = find_debuginfo,
};

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
	if (reader_u64(&native->recall.reader, at, &word) < 0)
		return false;
	*ret_word = word;
	return true;
}

/* Within its call, but where that is the kernel's. */
static void
begin_at_last(const struct native *native, Dwarf_Word *words)
{
	const struct stack *stack = native->stack;
	const struct frame *last = &stack->at[stack->count - 1];

	words[NATIVE_RSP] = last->at;
	words[NATIVE_RIP] = stack->count == 1 ? last->pc : last->pc - 1;
}

static bool
give_registers(Dwfl_Thread *thread, void *user)
{
	struct native *native = user;
	const struct native_start *start = native->start;
	const struct user_regs_struct *r = &start->regs->gpr;
	/* psABI, figure 3.36 */
	Dwarf_Word words[NATIVE_REGISTERS] = {
		r->rax, r->rdx, r->rcx, r->rbx, r->rsi, r->rdi,
		r->rbp, r->rsp, r->r8,	r->r9,	r->r10, r->r11,
		r->r12, r->r13, r->r14, r->r15, r->rip,
	};
	uint64_t back;

	if (start->place == NATIVE_CALLED) {
		if (reader_u64(&native->recall.reader, r->rsp, &back) < 0)
			return false;
		words[NATIVE_RSP] += sizeof(back);
		words[NATIVE_RIP] = back;
	}
	if (start->place != NATIVE_STOPPED)
		words[NATIVE_RIP]--;
	if (native->again)
		begin_at_last(native, words);
	dwfl_thread_state_register_pc(thread, words[NATIVE_RIP]);
	if (native->again &&
	    !dwfl_thread_state_registers(thread, NATIVE_RBP, 1, &native->base))
		return false;
	if (start->few)
		return dwfl_thread_state_registers(thread, NATIVE_RSP, 1,
						   &words[NATIVE_RSP]) &&
		       dwfl_thread_state_registers(thread, NATIVE_RIP, 1,
						   &words[NATIVE_RIP]);
	return dwfl_thread_state_registers(thread, 0, NATIVE_REGISTERS, words);
}

static const Dwfl_Thread_Callbacks thread_callbacks = {
	.next_thread = next_thread,
	.get_thread = find_thread,
	.memory_read = read_word,
	.set_initial_registers = give_registers,
};

/* ---- modules ---------------------------------------------------------------
 */

/*
 * The first address of the image as libdwfl takes it: of the first PT_LOAD,
 * rounded down to its own alignment, which may be larger than a page.
 */
static addr_t
first_address(const struct image *image)
{
	size_t length;
	const uint8_t *bytes = image_bytes(image, &length);
	Elf64_Ehdr header;

	if (length < sizeof(header))
		return 0;
	memcpy(&header, bytes, sizeof(header));
	for (size_t i = 0; i < header.e_phnum; i++) {
		uint64_t at = header.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr segment;

		if (at > length || length - at < sizeof(segment))
			return 0;
		memcpy(&segment, bytes + at, sizeof(segment));
		if (segment.p_type == PT_LOAD)
			return segment.p_vaddr & -segment.p_align;
	}
	return 0;
}

static struct reported *
find_reported(const struct native *native, unsigned serial)
{
	for (size_t i = 0; i < native->modules.count; i++) {
		if (native->modules.at[i]->serial == serial)
			return native->modules.at[i];
	}
	return NULL;
}

static struct reported *
add_reported(struct native *native, struct image *image, const char *label,
	     addr_t bias, unsigned serial)
{
	struct reported *reported = xcalloc(1, sizeof(*reported));

	reported->serial = serial;
	reported->image = image_ref(image);
	reported->label = label ? label : image_label(image);
	reported->bias = bias;
	vec_push(&native->modules, reported);
	return reported;
}

static void
free_reported(struct reported *reported)
{
	image_unref(reported->image);
	free(reported);
}

static void
report(struct native *native, struct reported *reported, addr_t end)
{
	addr_t first = reported->bias + first_address(reported->image);
	Dwfl_Module *module;
	char name[24];
	void **user;

	/* Not its path: another file may come to lie at the same place. */
	snprintf(name, sizeof(name), "%u", reported->serial);
	module = dwfl_report_module(native->dwfl, name, first, end);
	if (!module || !dwfl_module_info(module, &user, NULL, NULL, NULL, NULL,
					 NULL, NULL)) {
		debug("%s is not taken: %s", reported->label, dwfl_errmsg(-1));
		return;
	}
	*user = reported;
	reported->current = true;
}

static addr_t
image_end(const struct image *image)
{
	size_t count;
	const struct segment *segments = image_segments(image, &count);
	addr_t end = 0;

	for (size_t i = 0; i < count; i++) {
		if (segments[i].address + segments[i].size > end)
			end = segments[i].address + segments[i].size;
	}
	return end;
}

static void
report_vdso(struct native *native)
{
	struct reported *reported = find_reported(native, 0);

	if (!native->vdso_image)
		return;
	if (!reported)
		reported = add_reported(native, native->vdso_image, "[vdso]",
					native->vdso, 0);
	report(native, reported, native->vdso + image_end(native->vdso_image));
}

static void
forget_places(struct native *native)
{
	map_clear(&native->places);
	arena_clear(&native->names);
}

static void
drop_gone(struct native *native)
{
	for (size_t i = native->modules.count; i-- > 0;) {
		if (native->modules.at[i]->current)
			continue;
		free_reported(native->modules.at[i]);
		vec_remove(&native->modules, i);
		forget_places(native);
	}
}

static void
read_vdso(struct native *native, struct reader *memory)
{
	struct err err;
	long length;

	if (!native->vdso || native->vdso_bytes)
		return;
	native->vdso_bytes = xcalloc(1, VDSO_MOST);
	length = reader_some(memory, native->vdso, native->vdso_bytes,
			     VDSO_MOST);
	if (length <= 0 ||
	    image_open_memory(native->vdso_bytes, (size_t)length, "[vdso]",
			      &native->vdso_image, &err) < 0)
		native->vdso_image = NULL;
}

/* libdwfl does it at the first question, and where there is no memory for it
 * its table is left in disorder (elfutils 0.188). */
static void
sort_addresses(struct native *native)
{
	dwfl_errno(); /* forgets an older error */
	dwfl_addrmodule(native->dwfl, 0);
	if (dwfl_errno())
		die("out of memory");
}

/* Modules that libdwfl keeps are those with the same name and place. */
static void
follow_modules(struct native *native, const struct modmap *modules)
{
	if (native->begun && native->changes == modules->changes)
		return;
	native->begun = true;
	native->changes = modules->changes;
	for (size_t i = 0; i < native->modules.count; i++)
		native->modules.at[i]->current = false;
	dwfl_report_begin(native->dwfl);
	for (size_t i = 0; i < modules->modules.count; i++) {
		const struct module *module = modules->modules.at[i];
		struct reported *reported =
			find_reported(native, module->serial);

		if (!reported)
			reported = add_reported(native, module->image, NULL,
						module->bias, module->serial);
		report(native, reported, module->end);
	}
	report_vdso(native);
	dwfl_report_end(native->dwfl, NULL, NULL);
	sort_addresses(native);
	drop_gone(native);
}

/* ---- names and lines -------------------------------------------------------
 */

/* Where the table of ranges (.debug_aranges) is not there, as with clang, the
 * units are asked one by one. */
static bool
line_by_units(Dwfl_Module *module, addr_t address, struct place *place)
{
	Dwarf_Addr bias;

	for (Dwarf_Die *unit = NULL;
	     (unit = dwfl_module_nextcu(module, unit, &bias));) {
		Dwarf_Line *line;
		int number;

		if (dwarf_haspc(unit, address - bias) != 1)
			continue;
		line = dwarf_getsrc_die(unit, address - bias);
		if (!line || dwarf_lineno(line, &number) != 0)
			return false;
		place->file = dwarf_linesrc(line, NULL, NULL);
		place->line = (unsigned)number;
		return place->file != NULL;
	}
	return false;
}

static void
find_line(Dwfl_Module *module, addr_t address, struct place *place)
{
	Dwfl_Line *line;
	Dwarf_Addr bias;
	int number = 0;

	if (!dwfl_module_getdwarf(module, &bias))
		return;
	line = dwfl_module_getsrc(module, address);
	if (!line) {
		line_by_units(module, address, place);
		return;
	}
	place->file = dwfl_lineinfo(line, NULL, &number, NULL, NULL, NULL);
	place->line = number > 0 ? (unsigned)number : 0;
}

static const char *
plain_name(struct native *native, const char *name)
{
	cleanup(freep) char *plain = demangle_short(name);

	return arena_strdup(&native->names, plain ? plain : name);
}

static struct place *
find_place(struct native *native, const struct reported *reported,
	   addr_t address)
{
	struct place *place;
	const struct symbol *symbol;

	if (native->places.count >= PLACES_MOST)
		forget_places(native);
	place = arena_zalloc(&native->names, sizeof(*place));
	map_put(&native->places, address, place);
	if (!reported)
		return place;
	symbol = symtab_covering(reported->image, address - reported->bias);
	if (symbol) {
		place->function = plain_name(native, symbol->name);
		place->start = reported->bias + symbol->address;
	}
	return place;
}

static const struct place *
place_of(struct native *native, Dwfl_Module *module,
	 const struct reported *reported, addr_t address)
{
	struct place *place = map_get(&native->places, address);

	if (!place)
		place = find_place(native, reported, address);
	if (reported && !place->lined && !native->start->no_lines) {
		place->lined = true;
		find_line(module, address, place);
		if (place->file)
			place->file = arena_strdup(&native->names, place->file);
	}
	return place;
}

/* ---- walking ---------------------------------------------------------------
 */

static void
keep_registers(const struct native *native, Dwfl_Frame *state, size_t i)
{
	struct native_registers *kept = &native->start->registers[i];

	kept->known = 0;
	for (unsigned n = 0; n < NATIVE_REGISTERS; n++) {
		Dwarf_Word word;

		if (dwfl_frame_reg(state, n, &word) != 0)
			continue;
		kept->value[n] = word;
		kept->known |= 1u << n;
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
	addr_t within = interrupted ? pc : pc - 1;
	Dwfl_Module *module = dwfl_addrmodule(native->dwfl, within);
	const struct reported *reported = reported_of(module);
	const struct place *place = place_of(native, module, reported, within);

	frame->pc = pc;
	frame->start = place->start;
	frame->function = copy(stack, place->function);
	frame->file = copy(stack, place->file);
	frame->line = place->line;
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
	    dwfl_frame_reg(state, NATIVE_RSP, &sp) != 0)
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

/* What the tables say of the last frame; NULL, or to be freed. */
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
 * With few registers libdwfl ends where one is missing as it does at the
 * outermost frame. That one has a return address which is undefined by its
 * table (dwarf_frame_register(): no operations, and no others instead).
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
	none = dwarf_frame_register(frame, NATIVE_RIP, memory, &operations,
				    &count) == 0 &&
	       count == 0 && operations == memory;
	free(frame);
	return none;
}

/* Does the last frame end so many bytes behind rbp? */
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
	    rule->atom == DW_OP_bregx && rule->number == NATIVE_RBP) {
		*ret_bytes = (int64_t)rule->number2;
		does = true;
	}
	free(frame);
	return does;
}

/* Where the function of that address begins, with a symbol or without; 0. */
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

/* Can rbp of the last frame be told, which was missing? */
static bool
find_base(struct native *native, const struct modmap *modules)
{
	const struct stack *stack = native->stack;
	const struct frame *last = &stack->at[stack->count - 1];
	addr_t function = function_around(modules, last->pc - 1), back;
	int64_t bytes;

	if (!function || !ends_behind_base(native, &bytes))
		return false;
	back = caller_find(&native->recall.reader, modules, last->at, function);
	native->base = back + sizeof(addr_t) - (addr_t)bytes;
	return back && native->base >= last->at;
}

/* Programs without a table for their first function (musl's) end there. */
static bool
is_outermost(const struct native *native, const struct modmap *modules)
{
	const struct stack *stack = native->stack;
	const struct frame *last;
	const struct module *module;

	if (stack->count == 0)
		return false;
	last = &stack->at[stack->count - 1];
	module = modmap_covering(modules, last->pc);
	return module && last->start &&
	       last->start == module->bias + image_entry(module->image);
}

static int
walk_from(struct native *native)
{
	return dwfl_getthread_frames(native->dwfl, ANY_THREAD, take_frame,
				     native);
}

/* Beyond the frame that a register was missing for. */
static bool
goes_on(struct native *native, const struct modmap *modules)
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
	read_vdso(native, memory);
	follow_modules(native, modules);
	recall_begin(&native->recall, memory);
	native->start = start;
	native->stack = stack;
	native->ended = native->again = false;
	native->begun_at = 0;
	r = walk_from(native);
	while (r == 0 && start->few && !native->ended &&
	       goes_on(native, modules))
		r = walk_from(native);
	if (r < 0)
		stack->partial = !is_outermost(native, modules);
	else if (r == 0 && start->few)
		stack->partial = !has_no_caller(native);
	if (native->ended)
		stack->partial = true;
}

/* ---- its life --------------------------------------------------------------
 */

static Elf *
machine_file(void)
{
	static const Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
	};

	return elf_memory((char *)(uintptr_t)&header, sizeof(header));
}

struct native *
native_new(void)
{
	struct native *native = xcalloc(1, sizeof(*native));

	elf_version(EV_CURRENT);
	recall_init(&native->recall);
	arena_init(&native->names);
	map_init(&native->places);
	native->machine = machine_file();
	native->dwfl = dwfl_begin(&callbacks);
	/* They lack nothing else. */
	if (!native->dwfl || !native->machine)
		die("out of memory");
	if (!dwfl_attach_state(native->dwfl, native->machine, ANY_THREAD,
			       &thread_callbacks, native))
		debug("libdwfl: %s", dwfl_errmsg(-1));
	return native;
}

void
native_free(struct native *native)
{
	if (!native)
		return;
	dwfl_end(native->dwfl);
	elf_end(native->machine);
	for (size_t i = 0; i < native->modules.count; i++)
		free_reported(native->modules.at[i]);
	vec_release(&native->modules);
	image_unref(native->vdso_image);
	free(native->vdso_bytes);
	map_release(&native->places);
	arena_release(&native->names);
	recall_release(&native->recall);
	free(native);
}

void
native_vdso(struct native *native, addr_t address)
{
	native->vdso = address;
}
