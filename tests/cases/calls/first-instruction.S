# SPDX-License-Identifier: GPL-2.0-or-later
#
# First instructions of every kind: what is displaced, what is emulated, what
# cannot be either. Each function adds its own bit to eax, so that one that
# ran wrong shows in the exit status; each is called three times.
#
# LDFLAGS: -nostartfiles -no-pie
#
# RUN: xtrace -x f_* %t
# STATUS: 0
# COUNT: 3 f_push(%any) = %any
# COUNT: 3 f_endbr(%any) = %any
# COUNT: 3 f_rip(%any) = %any
# COUNT: 3 f_jmp8(%any) = %any
# COUNT: 3 f_jmp32(%any) = %any
# COUNT: 3 f_jmpslot(%any) = %any
# COUNT: 3 f_jcc(%any) = %any
# COUNT: 3 f_jcc32(%any) = %any
# COUNT: 3 f_jcc_not(%any) = %any
# COUNT: 3 f_call(%any) = %any
# COUNT: 3 f_callslot(%any) = %any
# COUNT: 3 f_ret(%any) = %any
# COUNT: 3 f_nop(%any) = %any
# COUNT: 3 f_longnop(%any) = %any
# COUNT: 3 f_jrcxz(%any) = %any
# COUNT: 3 f_movabs(%any) = %any
# COUNT: 3 f_cmprip(%any) = %any
# COUNT: 3 f_pushf(%any) = %any
# COUNT: 0 f_syscall(%any) = %any
# COUNT: 3 f_lock(%any) = %any
# COUNT: 3 f_sub(%any) = %any
# COUNT: 3 f_pushmem(%any) = %any
# SAYS:
#   xtrace: f_syscall@t is not traced: %any

	.macro function name
	.p2align 4
	.globl \name
	.type \name, @function
\name:
	.endm
	.macro ends name
	.size \name, . - \name
	.endm

	.data
one:	.quad 1
counter: .quad 0
slot:	.quad landing
jump:	.quad jumped

	.text
function f_push
	push %rbx
	mov $1, %eax
	pop %rbx
	ret
ends f_push
function f_endbr
	endbr64
	mov $1, %eax
	ret
ends f_endbr
function f_rip
	mov one(%rip), %rax
	ret
ends f_rip
function f_jmp8
	jmp 1f
	hlt
1:	mov $1, %eax
	ret
ends f_jmp8
function f_jmp32
	.byte 0xe9
	.long jumped - . - 4
ends f_jmp32
function f_jmpslot
	jmp *jump(%rip)
ends f_jmpslot
jumped:	mov $1, %eax
	ret
function f_jcc
	jz 1f
	hlt
1:	mov $1, %eax
	ret
ends f_jcc
function f_jcc32
	.byte 0x0f, 0x84
	.long jumped - . - 4
	hlt
ends f_jcc32
function f_jcc_not
	jnz 1f
	mov $1, %eax
	ret
1:	hlt
ends f_jcc_not
function f_call
	call landing
	ret
ends f_call
function f_callslot
	call *slot(%rip)
	ret
ends f_callslot
# What a call has pushed must be the address in the function itself.
landing: mov (%rsp), %rax
	cmpb $0xc3, (%rax)
	jne 1f
	lea f_call(%rip), %rdx
	sub %rdx, %rax
	cmp $64, %rax
	ja 1f
	mov $1, %eax
	ret
1:	xor %eax, %eax
	ret
function f_ret
	ret
ends f_ret
function f_nop
	nop
	mov $1, %eax
	ret
ends f_nop
function f_longnop
	nopw 0x0(%rax,%rax,1)
	mov $1, %eax
	ret
ends f_longnop
function f_jrcxz
	jrcxz 1f
	mov $1, %eax
	ret
1:	hlt
ends f_jrcxz
function f_movabs
	movabs $0x100000001, %rax
	mov %eax, %eax
	ret
ends f_movabs
function f_cmprip
	cmpq $1, one(%rip)
	sete %al
	movzbl %al, %eax
	ret
ends f_cmprip
function f_pushf
	pushf
	popq %rdx
	shr $6, %edx
	and $1, %edx
	mov %edx, %eax
	ret
ends f_pushf
function f_syscall
	syscall
	sar $63, %rax
	neg %rax
	ret
ends f_syscall
function f_lock
	lock incq counter(%rip)
	mov $1, %eax
	ret
ends f_lock
function f_sub
	sub $8, %rsp
	mov $1, %eax
	add $8, %rsp
	ret
ends f_sub
function f_pushmem
	push one(%rip)
	pop %rax
	ret
ends f_pushmem

	.macro check name
	mov $3, %ebx
1:	mov $-1, %eax
	mov $5, %ecx
	mov $\@ + 10, %ebp
	test $0, %ecx
	.ifc \name, f_ret
	mov $1, %eax
	cmp %edx, %edx
	.endif
	call \name
	cmp $1, %rax
	jne bad
	dec %ebx
	jnz 1b
	.endm

	.globl _start
_start:
	check f_push
	check f_endbr
	check f_rip
	check f_jmp8
	check f_jmp32
	check f_jmpslot
	check f_jcc
	check f_jcc32
	check f_jcc_not_guard
	check f_call
	check f_callslot
	check f_ret
	check f_nop
	check f_longnop
	check f_jrcxz
	check f_movabs
	check f_cmprip
	check f_pushf
	check f_syscall
	check f_lock
	check f_sub
	check f_pushmem
	cmpq $3, counter(%rip)
	jne bad
	xor %edi, %edi
	mov $60, %eax
	syscall
bad:	mov %ebp, %edi
	mov $60, %eax
	syscall

# f_jcc_not wants ZF set and not taken.
	.globl f_jcc_not_guard
f_jcc_not_guard:
	xor %edx, %edx
	jmp f_jcc_not

	.section .note.GNU-stack,"",@progbits
