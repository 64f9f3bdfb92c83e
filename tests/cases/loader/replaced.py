#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The path of the running library does not lead to the running file any more.

The library was deleted, or replaced by one of another layout, by rename and by
unlink; or the program itself was deleted. The running code is traced, and its
bytes are restored afterwards.
"""
import os
import shutil

import case


def one(name, change):
    folder = case.FOLDER / name
    program = case.build('replaced.c', folder)
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    subject = case.start(program)
    subject.wait_for('ready')
    change(folder)
    for options in (['-x', 'f'], ['-x', 'f@libmod.so'], ['-e', 'f@MAIN']):
        tracer = case.attach(subject, '-F', 'p.conf', *options)
        for _ in range(3):
            subject.say()
            subject.wait_for('turn')
        tracer.leave()
        lines = [line.replace('main->', '') for line in tracer.calls()]
        case.equal(len(lines), 3, f'{name} {options}: {lines}')
        case.equal(case.count(lines, 'f(%num) = %num'), 3, f'{name}: {lines}')
    subject.close_input()
    case.finish(subject, 9)


def renamed_over(folder):
    os.rename(folder / 'libnew.so', folder / 'libmod.so')


def unlinked_first(folder):
    (folder / 'libmod.so').unlink()
    shutil.copy(folder / 'libnew.so', folder / 'libmod.so')


def test():
    one('deleted', lambda folder: (folder / 'libmod.so').unlink())
    one('program', lambda folder: (folder / 't').unlink())
    one('all', shutil.rmtree)
    one('renamed', renamed_over)
    one('unlinked', unlinked_first)


case.main(test)
