#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Static programs whose text fills its last page: there is no room behind it
for the first injected system call. They are traced, left, attached to, and
survive a SIGKILL of xtrace like any other.
"""
import os
import pathlib
import signal
import subprocess

import case

LEFT = 160  # unused bytes; alignment of the text may change this a little


def slack(program):
    """How many bytes at the end of the program's last page of text are unused.
    """
    rows = subprocess.run(['readelf', '-lW', program], check=True, text=True,
                          capture_output=True).stdout.splitlines()
    for row in rows:
        words = row.split()
        if words[:1] == ['LOAD'] and ' R E ' in row:
            return -(int(words[2], 16) + int(words[4], 16)) % 4096
    case.fail(*rows)


def compiled(kind, pad):
    program = case.FOLDER / f'fills{kind}-{pad}'
    subprocess.run(['gcc', '-O1', f'-I{case.TESTS}/lib', kind, f'-DPAD={pad}',
                    '-o', program, case.SUPPORT / 'fills.c'], check=True)
    return program


def built(kind):
    pad = slack(compiled(kind, 1)) - LEFT
    program = compiled(kind, pad % 4096)
    case.true(slack(program) < 288, f'{slack(program)} bytes are free')
    return program


def text_of(pid):
    """The executable mappings that belong to no file."""
    with open(f'/proc/{pid}/maps', encoding='ascii') as maps:
        rows = [row.split() for row in maps if ' r-xp ' in row]
    out = {}
    memory = os.open(f'/proc/{pid}/mem', os.O_RDONLY)
    for row in rows:
        start, end = (int(word, 16) for word in row[0].split('-'))
        out[start] = os.pread(memory, end - start, start)
    os.close(memory)
    return out


def attached(program):
    subject = case.start(program)
    subject.wait_for('ready')
    before = text_of(subject.pid)
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'f')
    subject.say('go')
    subject.wait_for('turn 1')
    tracer.leave()
    case.same(tracer.calls(), ['f(1) = 2'])
    case.true(text_of(subject.pid) == before, 'the text is as it was')
    # xtrace is killed, and another xtrace attaches.
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'f')
    subject.say('go')
    subject.wait_for('turn 2')
    tracer.send(signal.SIGKILL)
    tracer.wait()
    subject.say('go')
    subject.wait_for('turn 3')
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'f')
    subject.say('go')
    subject.wait_for('turn 4')
    tracer.leave()
    case.same(tracer.calls(), ['f(4) = 5'])
    case.true(text_of(subject.pid) == before, 'the text is as it was again')
    subject.close_input()
    case.finish(subject, 7)


def test():
    pathlib.Path(case.FOLDER / 'p.conf').write_text('int f(int);\n')
    for kind in ('-static', '-static-pie'):
        program = built(kind)
        tracer = case.trace('-F', 'p.conf', '-x', 'f',
                            command=[program, 'once'])
        case.equal(tracer.wait(), 7, 'the status')
        case.equal(tracer.child.err, '', 'what is said')
        case.same(tracer.calls(), ['f(1) = 2'])
        attached(program)


case.main(test)
