#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--grandchild: the command is the process that was started, with its parent,
its status and no child that it has not made. It runs on when xtrace leaves or is
killed, and does not run if xtrace refuses.

NEEDS: root setpriv
"""
import os
import signal

import case


def gone(pid):
    """True if the process has ended. If nobody waits for it, it stays as a
    zombie."""
    state = case.child.status_field(f'/proc/{pid}/status', 'State')
    return state is None or state[0] in 'ZX'


def begin(program, *options):
    run = case.start(case.XTRACE, '--grandchild', '-L', '-x', 'f', '-o', 'trace',
                     *options, '--', program)
    case.equal(run.wait_for(''), f'{run.pid} {os.getpid()} alone', 'the family')
    tracer = int(case.child.status_field(f'/proc/{run.pid}/status',
                                         'TracerPid'))
    # TracerPid is the tid of a thread of xtrace. Its Tgid is the grandchild.
    return run, int(case.child.status_field(f'/proc/{tracer}/status', 'Tgid'))


def end(run, tracer, messages=''):
    run.close_input()
    case.equal((run.wait(), run.err), (7, messages), 'status')
    case.until(lambda: gone(tracer), 'xtrace ends')


def turn(run, number):
    run.say()
    run.wait_for(f'turn {number}')


def traced(program):
    run, tracer = begin(program, '-E', 'A=1')
    turn(run, 2)
    end(run, tracer)
    case.same((case.FOLDER / 'trace').read_text().splitlines(),
              ['f(1%any = 2', '+++ exited (status 7) +++'])


def left(program, number):
    run, tracer = begin(program)
    turn(run, 2)
    os.kill(tracer, number)
    case.until(lambda: gone(tracer), 'xtrace ends')
    turn(run, 3)
    run.close_input()
    case.equal((run.wait(), run.err), (7, ''), 'status')
    if number == signal.SIGTERM:
        case.same((case.FOLDER / 'trace').read_text().splitlines(),
                  ['f(1%any = 2'])


def refused(status, *words):
    run = case.start(case.XTRACE, '--grandchild', *words)
    case.equal(run.wait(), status, f'{words}: {run.err}')
    case.equal((run.out, len(run.err.splitlines())), ('', 1), words)


def no_second_process(program):
    """The user may have two processes; the grandchild would be the third. No
    other run of this case on this machine has processes of this user."""
    user = 1000000 + os.getpid()
    run = case.start('setpriv', f'--reuid={user}', '--clear-groups', 'prlimit',
                     '--nproc=2', case.XTRACE, '--grandchild', '-L', '-x', 'f',
                     '-o', 'trace', '--', program)
    case.equal((run.wait(), run.out, run.err),
               (1, '', 'xtrace: cannot fork: Resource temporarily '
                       'unavailable\n'), 'no second process')


def test():
    program = case.build('family.c')
    traced(program)
    left(program, signal.SIGTERM)
    left(program, signal.SIGKILL)
    refused(127, 'no-such-command')
    refused(126, '/etc/passwd')
    refused(1, '-o', '/no/such/folder', '--', program)
    refused(2, '-p', '1')
    no_second_process(program)


case.main(test)
