#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--list-probes lists the SDT probes of a 32-bit file; its registers are
i386's. --show-prototype refuses such a file with a sentence.

NEEDS: gcc
"""
import subprocess

import case

PROBE = '''\
.globl _start
_start: nop
place: nop
ret
.section .probes, "aw", "progbits"
raised: .2byte 0
.section .stapsdt.base, "a", "progbits"
_.stapsdt.base: .space 1
.section .note.stapsdt, "", "note"
.balign 4
.4byte 2f - 1f, 4f - 3f, 3
1: .asciz "stapsdt"
2: .balign 4
3: .4byte place, _.stapsdt.base, raised
.asciz "shop", "sold", "-4@%eax 4@-24(%ebp)"
4: .balign 4
'''


def said(*words):
    run = subprocess.run([case.XTRACE, *words], capture_output=True, text=True)
    return run.returncode, run.stdout, run.stderr


def test():
    program = case.FOLDER / 'program'
    source = case.FOLDER / 'probe.s'
    source.write_text(PROBE)
    subprocess.run(['gcc', '-m32', '-nostdlib', '-static', '-o', program,
                    source], check=True)
    case.equal(said('--list-probes', program),
               (0, '%shop:sold(int, uint)  program, 1 place, semaphore\n', ''),
               'its probes')
    case.equal(said('--show-prototype', f'_start@{program}'),
               (1, '', f'xtrace: {program}: for i386, not for x86-64\n'),
               'its prototypes')


case.main(test)
