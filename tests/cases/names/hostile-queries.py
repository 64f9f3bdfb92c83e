#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Hostile bytes in the outputs for queries, objects, samples and probes: names
of scripts, functions, classes, queries, programs and probes contain what a
terminal would obey, or what would forge a line.

NEEDS: gcc
TIMEOUT: 120
"""
import json
import subprocess

import case
from hostilecase import (PROGRAM, TRACED, build, check, clean, main, read,
                         rows, run)

BAD = 'x\x1b[31m\n+++ killed +++'
SHOWN = r'x\033[31m\n+++ killed +++'
SCRIPT = r'''
import sqlite3


def ask(query):
    try:
        base.execute(query).fetchall()
    except sqlite3.Error:
        pass


name = 'ask\x1b[31m\n+++ killed +++'
ask.__code__ = ask.__code__.replace(co_name=name, co_qualname=name)
base = sqlite3.connect(':memory:', isolation_level=None)
bad = 't\x1b[31m\n# Time: 2020\x1b]0;x\x07\x9b'
for query in ('BEGIN', f'SELECT 1 AS "{bad}"', f'SELECT 2, \'{bad}\'',
              f'SELECT * FROM "{bad}"', 'COMMIT'):
    ask(query)
Class = type('Class' + bad, (), {})
kept = [Class() for _ in range(1000)]
'''
PROBE = '''\
.globl _start
_start: nop
place: nop
mov $60, %eax
xor %edi, %edi
syscall
.section .stapsdt.base, "a", "progbits"
_.stapsdt.base: .space 1
.section .note.stapsdt, "", "note"
.balign 4
.4byte 2f - 1f, 4f - 3f, 3
1: .asciz "stapsdt"
2: .balign 4
3: .8byte place, _.stapsdt.base, 0
.asciz "shop\\033[31m\\n", "sold\\033]0;x\\n+++", "-4@%eax"
4: .balign 4
'''
PROBED = r'shop\033[31m\n:sold\033]0;x\n+++'
# The options of an output, and texts that the output must have. No output may
# have a line that begins with a name of the script.
OUTPUTS = [
    (['--slow-log', 'out'], [SHOWN.replace(' ', '_') + '.py:',
                             r'SELECT 2, ' + r"'t\033[31m"]),
    (['--otlp', 'out'], []),
    (['--transactions', '-o', 'out'], [SHOWN]),
    (['--requests', '-o', 'out'], []),
    (['--sql', '--summary', '--group-by', 'query,where', '-o', 'out'],
     [SHOWN]),
    (['--sql', '--summary', '--group-by', 'transaction', '-o', 'out'], []),
    (['--sql', '--histogram', 'sqlite3_step', '-o', 'out'], []),
    (['--sql', '--json=out'], []),
    (['--sql', '--summary', '-o', 'table', '--prometheus', 'out.prom'],
     [r'\"t\\033[31m\\n# Time: 2020\\033]0;x']),
    (['--script-calls', '-x', 'py:*', '-o', 'out'], [SHOWN]),
    (['--heap', '-o', 'out'], [r'Classt\033[31m\n']),
    (['--sample=997', '-o', 'out'], []),
    (['--alloc=100', '-o', 'out'], []),
]


def test_script():
    script = case.FOLDER / f'{BAD}.py'
    script.write_text(SCRIPT)
    for options, wanted in OUTPUTS:
        frames = ['-w', '3'] if '--sql' in options else []
        run(*options, *frames, command=[case.PYTHON, script])
        text = clean(read('out.prom' if '--prometheus' in options else 'out'),
                     f'{options}', tabs='--slow-log' in options)
        lines = text.split('\n')[:-1]
        check(lines, f'{options} writes something')
        for forged in '\n+++ killed', '\n# Time: 2020':
            check(forged not in text, f'{options} has {forged!r}')
        for name in wanted:
            check(name in text, f'{options}: no {name!r} in {text}')
        if '--otlp' in options or '--json=out' in options:
            check(all(json.loads(line) for line in lines), f'{options}: JSON')


def test_program(program):
    text = clean(run('--histogram', '*SIGKILL*', '-x', TRACED, '-o', 'out',
                     command=[program]) + read('out'), '--histogram')
    check('+++ exited (status 0) +++\n' not in text.replace(
        '\n+++ exited (status 0) +++\n', '', 1), f'--histogram: {text}')
    subject = case.start(program, 'wait')
    subject.wait_for('ready')
    run('--sample=997', '--sample-mode', 'wall', '--duration', '1s',
        '--stack', 'native', '-p', str(subject.pid), '-o', 'out')
    text = '\n'.join(rows(read('out'), '--sample'))
    check(PROGRAM[1] in text, f'--sample: {text}')
    subject.say('go')
    case.finish(subject)


def test_probes():
    source = case.FOLDER / 'probe.s'
    source.write_text(PROBE)
    program = case.FOLDER / BAD
    subprocess.run(['gcc', '-nostdlib', '-static', '-o', program, source],
                   check=True)
    listed = case.start(case.XTRACE, '--list-probes', program)
    case.equal(listed.wait(), 0, listed.err)
    case.equal(rows(listed.output['out'], '--list-probes'),
               [f'%{PROBED}(int)  {SHOWN}, 1 place'], '--list-probes')
    lines = rows(run('-x', '%*:*', '-o', 'out', command=[program]) +
                 read('out'), 'a probe')
    check(any(line.startswith(PROBED + '(') for line in lines), f'{lines}')


def test():
    program, _ = build()
    test_script()
    test_program(program)
    test_probes()


main(test)
