#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--alloc tells what it has not watched: the time from the beginning of its last
break to the end of a program, and by how much the program's memory grew in this
time. What was seen and this growth are together what the program got, even if
its first thread ends before others. The folded stacks contain it, too. Without a
break nothing is told.

TIMEOUT: 120
"""
import re

import case

PIECE = 256 << 10
ROUNDS = 600
ALL = 4 * ROUNDS * PIECE
NUMBER = r'(\d{1,3}(?: \d{3})*)'
ROW = re.compile(rf' *{NUMBER} +{NUMBER}  \((\w+)\)  (.*)$')
GREW = rf'private writable memory grew by {NUMBER} bytes in this time'
UNSEEN = re.compile(rf'not watched: .*{GREW}$')
LAST = re.compile(r'(?:  |xtrace: )not watched: the last '
                  rf'(\d+\.\d{{3}}) s; {GREW}$')
# Threads map and unmap pieces all the time, so the memory may also shrink.
LEFT = re.compile(r'  not watched: the last \d+\.\d{3} s; private writable memory '
                  rf'(grew by {NUMBER} bytes|shrank by {NUMBER} bytes|has kept '
                  r'its size) in this time$')
TRIES = 30


def number(text):
    return int(text.replace(' ', ''))


def pieces_of(lines):
    return sum(number(match[2]) for match in map(ROW.match, lines)
               if match and re.search(r'\bpiece@', match[4]))


def run(*options, command, status):
    """The trace, and what xtrace says. The output is that of an untraced run."""
    wanted = case.untraced(*command)
    case.equal(wanted[0], status, 'untraced')
    tracer = case.trace(*options, command=command)
    tracer.wait(status)
    case.equal(tracer.child.out, wanted[1], 'what the program says')
    return tracer


def in_its_first_break(options, command):
    """Returns the table of a run that has ended in its first break. Windows and
    breaks have random lengths, so a run may also end in another one."""
    for _ in range(TRIES):
        tracer = run(*options, command=command, status=7)
        lines = tracer.lines()
        if any(LAST.match(line) for line in lines) and \
                not any('estimated' in line for line in lines):
            return lines
    case.true(False, f'no run of {TRIES} has ended in its first break: {lines}')


def test_ends_in_break():
    command = [case.build('growing.c'), 'keep', str(ROUNDS), '0']
    lines = in_its_first_break(['--alloc=1', '--top', '9999'], command)
    grew = sum(number(match[1]) for match in map(UNSEEN.search, lines) if match)
    case.true(0 < pieces_of(lines) < ALL, f'seen: {lines}')
    # The program got nothing else in the break. If another window began before
    # the end and saw nothing, there are two breaks.
    case.equal(pieces_of(lines) + grew, ALL, f'{lines}')


def test_leader_ends():
    """The first thread of the process ends in a break, and the second one makes
    the process grow."""
    command = [case.build('growing.c'), 'leader', str(ROUNDS), '0']
    lines = in_its_first_break(['--alloc=1', '--top', '9999'], command)
    grew = sum(number(match[1]) for match in map(UNSEEN.search, lines) if match)
    # If the break begins very early, it has the second thread's stack, too.
    case.true(0 <= pieces_of(lines) + grew - ALL < 16 << 20, f'{lines}')


def test_breaks_end():
    """The end of the first thread does not make a break longer: the last break
    is a small part of the time for which the second thread runs."""
    command = [case.build('growing.c'), 'leader', '2000', '200000']
    for _ in range(5):
        tracer = run('--alloc=20', command=command, status=7)
        runs = float(re.search(r'^(\d+\.\d+) s$', tracer.child.err, re.M)[1])
        last = [float(match[1]) for match in map(LAST.match, tracer.lines())
                if match]
        case.true(sum(last) < runs / 2, f'{last} of {runs} s: {tracer.lines()}')


def test_folded():
    command = [case.build('growing.c'), 'keep', str(ROUNDS), '0']
    folded = case.FOLDER / 'folded'
    for _ in range(TRIES):
        tracer = case.trace('--alloc=1', f'--folded={folded}', to_file=False,
                            command=command)
        tracer.wait(7)
        found = [line.rsplit(' ', 1)
                 for line in folded.read_text().splitlines()]
        says = [LAST.match(line) for line in tracer.says()]
        sizes = [int(size) for stack, size in found
                 if stack.endswith(';[not watched]')]
        if any(says):
            break
    case.equal([number(match[2]) for match in says if match], sizes,
               f"{found}\n{tracer.says()}")
    case.equal(len(sizes), 1, f'{found}')
    case.true(0 < sizes[0] < ALL, f'{sizes}')


def test_nothing_missed():
    command = [case.build('growing.c'), 'keep', '200', '0']
    lines = run('--alloc=100', command=command, status=7).lines()
    case.equal([line for line in lines if 'watched' in line], [], f'{lines}')


def test_exec_in_break():
    """After an exec the old program's memory cannot be read any more. The new
    program begins in the break and ends in it."""
    command = [case.PYTHON, '-c', 'import os\n'
               'kept = [bytearray(300000) for _ in range(400)]\n'
               'os.execv("/bin/true", ["true"])']
    wanted = re.compile(r'  not watched: the last \d+\.\d{3} s of 2 programs '
                        r'together; private writable memory .* in this time '
                        r'\(known for 1 of them\)$')
    for _ in range(TRIES):
        lines = run('--alloc=1', command=command, status=0).lines()
        if wanted.match(lines[-1]):
            return
    case.fail('no exec in a break', *lines)


def test_left_in_break():
    """xtrace leaves while the program runs on, in a break."""
    subject = case.start(case.build('growing.c'))
    subject.wait_for('ready')
    for _ in range(TRIES):
        tracer = case.Tracer(['--alloc=1', '-p', str(subject.pid)])
        case.wait_planted(subject.pid, tracer)
        for _ in range(10):
            subject.say('')
            subject.wait_for('round')
        tracer.leave()
        lines = tracer.lines()
        if LEFT.match(lines[-1]):
            break
    case.true(LEFT.match(lines[-1]), f'{lines}')
    subject.say('')
    subject.wait_for('round')
    case.same_text(subject.pid)
    subject.close_input()
    case.finish(subject)


def test():
    test_ends_in_break()
    test_leader_ends()
    test_breaks_end()
    test_folded()
    test_nothing_missed()
    test_exec_in_break()
    test_left_in_break()


case.main(test)
