#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Files in the mount namespace of the tracee, and under its root.

NEEDS: root unshare chroot
"""
import os
import shutil

import case

LIBRARIES = ('/lib64/ld-linux-x86-64.so.2', '/lib/x86_64-linux-gnu/libc.so.6')


def talk(subject):
    subject.wait_for('ready')
    pid = int(open(f'/proc/{subject.pid}/stat').read().split()[0])
    tracer = case.attach(subject, '-F', 'p.conf', '-x', 'f@libmod.so')
    case.equal(pid, subject.pid, 'pid')
    for _ in range(3):
        subject.say()
        subject.wait_for('turn')
    tracer.leave()
    case.equal(case.count(tracer.calls(), 'f(%num) = %num'), 3,
               f'calls: {tracer.lines()} {tracer.says()}')
    subject.close_input()
    case.finish(subject, 3)


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    program = case.build('replaced.c')
    hidden = case.FOLDER / 'hidden'
    hidden.mkdir()
    script = ('mount -t tmpfs none "$1" && cp "$2"/* "$1" && '
              'exec "$1/t"')
    talk(case.start('unshare', '-m', '/bin/sh', '-ec', script, 'sh', hidden,
                    program.parent))
    case.equal(os.listdir(hidden), [], 'what we see of its folder')

    root = case.FOLDER / 'root'
    for path in LIBRARIES:
        place = root / path[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, place)
    shutil.copytree(program.parent, root / 'inner')
    inside = {'LD_LIBRARY_PATH': '/inner'}  # no /proc, so no $ORIGIN
    talk(case.start('chroot', root, '/inner/t', env=inside))

    # xtrace starts the command, so it sees the program before its loader runs.
    tracer = case.trace('-F', 'p.conf', '-x', 'f',
                        command=['chroot', root, '/inner/t'], env=inside)
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.child.wait_for('turn')
    tracer.wait(1)
    case.equal(case.count(tracer.calls(), 'f(0) = 1'), 1,
               f'calls: {tracer.lines()}')


case.main(test)
