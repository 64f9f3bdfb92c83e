#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs under seccomp policies that kill. xtrace injects no system call
that the policy does not allow, and then says what it cannot do. If the policy
allows all of them, everything works as in other programs, also when xtrace is
killed.

NEEDS: root setpriv
TIMEOUT: 120
"""
import re
import signal

import case

SAYS = (r'xtrace: process \d+: its seccomp policy does not allow system calls '
        r'that xtrace injects: a function is traced only if there is room '
        r"behind its module's text, and if xtrace is killed, only the watcher "
        r'lifts the traps')
STATS = re.compile(r'system calls injected: (\d+)')
MAGIC = b'.xtrace'  # as in breakpoints/outlive/inside/inside.h
BLIND = ['--bounding-set', '-sys_admin', '--inh-caps', '-sys_admin',
         case.XTRACE]


def areas(pid):
    """The number of mapped handler areas."""
    count = 0
    with open(f'/proc/{pid}/maps') as rows, \
            open(f'/proc/{pid}/mem', 'rb', buffering=0) as memory:
        for row in rows:
            words = row.split()
            if 'r-xp' in words and len(words) == 5:
                memory.seek(int(words[0].split('-')[0], 16))
                count += memory.read(64).find(MAGIC) >= 0
    return count


def calls(subject):
    subject.say()
    subject.wait_for('done')


def options(*more):
    return ['--stats', '-F', 'p.conf', '-x', 'f+g', *more]


def judge(how, tracer, confined, rounds):
    """Checks that the trace has every call, and what xtrace says."""
    said = [row for row in tracer.child.err.splitlines()
            if re.match('xtrace: process', row)]
    case.true(len(said) == confined and all(
        re.fullmatch(SAYS, row) for row in said), f'{how}: says {said}')
    case.equal(len([row for row in tracer.calls()
                    if re.fullmatch(r'[fg]\(\d+\) = \d+', row)]),
               100 * rounds, f'{how}: calls traced')


def injected(tracer):
    return int(STATS.search(tracer.child.err).group(1))


def attached(program, how, confined, blind=False):
    subject = case.start(program, how)
    subject.wait_for('ready')
    path = case.FOLDER / f'trace.{how}.{blind}'
    words = ['-o', path, *options('-p', subject.pid)]
    tracer = case.Tracer([*BLIND, *words] if blind else words, to_file=False,
                         program='/usr/bin/setpriv' if blind else None)
    tracer.path, tracer.to_file = path, True
    case.child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    for _ in range(3):
        calls(subject)
    case.equal(areas(subject.pid), 0 if confined else 1, f'{how}: areas')
    # xtrace leaves while the program runs.
    tracer.leave()
    case.same_text(subject.pid)
    judge(how, tracer, confined, 3)
    case.true((injected(tracer) == 0) == bool(confined),
              f'{how}: {injected(tracer)} calls made there')
    calls(subject)
    case.finish(subject, 7)


def started(program, how):
    """System calls that are injected before the program installs its policy
    are allowed."""
    tracer = case.trace(*options(), command=[program, how])
    tracer.child.wait_for('ready')
    for _ in range(2):
        calls(tracer.child)
    tracer.wait(7)
    judge(how, tracer, 0, 2)


def killed(program, how):
    subject = case.start(program, how)
    subject.wait_for('ready')
    tracer = case.attach(subject, *options())
    calls(subject)
    tracer.send(signal.SIGKILL)
    tracer.wait()
    # Without a handler area only the watcher restores the bytes, and it needs
    # a moment.
    for _ in range(20 if how == 'list' else 0):
        calls(subject)
    # Slots may stay in the unused end of the text's last page, which held
    # zeros and is never executed.
    case.until(lambda: not any(' 00 became ' not in row for row in
                               case.text_changes(subject.pid)),
               'the bytes are back')
    calls(subject)
    case.finish(subject, 7)


def test():
    program = case.build('filter.c')
    (case.FOLDER / 'p.conf').write_text('int f(int); int g(int);\n')
    for how in ('some', 'two', 'fails', 'asks'):
        attached(program, how, 1)
    for how in ('some', 'two', 'fails', 'list', 'resume'):
        started(program, how)
    attached(program, 'list', 0)
    attached(program, 'resume', 0)
    # If xtrace cannot read the filter, it assumes that the call is forbidden.
    attached(program, 'list', 1, blind=True)
    for how in ('list', 'some'):
        killed(program, how)


case.main(test)
