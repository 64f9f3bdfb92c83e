#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The kernel refuses one thing that xtrace asks for, as the policy of a
container or an old kernel does. Either the trace is the same; or one line says
what is missing, the status is 1, and the program runs on as if untraced. A
program that xtrace starts is refused the same thing. The program has a seccomp
policy, so no system call is injected into it. It runs as usual, or it is not
started at all, and the status is 126.

TIMEOUT: 600
"""
import errno
import os
import re

import case

CODES = (errno.EPERM, errno.ENOSYS)
# The leak sanitizer reads registers by ptrace(2), as a tracer does.
SANITIZER = {'ASAN_OPTIONS': case.ASAN['ASAN_OPTIONS'].replace('leaks=1', 'leaks=0')}
# xtrace works without these requests. For each request that it needs, NEEDED
# has a word of the message.
WITHOUT = ['nothing', 'process_vm_readv', 'PTRACE_GETREGSET', 'memfd_create',
           'sched_setaffinity', 'kcmp']
# How often the subject calls f(). Each call has two stops.
CALLS = 4000
NEEDED = {'PTRACE_SEIZE': 'trace', '/proc/PID/mem': 'mem'}


def planted(subject, program):
    """True if exactly the trap is planted in the program's own text. Any other
    changed byte is the code of an injected call, behind the text."""
    rows = [row for row in case.text_changes(subject.pid)
            if row.startswith(str(program))]
    return len(rows) == 1 and rows[0].endswith('became cc')


def attempt(refuse, program, what, code):
    """Attaches with one thing refused. Checks the traces, and that the program
    ends as it should."""
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.Tracer([what, code, case.XTRACE, '-o', case.FOLDER / 'trace',
                          '--pid=never', '-F', 'p.conf', '-x', 'f', '-p', subject.pid],
                         to_file=False, program=refuse, env=SANITIZER)
    tracer.path = case.FOLDER / 'trace'
    if what in NEEDED:
        status = tracer.wait()
    else:
        case.until(lambda: planted(subject, program), f'{what}: f is planted')
        status = None
    case.same_text(subject.pid) if what in NEEDED else None
    subject.say()
    case.finish(subject, 7)
    case.equal(subject.out, 'ready\nright\n', what)
    if status is None:
        status = tracer.wait()
    return status, tracer.child.err, tracer.path.read_text()


def attempt_start(refuse, program, what, code):
    tracer = case.Tracer([what, code, case.XTRACE, '-o',
                          case.FOLDER / 'trace', '--pid=never', '-F', 'p.conf',
                          '-x', 'f', '--', program],
                         to_file=False, program=refuse, env=SANITIZER)
    tracer.child.say()
    status = tracer.wait()
    said = re.sub(r'process \d+', 'process PID', tracer.child.err)
    return (status, tracer.child.out, said,
            (case.FOLDER / 'trace').read_text())


def try_start(refuse, program):
    wanted = attempt_start(refuse, program, 'nothing', 0)
    case.equal(wanted[:2], (7, 'ready\nright\n'), 'with nothing refused')
    case.true(re.fullmatch('xtrace: [^\n]*seccomp[^\n]*\n', wanted[2]),
              wanted[2])
    case.equal(wanted[3].count('f('), 11, 'calls')
    for code in CODES:
        for what in WITHOUT[1:]:
            got = attempt_start(refuse, program, what, code)
            case.equal(got, wanted,
                       f'{what} gives {errno.errorcode[code]} from the start')
        for what, word in NEEDED.items():
            name = f'{what} gives {errno.errorcode[code]} from the start'
            *got, said, trace = attempt_start(refuse, program, what, code)
            case.equal((got, trace), ([126, ''], ''), name)
            case.true(re.fullmatch(f'xtrace: [^\n]*{word}[^\n]*\n', said),
                      f'{name}: {said!r}')


def try_following(refuse, program):
    """xtrace asks to run on the tracee's CPU after some dozen stops in a row,
    and asks only once if this is refused."""
    def moves(what, code):
        tracer = case.Tracer([what, code, case.XTRACE, '-o',
                              case.FOLDER / 'trace', '-D', 'process', '--pid=never',
                              '-F', 'p.conf', '-x', 'f', '--', program, CALLS],
                             to_file=False, program=refuse, env=SANITIZER)
        tracer.child.say()
        status = tracer.wait()
        case.equal((status, tracer.child.out), (7, 'ready\nright\n'), what)
        case.equal((case.FOLDER / 'trace').read_text().count('f('), CALLS + 1,
                   'calls')
        return len(re.findall(r'to CPU \d', tracer.child.err))
    case.true(moves('nothing', 0) > 0, 'xtrace moves to the CPU')
    for code in CODES:
        case.equal(moves('sched_setaffinity', code), 1, 'refused moves')


def test():
    refuse, program = case.build('refuse.c'), case.build('calls.c')
    (case.FOLDER / 'p.conf').write_text('double f(int, string, double);\n')
    wanted = attempt(refuse, program, 'nothing', 0)
    case.equal(wanted[:2], (0, ''), 'with nothing refused')
    case.equal(wanted[2].count('f('), 10, 'calls')
    for code in CODES:
        for what in WITHOUT[1:]:
            got = attempt(refuse, program, what, code)
            case.equal(got, wanted, f'{what} gives {errno.errorcode[code]}')
        for what, word in NEEDED.items():
            status, said, trace = attempt(refuse, program, what, code)
            name = f'{what} gives {errno.errorcode[code]}'
            case.equal((status, trace), (1, ''), name)
            case.true(re.fullmatch(f'xtrace: [^\n]*{word}[^\n]*\n', said),
                      f'{name}: {said!r}')
    try_start(refuse, program)
    if len(os.sched_getaffinity(0)) > 1:
        try_following(refuse, program)


case.main(test)
