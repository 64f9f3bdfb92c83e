/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * capture TID FILE: stops a thread, walks its scripts' stack, and writes the
 * memory that the walk has read as an image (captured.h). Then the thread
 * continues. The frames are written to the image and to stdout.
 */
#include "base/str.h"
#include "stacks/source_parts.h"
#include "symbols/symtab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

struct range {
	addr_t from, until;
};

/* Reads a process, and records what was read. */
struct recorder {
	struct reader reader;
	struct binary binary;
	const struct module *module;
	int memory;
	vec_of(struct range) ranges;
	struct str symbols;
};

static int
record(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct recorder *recorder =
		container_of(reader, struct recorder, reader);
	struct range range = { from, from + length };

	if (pread(recorder->memory, to, length, (off_t)from) != (ssize_t)length)
		return -EFAULT;
	vec_push(&recorder->ranges, range);
	return 0;
}

static addr_t
record_symbol(struct binary *binary, const char *name)
{
	struct recorder *recorder =
		container_of(binary, struct recorder, binary);
	const struct module *module = recorder->module;
	const struct symbol *symbol =
		symtab_find(module->image, SYMTAB_DYNAMIC, name);
	addr_t address = symbol ? module->bias + symbol->address : 0;

	if (address)
		str_addf(&recorder->symbols, "symbol %s %llx\n", name,
			 (unsigned long long)address);
	return address;
}

static int
compare_ranges(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	return a->from < b->from ? -1 : a->from > b->from;
}

static void
write_pieces(struct recorder *recorder, FILE *file)
{
	size_t kept = 0;

	vec_sort(&recorder->ranges, compare_ranges);
	for (size_t i = 0; i < recorder->ranges.count; i++) {
		struct range *range = &recorder->ranges.at[i];
		struct range *last =
			kept ? &recorder->ranges.at[kept - 1] : NULL;

		if (last && range->from <= last->until + 16) {
			if (range->until > last->until)
				last->until = range->until;
			continue;
		}
		recorder->ranges.at[kept++] = *range;
	}
	for (size_t i = 0; i < kept; i++) {
		struct range *range = &recorder->ranges.at[i];
		uint32_t length = (uint32_t)(range->until - range->from);
		char *bytes = xcalloc(1, length);

		if (pread(recorder->memory, bytes, length, (off_t)range->from) <
		    0)
			exit(1);
		fwrite(&range->from, 8, 1, file);
		fwrite(&length, 4, 1, file);
		fwrite(bytes, 1, length, file);
		free(bytes);
	}
}

static void
write_image(struct recorder *recorder, const struct regs *regs,
	    const struct stack *stack, const char *path)
{
	FILE *file = fopen(path, "w");

	if (!file)
		exit(1);
	fprintf(file,
		"xtrace stack image\nthread %llx\nstack %llx\nmodule %s\n%s",
		regs->gpr.fs_base, regs->gpr.rsp, recorder->binary.label,
		str_text(&recorder->symbols));
	for (size_t i = 0; i < stack->count; i++) {
		const struct frame *frame = &stack->at[i];
		const char *function = frame->function ? frame->function : "";
		const char *name = frame->file ? frame->file : "";

		fprintf(file, "frame %u %s\t%s\n", frame->line, function, name);
		printf("%s\t%s\t%u\t", function, name, frame->line);
	}
	printf("%s\n", stack->partial ? "partial" : "");
	fputc('\n', file);
	write_pieces(recorder, file);
	fclose(file);
}

static void
try_module(struct recorder *recorder, const struct regs *regs, const char *path)
{
	recorder->binary =
		(struct binary){ record_symbol,
				 image_label(recorder->module->image) };
	for (int i = FRAME_SCRIPT; i < FRAME_KINDS; i++) {
		const struct source_ops *ops = source_languages[i];
		struct source *source;
		struct err err = { "" };
		struct arena arena;
		struct stack stack;
		int r;

		vec_clear(&recorder->ranges);
		str_clear(&recorder->symbols);
		r = ops->find(&recorder->binary, &recorder->reader, &source,
			      &err);
		if (err.text[0])
			fprintf(stderr, "%s\n", err.text);
		if (r < 0)
			continue;
		arena_init(&arena);
		stack_init(&stack, &arena, 1000);
		ops->walk(source, &recorder->reader, regs, &stack, &err);
		if (err.text[0])
			fprintf(stderr, "%s\n", err.text);
		write_image(recorder, regs, &stack, path);
		arena_release(&arena);
		ops->free(source);
	}
}

static void
read_modules(pid_t pid, struct modmap *map)
{
	char path[64], line[1024];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	file = fopen(path, "r");
	while (file && fgets(line, sizeof(line), file)) {
		unsigned long long start, end, offset;
		char name[512] = "", in[64];
		struct image *image;
		struct err err;

		if (sscanf(line, "%llx-%llx %*s %llx %*s %*s %511s", &start,
			   &end, &offset, name) < 4 ||
		    offset || name[0] != '/')
			continue;
		snprintf(in, sizeof(in), "/proc/%d/map_files/%llx-%llx", pid,
			 start, end);
		if (image_open(in, name, &image, &err) < 0)
			continue;
		modmap_add(map, image,
			   image_type(image) == IMAGE_FIXED
				   ? 0
				   : start - image_segments(image,
							    &(size_t){ 0 })[0]
						     .address);
		image_unref(image);
	}
	if (file)
		fclose(file);
}

int
main(int argc, char **argv)
{
	struct recorder recorder = { .reader.read = record };
	struct modmap map;
	struct regs regs;
	char path[64];
	pid_t tid;

	if (argc != 3)
		return 2;
	tid = atoi(argv[1]);
	snprintf(path, sizeof(path), "/proc/%d/mem", tid);
	recorder.memory = open(path, O_RDONLY);
	modmap_init(&map);
	read_modules(tid, &map);
	if (recorder.memory < 0 || ptrace(PTRACE_SEIZE, tid, 0, 0) < 0 ||
	    ptrace(PTRACE_INTERRUPT, tid, 0, 0) < 0 ||
	    waitpid(tid, NULL, __WALL) < 0 ||
	    ptrace(PTRACE_GETREGS, tid, 0, &regs.gpr) < 0) {
		perror(argv[1]);
		return 1;
	}
	for (size_t i = 0; i < map.modules.count; i++) {
		recorder.module = map.modules.at[i];
		try_module(&recorder, &regs, argv[2]);
	}
	ptrace(PTRACE_DETACH, tid, 0, 0);
	modmap_release(&map);
	return 0;
}
