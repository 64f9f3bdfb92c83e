/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Capstone is loaded when the first instruction is disassembled. Its tables
 * have 82 000 pointers that the dynamic loader must relocate, which takes
 * longer than everything else that happens until main() begins, and most runs
 * of xtrace plant traps only at instructions that quick.c knows. The library
 * has the name that belongs to the header with which xtrace was compiled.
 *
 * To open a capstone handle costs more than a thousand decoded instructions, so
 * each thread keeps one as a cache. Capstone does not check whether its
 * allocations succeed, even at the first instruction, so it uses our allocator.
 */
#include "arch/x86_64/insn_parts.h"

#include "base/die.h"
#include "base/xmalloc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_OF(number) #number
#define SONAME(version) "libcapstone.so." TEXT_OF(version)

/* The functions of capstone that are used. */
static struct {
	__typeof__(cs_open) *open;
	__typeof__(cs_close) *close;
	__typeof__(cs_option) *option;
	__typeof__(cs_malloc) *malloc;
	__typeof__(cs_free) *free;
	__typeof__(cs_disasm_iter) *disasm_iter;
	__typeof__(cs_regs_access) *regs_access;
} capstone;

struct decoder {
	csh handle;
	cs_insn *insn; /* NULL: not opened yet */
};

/* The decoders of one thread. */
struct decoders {
	struct decoder of[INSN_MODES];
	csh last; /* the handle of the last use */
};

static pthread_key_t decoder_key;
static pthread_once_t decoder_once = PTHREAD_ONCE_INIT;

static void
load(void)
{
	const struct {
		void *to;
		const char *name;
	} rows[] = {
		{ &capstone.open, "cs_open" },
		{ &capstone.close, "cs_close" },
		{ &capstone.option, "cs_option" },
		{ &capstone.malloc, "cs_malloc" },
		{ &capstone.free, "cs_free" },
		{ &capstone.disasm_iter, "cs_disasm_iter" },
		{ &capstone.regs_access, "cs_regs_access" },
	};
	void *library = dlopen(SONAME(CS_API_MAJOR), RTLD_NOW | RTLD_LOCAL);

	if (!library)
		die("the disassembler cannot be loaded: %s", dlerror());
	for (size_t i = 0; i < array_size(rows); i++) {
		void *function = dlsym(library, rows[i].name);

		if (!function)
			die("the disassembler cannot be loaded: %s", dlerror());
		memcpy(rows[i].to, &function, sizeof(function));
	}
}

static void
decoder_free(void *kept)
{
	struct decoders *decoders = kept;

	for (unsigned mode = 0; mode < INSN_MODES; mode++) {
		struct decoder *decoder = &decoders->of[mode];

		if (!decoder->insn)
			continue;
		capstone.free(decoder->insn, 1);
		capstone.close(&decoder->handle);
	}
	free(decoders);
}

/* Loads capstone and makes it use our allocator. Called once, before the first
 * handle is opened. */
static void
set_up(void)
{
	const cs_opt_mem memory = { .malloc = xmalloc,
				    .calloc = xcalloc,
				    .realloc = xrealloc,
				    .free = free,
				    .vsnprintf = vsnprintf };

	load();
	if (capstone.option(0, CS_OPT_MEM, (size_t)&memory) != CS_ERR_OK)
		die("the disassembler cannot be set up");
	if (pthread_key_create(&decoder_key, decoder_free) != 0)
		die("no thread key left for the disassembler");
}

static struct decoders *
decoders_of_thread(void)
{
	struct decoders *decoders;

	pthread_once(&decoder_once, set_up);
	decoders = pthread_getspecific(decoder_key);
	if (!decoders) {
		decoders = xcalloc(1, sizeof(*decoders));
		pthread_setspecific(decoder_key, decoders);
	}
	return decoders;
}

static void
decoder_open(struct decoder *decoder, enum insn_mode mode)
{
	const cs_mode bits = mode == INSN_MODE_32 ? CS_MODE_32 : CS_MODE_64;

	if (capstone.open(CS_ARCH_X86, bits, &decoder->handle) != CS_ERR_OK ||
	    capstone.option(decoder->handle, CS_OPT_DETAIL, CS_OPT_ON) !=
		    CS_ERR_OK)
		die("the disassembler cannot be set up");
	decoder->insn = capstone.malloc(decoder->handle);
}

const cs_insn *
insn_disassemble(enum insn_mode mode, const struct code *code)
{
	struct decoders *decoders = decoders_of_thread();
	struct decoder *decoder = &decoders->of[mode];
	const uint8_t *bytes = code->bytes;
	size_t have = code->length;
	addr_t at = code->at;

	if (!decoder->insn)
		decoder_open(decoder, mode);
	decoders->last = decoder->handle;
	if (!capstone.disasm_iter(decoder->handle, &bytes, &have, &at,
				  decoder->insn))
		return NULL;
	return decoder->insn;
}

bool
insn_writes(const cs_insn *known, cs_regs ret_registers, uint8_t *ret_count)
{
	const struct decoders *decoders = pthread_getspecific(decoder_key);
	uint8_t reads_count;
	cs_regs reads;

	return capstone.regs_access(decoders->last, known, reads, &reads_count,
				    ret_registers, ret_count) == CS_ERR_OK;
}
