#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A process that a case leaves behind is found, even if it has written its title
over its environment and its parent has ended, as a worker of starman. A program
of another case, which has got the number of a session that is over, is not
taken for one.

NEEDS: perl
"""
import os
import pathlib
import signal
import subprocess

import case
import child

WORKER = '''
$| = 1;
chdir $ARGV[0];
if (!fork) {
    $0 = 'worker ' . 'x' x 8000;
    print "titled\\n";
    sleep 600;
}
'''


def stray(where):
    """Begins a stray whose current folder is `where`. Returns its pid, and the
    process that has begun it."""
    master = case.start('/usr/bin/perl', '-e', WORKER, where)
    master.wait_for('titled')
    master.wait()
    found = case.until(lambda: child.strays(case.FOLDER), 'it is found')
    case.equal(len(found), 1, f'strays: {found}')
    pid = found[0][0]
    title = pathlib.Path(f'/proc/{pid}/environ').read_bytes()
    case.true(child.MARK.encode() not in title, 'its environment is hidden')
    return pid, master


def test_other():
    over = case.start('/bin/true')
    over.wait()
    with subprocess.Popen(['/bin/sleep', '600'], env={}, cwd='/',
                          start_new_session=True) as other:
        child.SESSIONS[other.pid] = child.SESSIONS[over.pid]
        found = child.strays(case.FOLDER)
        other.kill()
    case.equal(found, [], 'strays')


def test():
    pid, _ = stray('/')
    case.equal([left for left, _ in child.end_strays(case.FOLDER, 0)], [pid],
               'it is ended by its session')
    pid, master = stray(case.FOLDER)
    del child.SESSIONS[master.pid]
    case.equal([left for left, _ in child.strays(case.FOLDER)], [pid],
               'it is found by its folder')
    os.kill(pid, signal.SIGKILL)
    case.until(lambda: not child.strays(case.FOLDER), 'it is ended')
    test_other()


case.main(test)
