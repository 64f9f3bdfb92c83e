# SPDX-License-Identifier: GPL-2.0-or-later
#
# A return address that is also the head of a loop: five million turns, which
# would take a minute if each were a trap. Its site is lifted when it has been
# hit for nothing, and planted again by the next call, whose return is seen.
#
# LDFLAGS: -nostartfiles -no-pie
# FILE: p.conf: int f(int);
# TIMEOUT: 20
#
# RUN: xtrace -F p.conf -x f %t
# STATUS: 0
# EXPECT:
#   f(1) = 2
#   f(2) = 3
#   f(3) = 4
#   +++ exited (status 0) +++

	.text
	.globl f
	.type f, @function
f:	lea 1(%rdi), %eax
	ret
	.size f, . - f

	.globl _start
_start:
	mov $1, %ebx
again:	mov %ebx, %edi
	mov $5000000, %ecx
	call f
loop:	dec %ecx
	jnz loop
	inc %ebx
	cmp %eax, %ebx
	jne bad
	cmp $3, %ebx
	jbe again
	xor %edi, %edi
	jmp out
bad:	mov $1, %edi
out:	mov $60, %eax
	syscall

	.section .note.GNU-stack,"",@progbits
