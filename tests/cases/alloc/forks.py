#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--alloc and a program that forks, executes programs, and whose children are
killed, while traps are planted. With -f, the growth of children and of executed
programs is seen, all of it with --alloc=100. The output and the status are as
untraced, even if xtrace is killed while the program forks.

TIMEOUT: 120
"""
import re
import signal

import case

PIECE = 256 << 10
ROUNDS = 12
ROW = re.compile(r' *([\d ]*\d) {2,}([\d ]*\d)  \(mmap\)  .*\b(in_\w+)@')


def number(text):
    return int(text.replace(' ', ''))


def run(*options):
    """The mmap rows of the program's functions: name -> [count, bytes]."""
    command = [case.build('forking.c'), 'rounds', str(ROUNDS)]
    wanted = case.untraced(*command)
    case.equal(wanted, (6, 'last\n', ''), 'untraced')
    tracer = case.trace('--top', '9999', *options, command=command)
    tracer.wait(6)
    case.equal((tracer.child.out, tracer.err()), wanted[1:], 'what it says')
    case.equal(tracer.says(), [], 'what xtrace says')
    rows = {}
    for match in filter(None, map(ROW.match, tracer.lines())):
        row = rows.setdefault(match[3], [0, 0])
        row[0] += number(match[1])
        row[1] += number(match[2])
    return rows


def test_followed():
    rows = run('--alloc=100', '-f')
    for name, count in (('in_parent', 3 * ROUNDS), ('in_child', ROUNDS),
                        ('in_killed', ROUNDS), ('in_executed', 2 * ROUNDS),
                        ('in_last', 1)):
        case.equal(rows.get(name), [count, count * PIECE], f'{name}: {rows}')


def test_not_followed():
    rows = run('--alloc=100')
    case.equal(rows, {'in_parent': [3 * ROUNDS, 3 * ROUNDS * PIECE],
                      'in_last': [1, PIECE]}, 'the program alone')


def test_budget():
    run('--alloc', '-f')
    run('--alloc')


def test_killed(*options):
    """xtrace is killed while the program forks again and again."""
    subject = case.start(case.build('forking.c'))
    subject.wait_for('ready')
    for _ in range(3):
        tracer = case.Tracer([*options, '-p', str(subject.pid)])
        case.wait_planted(subject.pid, tracer)
        subject.say('')
        subject.wait_for('round')
        subject.say('')
        tracer.send(signal.SIGKILL)
        tracer.wait(128 + signal.SIGKILL)
        subject.wait_for('round')
        case.until(lambda: not case.text_changes(subject.pid, within=True),
                   'text as before')
    subject.close_input()
    case.finish(subject)


def test():
    test_followed()
    test_not_followed()
    test_budget()
    test_killed('--alloc=100', '-f')
    test_killed('--alloc=100')


case.main(test)
