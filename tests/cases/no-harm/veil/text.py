#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that reads its own text finds the trap of xtrace while it is
traced, as the manual says, and not afterwards. xtrace itself shows the
original bytes of the same memory. A core file that gcore writes after xtrace
has left, or was killed, has the original bytes, too.

NEEDS: gcore
TIMEOUT: 120
"""
import os
import pathlib
import signal
import struct
import subprocess

import case

LENGTH = 16
SHOWN = 4


def ask(subject):
    subject.say()
    return [subject.wait_for('by pointer'), subject.wait_for('by file')]


SAME = ['by pointer: same', 'by file: same']
CHANGED = ['by pointer: changed', 'by file: changed']


def bytes_of_f(program):
    """The bytes of f in the file."""
    words = subprocess.run(['nm', program], check=True, text=True,
                           stdout=subprocess.PIPE).stdout.split('\n')
    at = next(int(row.split()[0], 16) for row in words if row.endswith(' f'))
    data = program.read_bytes()
    first, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<2H', data, 54)
    for row in range(first, first + size * count, size):
        kind, _, offset, begin, _, length = struct.unpack_from('<2I4Q', data,
                                                               row)
        if kind == 1 and begin <= at < begin + length:
            at += offset - begin
            return at, data[at:at + LENGTH]
    return case.fail('f is in no segment')


def loads(core):
    """Yields the address and the bytes of each segment of the core file."""
    data = core.read_bytes()
    first, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<2H', data, 54)
    for row in range(first, first + size * count, size):
        kind, _, offset, begin, _, length = struct.unpack_from('<2I4Q', data,
                                                               row)
        if kind == 1 and length:
            yield begin, data[offset:offset + length]


def check_core(subject, name, program):
    """The text in the core file is that of the mapped files, and contains the
    original bytes of f."""
    base = f'/proc/{subject.pid}'
    pathlib.Path(f'{base}/coredump_filter').write_text('0x7f')
    subprocess.run(['gcore', '-o', case.FOLDER / name, str(subject.pid)],
                   check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env={**os.environ,
                                                   'HOME': '/nonexistent'})
    parts = list(loads(case.FOLDER / f'{name}.{subject.pid}'))
    at, wanted = bytes_of_f(program)
    pages, met = 0, False
    for row in pathlib.Path(f'{base}/maps').read_text().splitlines():
        words = row.split(None, 5)
        if 'x' not in words[1] or len(words) < 6 or words[5][0] != '/':
            continue
        begin, end = (int(part, 16) for part in words[0].split('-'))
        offset = int(words[2], 16)
        there = pathlib.Path(words[5]).read_bytes()[offset:][:end - begin]
        for start, data in parts:
            if start <= begin < start + len(data):
                have = data[begin - start:][:len(there)]
                case.equal(have, there[:len(have)], f'{name}: {row}')
                pages += len(have) // 4096
                met |= words[5] == str(program) and \
                    have[at - offset:][:LENGTH] == wanted
    case.true(met, f'{name}: the text of f is in the core ({pages} pages)')


def trace_once(subject, program):
    """Attaches, and checks what the program and the trace show. Returns the
    tracer."""
    tracer = case.attach(subject, '-F', case.FOLDER / 'p.conf', '-x', 'f+look')
    case.equal(ask(subject), CHANGED, 'its text while it is traced')
    case.equal(ask(subject), CHANGED, 'its text while it is traced')
    shown = ', '.join(f'0x{byte:x}' for byte in bytes_of_f(program)[1][:SHOWN])
    case.until(lambda: sum('look(' in row and row.endswith('= 1')
                           for row in tracer.lines()) == 2, 'both are shown')
    case.same([row for row in tracer.calls() if row.startswith('look')],
              [f'look([{shown}]) = 1'] * 2)
    return tracer


def test():
    program = case.build('text.c')
    (case.FOLDER / 'p.conf').write_text(
        f'int f(int);\nint look(array(hex(unsigned char), {SHOWN})*);\n')
    subject = case.start(program)
    subject.wait_for('ready')
    case.equal(ask(subject), SAME, 'its text untraced')
    trace_once(subject, program).leave()
    case.equal(ask(subject), SAME, 'its text after xtrace has left')
    check_core(subject, 'left', program)
    tracer = trace_once(subject, program)
    tracer.child.signal(signal.SIGKILL)
    tracer.wait()
    case.until(lambda: ask(subject) == SAME,
               'its text after xtrace was killed')
    check_core(subject, 'killed', program)
    subject.say('stop')
    case.finish(subject, 7)


case.main(test)
