#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The key t of --live hardly ever ends a large blocking write() early, although
the writer blocks only for moments. With --sample such a call may end early, as
docs/SURVIVAL.md says: then no byte is lost or sent twice.

TIMEOUT: 90
"""
import case
from screen import Screen

PRESSES = 60
# 37 were seen if running threads are interrupted at the first look. Up to 4 are
# left, also because xtrace attaches and leaves.
EARLY_MOST = 20
# Every byte has arrived once.
ENDS = [['ready', f'{how}, all received'] for how in ('whole', 'early')]


def look_often(screen):
    """Presses t, and waits for the stacks of all threads each time."""
    for _ in range(PRESSES):
        screen.keys('t')
        screen.until(lambda lines: lines[0].startswith('3 threads at '),
                     'three threads')
        screen.keys('Escape')
        screen.until_line('s sorts')


def ends(subject):
    subject.say('')
    case.equal(subject.wait(), 3, 'status')
    return subject.out.splitlines(), subject.err


def test_stacks(program):
    subject = case.start(program)
    subject.wait_for('ready')
    screen = Screen(f'{case.XTRACE} --live -x lseek -p {subject.pid}',
                    width=120, height=90)
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    look_often(screen)
    screen.keys('q')
    screen.ended(0)
    out, counts = ends(subject)
    case.true(out in ENDS, out)
    case.true(int(counts.split()[0]) <= EARLY_MOST, counts)


def test_samples(program):
    subject = case.start(program)
    subject.wait_for('ready')
    case.trace('--sample=500', '--duration', '1s', '-p',
               str(subject.pid)).wait(0)
    out, counts = ends(subject)
    case.true(out in ENDS, (out, counts))


def test():
    program = case.build('long_writes.c')
    status, out, _ = case.untraced(program, feed=[''])
    case.equal((status, out), (3, 'ready\nwhole, all received\n'), 'untraced')
    test_stacks(program)
    test_samples(program)


case.main(test)
