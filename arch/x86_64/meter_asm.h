/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of the assembler code of meters (meter_code.c). Most parts belong to
 * several meters. Each macro is a string; `name` is the name of the meter, with
 * which its labels begin. meter_code.c asserts the offsets that the strings
 * contain.
 */
#ifndef ARCH_X86_64_METER_ASM_H
#define ARCH_X86_64_METER_ASM_H

/* clang-format off */
#define SAVE(name)                                                           \
	"	push %rax\n"                                                   \
	name "_pushed1:\n"                                                   \
	"	lahf\n"                                                        \
	"	seto %al\n"                                                    \
	"	push %rax\n"                                                   \
	name "_pushed2:\n"                                                   \
	"	push %rcx\n"                                                   \
	name "_pushed3:\n"                                                   \
	"	push %rdx\n"                                                   \
	name "_pushed4:\n"                                                   \
	"	push %rsi\n"                                                   \
	name "_pushed5:\n"                                                   \
	"	push %rdi\n"                                                   \
	name "_pushed6:\n"

#define RESTORE(name)                                                        \
	name "_restore:\n"                                                   \
	"	pop %rdi\n"                                                    \
	"	pop %rsi\n"                                                    \
	"	pop %rdx\n"                                                    \
	"	pop %rcx\n"                                                    \
	"	pop %rax\n"                                                    \
	"	add $0x7f,%al\n"                                               \
	"	sahf\n"                                                        \
	"	pop %rax\n"

/* rsi := the block of the thread */
#define FIND_BLOCK(name)                                                     \
	"	rdfsbase %rcx\n"                                               \
	"	test %rcx,%rcx\n"                                              \
	"	je " name "_stop\n"                                            \
	"	mov " name "_words+24(%rip),%rax\n"                            \
	"	imul %rcx,%rax\n"                                              \
	"	shr $54,%rax\n"                                                \
	"	shl $5,%rax\n"                                                 \
	"	add " name "_words(%rip),%rax\n"                               \
	"	cmp 0x20000(%rax),%rcx\n"                                       \
	"	je 1f\n"                                                       \
	"	add $16,%rax\n"                                                \
	"	cmp 0x20000(%rax),%rcx\n"                                       \
	"	jne " name "_stop\n"                                           \
	"1:	mov 0x20008(%rax),%rsi\n"

#define WORDS(name)                                                          \
	"	.balign 8, 0xcc\n"                                             \
	name "_words:\n"                                                     \
	"	.quad 0, 0, 0, 0\n"                                            \
	name "_end:\n"

/* rsi := the block; rcx := the last open call, which returns here; rdx := the
 * ticks now. (The byte before the label makes sure that no two labels have the
 * same address, which make/meters needs.) */
#define RETURN_BEGIN(name)                                                   \
	"	int3\n"                                                        \
	"	.balign 16\n"                                                  \
	name ":\n"                                                           \
	"	lea -128(%rsp),%rsp\n"                                         \
	name "_pushed0:\n"                                                   \
	SAVE(name)                                                           \
	"	rdtsc\n"                                                       \
	"	shl $32,%rdx\n"                                                \
	"	or %rax,%rdx\n"                                                \
	FIND_BLOCK(name)                                                     \
	"	movq $0,24(%rsi)\n"                                            \
	"	lea 168(%rsp),%rdi\n"	/* where the return address was */   \
	"	mov (%rsi),%rcx\n"                                             \
	"	cmp 8(%rsi),%rdi\n"                                            \
	"	jb " name "_stop\n"                                            \
	"	cmp (%rcx),%rdi\n"                                             \
	"	jb " name "_restore\n"                                         \
	"	jne " name "_stop\n"                                           \
	"	mov " name "_words+16(%rip),%rax\n"                            \
	"	cmp 8(%rcx),%rax\n"                                            \
	"	jne " name "_stop\n"

#define RETURN_END(name)                                                     \
	RESTORE(name)                                                        \
	"	lea 128(%rsp),%rsp\n"                                          \
	"	jmp " name "_end\n"                                            \
	name "_stop:\n"                                                      \
	RESTORE(name "_stop")                                                \
	"	lea 128(%rsp),%rsp\n"                                          \
	name "_trap:\n"                                                      \
	"	int3\n"                                                        \
	"	int3\n"                                                        \
	WORDS(name)

