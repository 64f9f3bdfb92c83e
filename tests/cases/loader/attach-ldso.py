#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches to a program that was started by running ld.so (there
AT_BASE is 0), and to one that was not. Libraries that were linked and
libraries that were opened with dlopen before are found by each way to name
them.
"""
import case

CALLS = {
    ('-x', 'f'): ['f(3) = 3', 'f(5) = 5'],
    ('-x', 'f@libdep.so'): ['f(3) = 3', 'f(5) = 5'],
    ('-x', 'g@libmod.so'): ['g(3) = 30'],
    ('-e', 'f@*'): ['libmod.so->f(3) = 3'],
    ('-e', 'f@libmod.so'): ['libmod.so->f(3) = 3'],
    ('-l', 'libdep.so'): ['libmod.so->f(3) = 3'],
}


def test():
    program = case.build('attach-opened.c')
    (case.FOLDER / 'p.conf').write_text('int f(int);\nint g(int);\n')
    for start in ([], ['/lib64/ld-linux-x86-64.so.2']):
        for options, wanted in CALLS.items():
            subject = case.start(*start, program)
            subject.wait_for('ready')
            tracer = case.attach(subject, '-F', 'p.conf', *options)
            subject.say()
            case.finish(subject)
            tracer.wait(0)
            case.equal(tracer.says(), [], 'what xtrace says')
            case.same([row for row in tracer.calls() if 'in flight' not in row],
                      wanted, f'{start} {options}')


case.main(test)
