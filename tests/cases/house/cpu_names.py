#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make/cpu-names finds what is made for one CPU outside of its folder: a
header, a register, a number, a file's name. Comments and strings are not
checked.

TIMEOUT: 60
"""
import subprocess

import case

TOOL = case.TESTS.parent / 'make/cpu-names'


def said_of(text, name='stacks/x.c', known=''):
    """What make/cpu-names prints for a file with this name and text."""
    path = case.FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    done = subprocess.run([TOOL, '--except', known, name], text=True,
                          capture_output=True, cwd=case.FOLDER)
    case.equal(done.stderr, '', 'stderr')
    said = done.stdout.splitlines()
    case.equal(done.returncode, 1 if said else 0, 'status')
    return [line.removeprefix(f'cpu-names: {name}') for line in said]


CHOICE = '#if defined(__x86_64__)\n#include "arch/x86_64/regs.h"\n#endif\n'


def test():
    for text, wanted in (
            ('int x = regs->gpr.rip;\n', [':1: names gpr', ':1: names rip']),
            ('\nuint64_t r10 = eax + ebp;\n',
             [':2: names r10', ':2: names eax', ':2: names ebp']),
            ('struct user_regs_struct r;\n', [':1: names user_regs_struct']),
            ('at = REG_RSP;\n', [':1: names REG_RSP']),
            ('x = REG_NOSUB + strip + dip + flip + r1 + r7;\n', []),
            ('if (m != EM_X86_64 || t == R_AARCH64_RELATIVE)\n',
             [':1: names EM_X86_64', ':1: names R_AARCH64_RELATIVE']),
            ('#include "arch/x86_64/insn.h"\n',
             [':1: includes arch/x86_64/insn.h']),
            ('#include "arch/regs.h"\n', []),
            (CHOICE, [':2: includes arch/x86_64/regs.h']),
            ('/* mov %rax,\n * %rdi */ f("rip"); /* r8 */\n', []),
            ('/* a */ f(r8); /* b */\n', [':1: names r8']),
    ):
        case.equal(said_of(text), wanted, text)
    case.equal(said_of(CHOICE, 'arch/regs.h'), [], 'arch/ chooses')
    case.equal(said_of('#include "arch/x86_64/regs.h"\n', 'arch/regs.h'),
               [':1: includes arch/x86_64/regs.h'], 'without a choice')
    case.equal(said_of('f(rax);\n', 'arch/x86_64/regs.h'), [], 'its folder')
    case.equal(said_of('', 'stacks/ruby_x86_64.c'), [': a CPU in its name'],
               'a name')
    case.equal(said_of('f(rax);\n', 'values/abi_sysv.c', 'values/abi_*'), [],
               'an exception')
    case.equal(said_of('f(1);\n', 'values/abi_sysv.c', 'values/abi_*'),
               ['cpu-names: values/abi_* excepts nothing'],
               'an exception that is not needed')


case.main(test)
