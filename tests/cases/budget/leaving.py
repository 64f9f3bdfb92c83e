#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget: xtrace leaves or is killed while a function is left out, or while it
is looked at. The program runs on, its text is as in the file, and its results
are right; so are those of a child that it forks meanwhile.

TIMEOUT: 90
"""
import signal

import case

# With the larger budget the breaks are short, even if a busy machine makes
# each stop expensive.
OUT, AGAIN = ('0.5', 'left out from here on'), ('8', 'looked at again; so far for ')


def said(tracer, what):
    return any(what in line for line in tracer.lines())


def goes_on(subject):
    subject.say('')
    subject.wait_for('round')


def test_split():
    """With -ff, the file of each process says what was left out of it."""
    path = case.FOLDER / 'split'
    run = case.start(case.XTRACE, '-ff', '-o', path, '--budget=0.5', '-x',
                     'hot+cold', '--', case.build('busy.c'))
    run.wait_for('ready')
    run.say('fork')
    run.wait_for('child 5')
    run.close_input()
    case.equal(run.wait(), 3, 'status')
    files = {file.name: file.read_text().splitlines()
             for file in path.parent.glob('split.*')}
    case.equal(len(files), 2, f'{files.keys()}')
    for name, lines in files.items():
        said = [line for line in lines if '--- hot: ' in line]
        # The child may live within one break.
        case.true(said and 'the trace ends; looked at for' in said[-1] and
                  '+++ exited' in lines[-1], f'{name}: {lines[-9:]}')


def test():
    subject = case.start(case.build('busy.c'))
    subject.wait_for('ready')
    for number in range(6):
        budget, wanted = AGAIN if number % 3 == 2 else OUT
        tracer = case.Tracer([f'--budget={budget}', '-f', '-x', 'hot+cold',
                              '-p', str(subject.pid)])
        case.until(lambda: said(tracer, wanted), f'{wanted}, {number}')
        goes_on(subject)
        if number % 2:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        else:
            subject.say('fork')
            subject.wait_for('child 5')
            tracer.leave()
        case.until(lambda: not case.text_changes(subject.pid), 'text as before')
        goes_on(subject)
        case.same_text(subject.pid)
    subject.close_input()
    case.finish(subject, 3)
    case.true(subject.out.endswith('all right\n'), subject.out)
    case.equal(subject.err, '', 'stderr')
    test_split()


case.main(test)
