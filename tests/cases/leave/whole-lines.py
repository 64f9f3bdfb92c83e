#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With -o, lines reach the file even if no more calls follow, and a SIGTERM
between calls cuts no line and loses none.

TIMEOUT: 60
"""
import re
import signal

import case

LINE = re.compile(r'f\((\d+)\) += (\d+)')


def test_soon():
    """Three lines do not fill the buffer. The subject then waits for this
    test."""
    subject = case.start(case.build('../options/support/interval.c'))
    subject.wait_for('ready')
    tracer = case.attach(subject, '--pid=never', '-x', 'f')
    subject.say('3')
    case.until(lambda: len(tracer.lines()) == 3, 'the three lines are there')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)


def test_whole(program):
    subject = case.start(program)
    subject.wait_for('ready')
    for _ in range(3):
        tracer = case.Tracer(['--pid=never', '-F', 'p.conf', '-x', 'f', '-p',
                              str(subject.pid)])
        case.until(lambda: len(tracer.lines()) > 200, 'calls are traced')
        tracer.leave(signal.SIGTERM)
        text = tracer.path.read_text()
        case.true(text.endswith('\n'), f'the last line is whole: {text[-80:]}')
        # A call in flight at the end has no result, one in flight at the
        # attach has no number.
        rows = [line for line in text.splitlines()
                if not line.endswith('<unfinished ...>')
                and not re.match(r'f\(\? +<in flight ...>$|'
                                 r'<... f resumed> \)', line)]
        numbers = []
        for row in rows:
            found = LINE.fullmatch(row)
            case.true(found, f'a whole line: {row!r}')
            case.equal(int(found[2]), 2 * int(found[1]) + 1, row)
            numbers.append(int(found[1]))
        first = numbers[0]
        case.equal(numbers, list(range(first, first + len(numbers))),
                   'each call, once')
    subject.say('stop')
    case.finish(subject, 3)


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    test_soon()
    test_whole(case.build('loop.c'))


case.main(test)