/* rcx := the last open call, behind which there is room for a new one; rsi :=
 * the block. Writes what an entry sets in the new open call, except `began`. */
#define ENTRY_BEGIN(name)                                                    \
	"	int3\n"                                                        \
	"	.balign 16\n"                                                  \
	name ":\n"                                                           \
	SAVE(name)                                                           \
	FIND_BLOCK(name)                                                     \
	FIND_PLACE(name)                                                     \
	"	cmp 16(%rsi),%rcx\n"                                          \
	"	je " name "_stop\n"                                           \
	BEGIN_OPEN(name)                                                     \
	"	movq $0,104(%rcx)\n"

/* rdi := the stack pointer; rcx := the last open call. Stops unless this call
 * is further up on the thread's own stack. */
#define FIND_PLACE(name)                                                     \
	"	lea 48(%rsp),%rdi\n"                                          \
	"	mov (%rsi),%rcx\n"                                            \
	"	cmp (%rcx),%rdi\n"                                            \
	"	jae " name "_stop\n"                                          \
	"	cmp 8(%rsi),%rdi\n"                                           \
	"	jb " name "_stop\n"

/* Equal if the return address of the last open call (rcx) is still where it was
 * stored. If not, the call has been left by a longjmp or an exception. */
#define IS_LIVE                                                              \
	"	mov (%rcx),%rax\n"                                           \
	"	mov (%rax),%rax\n"                                           \
	"	cmp 8(%rcx),%rax\n"

/* Begins the open call behind rcx: writes its stack pointer (rdi), its return
 * address and its sums. Stops if the return address is not in the table. */
#define BEGIN_OPEN(name)                                                     \
	"	mov (%rdi),%rdx\n"	/* the return address */             \
	"	test %rdx,%rdx\n"                                             \
	"	je " name "_stop\n"                                           \
	"	mov " name "_words+24(%rip),%rax\n"                           \
	"	imul %rdx,%rax\n"                                             \
	"	shr $51,%rax\n"                                               \
	"	shl $4,%rax\n"                                                \
	"	add " name "_words(%rip),%rax\n"                              \
	"	cmp (%rax),%rdx\n"                                            \
	"	je 2f\n"                                                      \
	"	cmp 8(%rax),%rdx\n"                                           \
	"	jne " name "_stop\n"                                          \
	"2:	mov %rdi,64(%rcx)\n"                                          \
	"	mov %rdx,72(%rcx)\n"                                          \
	"	mov " name "_words+8(%rip),%rax\n"                            \
	"	mov %rax,88(%rcx)\n"

#define ENTRY_END(name)                                                      \
	"	rdtsc\n"                                                      \
	"	shl $32,%rdx\n"                                               \
	"	or %rdx,%rax\n"                                               \
	"	mov %rax,80(%rcx)\n"                                          \
	"	add $64,%rcx\n"                                               \
	"	mov %rcx,(%rsi)\n"                                            \
	RESTORE(name)                                                        \
	"	jmp " name "_end\n"                                           \
	name "_stop:\n"                                                      \
	RESTORE(name "_stop")                                                \
	name "_trap:\n"                                                      \
	"	int3\n"                                                       \
	"	int3\n"                                                       \
	WORDS(name)

/* Passes if the test of number n does not hold for the open call at rdi. rax:
 * the struct meter_select */
#define TEST(n)                                                              \
	"	mov 32+32*" n "(%rax),%rcx\n"                                 \
	"	mov (%rdi,%rcx),%rdx\n"                                       \
	"	sub 40+32*" n "(%rax),%rdx\n"                                 \
	"	mov 48+32*" n "(%rax),%rcx\n"                                 \
	"	shl %cl,%rdx\n"                                               \
	"	cmp 56+32*" n "(%rax),%rdx\n"                                 \
	"	ja 4f\n"

