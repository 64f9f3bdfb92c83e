#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes that are chosen by a pattern of their command line, a control
group, a unit of systemd or a container. No daemon is asked, and the processes
that do not fit are left alone."""
import hashlib
import os
import pathlib
import shutil

import case
import child

ROOT = pathlib.Path('/sys/fs/cgroup')
ID = hashlib.sha256(b'%d' % os.getpid()).hexdigest()  # of no other container


def begun(program, *words):
    subject = case.start(program, *words)
    subject.wait_for('ready')
    return subject


def traced(subjects, others, *options):
    """Traces with these options: the calls of each subject are seen, and no
    call of the other programs."""
    tracer = case.trace('-F', 'p.conf', '-x', 'f', '--pid', 'always', *options)
    for subject in subjects:
        child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    for other in others:
        case.equal(child.status_field(f'/proc/{other.pid}/status',
                                      'TracerPid'), '0', f'{options}: another')
    for subject in subjects:
        subject.say('go')
        case.finish(subject, 5)
    tracer.wait(0)
    for subject in subjects:
        case.equal(case.count(tracer.lines(), f'{subject.pid} f(1) = 1'), 1,
                   f'{options}: calls of {subject.pid}')
    case.equal(tracer.says(), [], f'{options}: what xtrace says')


def nobody(option, text, says):
    tracer = case.trace(option, text)
    tracer.wait(1)
    case.same(tracer.says(), [f'xtrace: {says}'], f'{option} {text}')


def test_patterns(program):
    tag = program.name
    subjects = [begun(program, 'pool', 'www'), begun(program, 'pool', 'wiki')]
    other = begun(program, 'master')
    traced(subjects, [other], '--attach-name', f'*{tag} pool w*')
    nobody('--attach-name', f'*{tag} pool*',
           f"no running program has a command line that matches '*{tag} "
           "pool*'")
    # A name without * is compared with the name, not with the command line.
    nobody('--attach-name', f'{tag} master',
           f"no running program is named '{tag} master'")
    other.say('go')
    case.finish(other, 5)


def removed(group):
    """Removes a control group, which may have a process for a moment after the
    process's parent has waited for it."""
    try:
        group.rmdir()
        return True
    except OSError:
        return False


class Group:
    """A control group that is removed at the end."""

    def __init__(self, top, *names):
        self.folders = []
        for name in names:
            top = top / name
            top.mkdir()
            self.folders.append(top)

    def add(self, subject):
        (self.folders[-1] / 'cgroup.procs').write_text(str(subject.pid))

    def __enter__(self):
        return self

    def __exit__(self, fault, *_):
        for folder in reversed(self.folders):
            case.until(lambda: removed(folder) or fault, f'{folder} is empty')


def writable():
    """A hierarchy of control groups in which this case can make a group."""
    for top in ROOT, ROOT / 'unified', ROOT / 'systemd':
        if not (top / 'cgroup.procs').exists():
            continue
        try:
            probe = top / f'xt-probe-{os.getpid()}'
            probe.mkdir()
            probe.rmdir()
            return top
        except OSError:
            pass
    case.skip('no control group can be made here')


def test_groups(program):
    tag = program.name
    top = writable()
    cases = [
        ([f'{tag}.slice', f'{tag}@1.service'],
         [('--cgroup', f'/{tag}.slice'),
          ('--cgroup', f'/{tag}.slice/{tag}@1.service/'),
          ('--cgroup', f'{top}/{tag}.slice'),
          ('--unit', f'{tag}@1'), ('--unit', f'{tag}@1.service'),
          ('--unit', f'{tag}.slice')]),
        ([f'docker-{ID}.scope'],
         [('--container', ID), ('--container', ID[:12])]),
        ([f'machine-{tag}.scope', 'payload'], [('--container', tag)]),
    ]
    for names, ways in cases:
        for option, text in ways:
            with Group(top, *names) as group:
                subject, other = begun(program), begun(program)
                group.add(subject)
                traced([subject], [other], option, text)
                other.say('go')
                case.finish(other, 5)
    for option, what in (('--cgroup', 'control group'), ('--unit', 'unit'),
                         ('--container', 'container')):
        nobody(option, tag, f"no running program is in the {what} '{tag}'")


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    program = case.FOLDER / f'xt-{os.getpid()}'  # a name of no other process
    shutil.copy(case.build('attaching.c'), program)
    test_patterns(program)
    test_groups(program)


case.main(test)
