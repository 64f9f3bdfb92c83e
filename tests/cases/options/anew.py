#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--folded=FILE --interval: the file is replaced by a new one while the
program runs, and is whole at any time. Its former contents stay until the
first replacement.
"""
import os
import stat

import case


def sums(path):
    lines = path.read_text().splitlines()
    return {line.split(';')[-1] for line in lines}


def test_file(program):
    path = case.FOLDER / 'out.folded'
    path.touch(0o640)
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, f'--folded={path}', '--weight', 'calls',
                         '--interval', '1s', '-x', 'f')
    subject.say('3')
    case.until(lambda: sums(path) == {'f 3'}, 'three calls are in the file')
    with path.open() as old:
        subject.say('2')
        case.until(lambda: sums(path) == {'f 5'}, 'five calls are in the file')
        case.true(old.read().endswith(';f 3\n'),
                  'a reader that had the file open has the whole old one')
    case.equal(stat.S_IMODE(path.stat().st_mode), 0o640, 'its mode')
    subject.say('1')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    case.equal(sums(path), {'f 6'}, 'at the end')
    case.equal(sorted(case.FOLDER.glob('out.folded*')), [path],
               'no other file is left in the folder')


def test_link(program):
    """If FILE is a symbolic link, the link stays, and the file that it names
    is written at the end."""
    link = case.FOLDER / 'link'
    os.symlink('linked', link)
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, f'--folded={link}', '--weight', 'calls',
                         '--interval', '1s', '-x', 'f')
    subject.say('4')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    case.true(link.is_symlink(), 'the link')
    case.equal(sums(case.FOLDER / 'linked'), {'f 4'}, 'what it names')


def test():
    program = case.build('interval.c')
    test_file(program)
    test_link(program)


case.main(test)