/* Keeps the arguments, from the registers that SAVE pushed. */
#define KEEP                                                                 \
	"	mov (%rsp),%rax\n"                                                  \
	"	mov %rax,0x2808(%rcx)\n"                                            \
	"	mov 8(%rsp),%rax\n"                                                 \
	"	mov %rax,0x2810(%rcx)\n"                                            \
	"	mov 16(%rsp),%rax\n"                                                \
	"	mov %rax,0x2818(%rcx)\n"                                            \
	"	mov 24(%rsp),%rax\n"                                                \
	"	mov %rax,0x2820(%rcx)\n"                                            \
	"	mov %r8,0x2828(%rcx)\n"                                             \
	"	mov %r9,0x2830(%rcx)\n"

/* rdi is the last byte of a page. Jumps to `known` if the page is known to be
 * readable. Changes rdx. */
#define FIND_PAGE(name, known)                                                     \
	"	mov " name "_words+24(%rip),%rdx\n"                       \
	"	imul %rdi,%rdx\n"                                            \
	"	shr $52,%rdx\n"                                              \
	"	shl $4,%rdx\n"                                               \
	"	add " name "_words(%rip),%rdx\n"                          \
	"	cmp 0x28000(%rdx),%rdi\n"                                    \
	"	je " known "\n"                                              \
	"	cmp 0x28008(%rdx),%rdi\n"                                    \
	"	je " known "\n"

/*
 * Copies a text, which the n-th struct meter_text describes. rcx: the last open
 * call; rsi: the block. The text is read in whole words, so the first one may
 * begin before it, and a word is never in two pages. What has no register is
 * kept in members of the new open call that an entry does not need. By their
 * offset from rcx:
 *
 *	96	the block
 *	104	bytes of the first word that are before the text
 *	112	bytes that are needed, from the first word on
 *	120	bytes that may be copied: there is room, and they are readable
 *
 * `before` is the offset that takes the place of 104: in the meter of queries,
 * 104 has the cell. `room` is code that sets rdi to the room of the first text.
 * `keep` is code that keeps rcx in the room, and `find` is code that finds rcx
 * again.
 *
 * If xtrace was killed, a signal handler may run here and call a function with
 * a meter, which writes the same members. So the number of bytes to read is in
 * a register from the test of the page on. In a block, the last word of the
 * room keeps rcx; the handler's calls write the same value there.
 */
