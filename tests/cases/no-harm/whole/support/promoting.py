# SPDX-License-Identifier: GPL-2.0-or-later
"""An interpreter or a library whose functions, and the addresses to which they
return, get jumps at their first hit (--engine=eager), while threads run. Its
output and status are as without xtrace, and its text is restored.

A block has sums for 384 functions, so a run traces PART functions. The slow
cases try each THIRD part; with XTRACE_EVERY in the environment, every part.
"""
import collections
import os
import pathlib
import re
import subprocess

import case

PART = 380
THIRD = 3

# The least share, in per cent, of the hit sites that get a jump.
SHARE = 90
LIBRARIES = '/usr/lib/x86_64-linux-gnu/'

# of: the file with the functions; command: the words of the program
Whole = collections.namedtuple('Whole', 'of command')


def python(library, *tests):
    """Tests of CPython's own suite, in a program with libpython."""
    return Whole(LIBRARIES + library, [
        case.build('python.c'), case.SUPPORT / 'suite.py', *tests])


def names(path):
    """The functions that the file exports."""
    rows = subprocess.run(['nm', '-D', '--defined-only', path], check=True,
                          capture_output=True, text=True).stdout.splitlines()
    return sorted({row.split()[2].split('@')[0] for row in rows
                   if row.split()[1] in 'TW'})


class Run:
    def __init__(self, whole):
        self.child = case.start(*whole.command)
        self.child.wait_for('ready')

    def work(self, number):
        self.child.say(str(number))
        self.child.wait_for(f'{number} done')

    def end(self):
        self.child.say('stop')
        return self.child.wait(), self.child.out, re.sub(
            r'(?<=tests in )[\d.]+', '', self.child.err)


def untraced(whole):
    run = Run(whole)
    for number in (1, 2, 3):
        run.work(number)
    return run.end()


def promote(whole, wanted, functions):
    """One part. xtrace leaves while the program does its second round. Returns
    how many sites have got a jump, and how many have not."""
    run = Run(whole)
    tracer = case.Tracer(['--engine=eager', '-c', '--stats', '-x',
                          '+'.join(functions), '-p', str(run.child.pid)])
    # xtrace is not at rest, as case.attach() wants it: the threads that work all
    # the time reach traps that get no jump.
    case.until(lambda: case.text_changes(run.child.pid), 'traps are planted',
               case.LIMIT)
    run.work(1)
    run.child.say('2')
    tracer.leave()
    case.true(run.child.alive(), 'it lives after xtrace has left')
    case.same_text(run.child.pid)
    run.child.wait_for('2 done')
    run.work(3)
    got = run.end()
    for one, other, what in zip(got, wanted, ('status', 'stdout', 'stderr')):
        case.equal(one, other, f'{functions[0]}...: {what}')
    said = str(tracer.says())
    found = re.search(r'jumps: (\d+) sites; (\d+) hot sites have none', said)
    case.true(found and 'not read at their end: 0' in said, said)
    return int(found[1]), int(found[2])


def promote_all(whole, prefix=''):
    wanted = untraced(whole)
    functions = [name for name in names(whole.of) if name.startswith(prefix)]
    total = [0, 0]
    step = PART if os.environ.get('XTRACE_EVERY') else PART * THIRD
    for at in range(0, len(functions), step):
        got = promote(whole, wanted, functions[at:at + PART])
        total = [total[0] + got[0], total[1] + got[1]]
        print(f'{pathlib.Path(whole.of).name}, functions {at} to '
              f'{min(at + PART, len(functions))}: {got[0]} sites have jumps, '
              f'{got[1]} have none')
    jumps, none = total
    case.true(100 * jumps >= SHARE * (jumps + none) and jumps > 20,
              f'{jumps} sites have jumps, {none} have none')
