#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--alloc attaches to a program whose threads get memory and give it back all
the time, and which aborts at a wrong result. xtrace leaves or is killed while
traps are planted, or while --alloc has lifted them for a break. The program
runs on, and its text is as in the file.

TIMEOUT: 120
"""
import signal

import case


def goes_round(subject):
    subject.say('')
    subject.wait_for('round')


def test():
    subject = case.start(case.build('growing.c'))
    subject.wait_for('ready')
    left = set()  # what killed xtraces have left behind the end of a text

    def changes():
        return set(case.text_changes(subject.pid)) - left
    for number in range(8):
        kill = number % 3 == 1
        tracer = case.Tracer(['--alloc=100' if number % 2 else '--alloc',
                              '-p', str(subject.pid)])
        case.wait_planted(subject.pid, tracer)
        goes_round(subject)
        if kill:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
            case.until(lambda: not case.text_changes(subject.pid, within=True),
                       'text as before')
            left |= changes()
        else:
            tracer.leave()
            last = tracer.lines()[-1]
            # With 100 percent there is no break.
            case.true('in all, of growth' in last or (
                not number % 2 and ('  estimated from ' in last or
                                    '  not watched: ' in last)),
                      f'{tracer.lines()}')
        case.until(lambda: not changes(), 'text as before')
        goes_round(subject)
        case.equal(changes(), set(), 'text')
    subject.close_input()
    case.finish(subject)


def test_refused():
    for options, message in (
            (['--alloc=0'], None), (['--alloc=101'], None),
            (['--alloc', '-x', 'f'], '--alloc and -x cannot'),
            (['--alloc', '--summary'], '--alloc and --summary cannot be used '
             'together'),
            (['--alloc', '--stack=calls'], '--alloc traces no calls, so it '
             'cannot show --stack=calls')):
        run = case.start(case.XTRACE, *options, '--', 'true')
        case.equal(run.wait(), 2, f'{options}')
        case.equal(run.out, '', f'{options}')
        case.true(message is None or message in run.err or
                  '--alloc and --' in run.err, run.err)
        case.equal(run.err.count('xtrace: '), 1, run.err)


def test_all():
    test_refused()
    test()


case.main(test_all)