#define COPY_TEXT(name, n, before, room, keep, find)                                                         \
	"	mov " name "_words+8(%rip),%rdx\n"                        \
	"	add " name "_words(%rip),%rdx\n"                          \
	"	mov 128+40*" n "(%rdx),%rax\n"                               \
	"	test %rax,%rax\n"                                            \
	"	je 9f\n"                                                     \
	"	mov 64(%rcx,%rax),%rax\n"	/* the text's address */      \
	"	test %rax,%rax\n"                                            \
	"	je 9f\n"                                                     \
	"	mov 136+40*" n "(%rdx),%rdi\n"                               \
	"	mov 64(%rcx,%rdi),%rdi\n"	/* the text's length */       \
	"	and 144+40*" n "(%rdx),%rdi\n"                               \
	"	cmp 152+40*" n "(%rdx),%rdi\n"                               \
	"	jb 1f\n"                                                     \
	"	mov 152+40*" n "(%rdx),%rdi\n"                               \
	"1:	test %rdi,%rdi\n"                                            \
	"	je 9f\n"                                                     \
	"	mov %rax,%rsi\n"                                             \
	"	and $-8,%rsi\n"                                              \
	"	and $7,%eax\n"                                               \
	"	mov %rax," before "(%rcx)\n"                                        \
	"	add %rax,%rdi\n"                                             \
	"	mov %rdi,112(%rcx)\n"                                        \
	"	mov $1016,%eax\n"                                            \
	"	cmp %rax,%rdi\n"                                             \
	"	jae 2f\n"                                                    \
	"	lea 7(%rdi),%rax\n"                                          \
	"	and $-8,%rax\n"                                              \
	"2:	mov %rsi,%rdi\n"                                             \
	"	or $0xfff,%rdi\n"                                            \
	FIND_PAGE(name, "3f")                                                      \
	"	jmp " name "_stop\n"                                      \
	"3:	lea -1(%rsi,%rax),%rdx\n"                                    \
	"	cmp %rdi,%rdx\n"                                             \
	"	jbe 5f\n"                                                    \
	"	add $0x1000,%rdi\n"                                          \
	FIND_PAGE(name, "5f")                                                      \
	"	lea -0xfff(%rdi),%rax\n"	/* up to the page's end */    \
	"	sub %rsi,%rax\n"                                             \
	"5:	mov %rax,120(%rcx)\n"                                        \
	room                                                                 \
	"	add $1024*" n ",%rdi\n"                                     \
	keep                                                                 \
	"	mov %rax,%rdx\n"                                             \
	"	mov " before "(%rcx),%rcx\n"                                        \
	"	shl $3,%ecx\n"                                               \
	"	mov $-1,%rax\n"                                              \
	"	shl %cl,%rax\n"                                              \
	"	not %rax\n"			/* ones before the text */     \
	"	mov (%rsi),%rcx\n"                                           \
	"	mov %rcx,(%rdi)\n"                                           \
	"	or %rcx,%rax\n"                                              \
	"	jmp 7f\n"                                                    \
	"6:	mov (%rsi),%rax\n"                                           \
	"	mov %rax,(%rdi)\n"                                           \
	"7:	movabs $0xfefefefefefefeff,%rcx\n" /* is one byte 0? */      \
	"	add %rax,%rcx\n"                                             \
	"	not %rax\n"                                                  \
	"	and %rax,%rcx\n"                                             \
	"	movabs $0x8080808080808080,%rax\n"                           \
	"	test %rax,%rcx\n"                                            \
	"	jne 8f\n"                                                    \
	"10:	add $8,%rsi\n"                                               \
	"	add $8,%rdi\n"                                               \
	"	sub $8,%rdx\n"                                               \
	"	jne 6b\n"                                                    \
	find                                                                 \
	"	mov 120(%rcx),%rax\n"                                        \
	"	cmp 112(%rcx),%rax\n"                                        \
	"	jb " name "_stop\n"                                       \
	"	jmp 9f\n"                                                    \
	"8:	mov " name "_words+8(%rip),%rax\n"                        \
	"	add " name "_words(%rip),%rax\n"                          \
	"	cmpq $0,160+40*" n "(%rax)\n"                                \
	"	je 10b\n"                                                    \
	find                                                                 \
	"9:	mov 96(%rcx),%rsi\n"

#define BLOCK_ROOM                                                           \
	"	mov 96(%rcx),%rdx\n"                                        \
	"	mov %rcx,%rdi\n"                                            \
	"	sub %rdx,%rdi\n"                                            \
	"	shl $5,%rdi\n"                                              \
	"	lea 0x5000(%rdi,%rdx),%rdi\n"
#define KEEP_IN_ROOM "	mov %rcx,1016(%rdi)\n"
#define FIND_IN_ROOM                                                         \
	"	and $-1024,%rdi\n"                                          \
	"	mov 1016(%rdi),%rcx\n"
#define COPY_FROM_CALL(n)                                                    \
	COPY_TEXT("meter_texts", n, "104", BLOCK_ROOM, KEEP_IN_ROOM,         \
		  FIND_IN_ROOM)

/*
 * The text of a query is copied into the query's cell, whose address is in the
 * member at 104. If two threads use one handle at the same time, both write
 * this cell. So the cell cannot keep rcx, which is found by the thread's block.
 */
#define CELL_ROOM                                                            \
	"	mov 104(%rcx),%rdi\n"                                       \
	"	add $1024,%rdi\n"
#define FIND_BY_THREAD                                                       \
	FIND_BLOCK("meter_query")                                            \
	"	mov (%rsi),%rcx\n"
#define COPY_FROM_QUERY(n)                                                   \
	COPY_TEXT("meter_query", n, "80", CELL_ROOM, "", FIND_BY_THREAD)

/* Copies argument n, which the block keeps, to the cell at rdi. */
#define KEEP_IN_CELL(n)                                                      \
	"	mov 0x2808+8*" n "(%rcx),%rdx\n"                            \
	"	mov %rdx,72+8*" n "(%rdi)\n"
/* clang-format on */

#endif
