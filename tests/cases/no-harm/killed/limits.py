#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace with too few descriptors, too little address space, a limit for the
size of files, and a small file system. It prints one line or continues, and
the program does what it does without xtrace.

NEEDS: plain
TIMEOUT: 180
"""
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import memory                                               # noqa: E402

MIB = 1 << 20


def limit(what, most):
    return lambda: resource.setrlimit(what, (most, most))


def loads(preexec):
    """True if the dynamic loader can start xtrace under this limit."""
    return subprocess.run([case.XTRACE, '--version'], preexec_fn=preexec,
                          stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL,
                          check=False).returncode == 0


def sweep(run, what, values):
    """Raises the limit until three runs in a row are traced as if there were
    no limit."""
    counts = {}
    passed = 0
    for most in values:
        if not loads(limit(what, most)):
            counts['not loaded'] = counts.get('not loaded', 0) + 1
            continue
        try:
            got = run(preexec=limit(what, most))
        except case.Failure as fault:
            case.fail(f'at most {most}', fault)
        counts[got] = counts.get(got, 0) + 1
        passed = passed + 1 if got == 'traced' else 0
        if passed == 3:
            return counts
    return case.fail('never traced', counts)


def descriptors():
    started = memory.Started(memory.STARTED[0])
    print('started, descriptors',
          sweep(started.run, resource.RLIMIT_NOFILE, range(6, 60)))
    attached = memory.Attached(memory.ATTACHED[0])
    print('attached, descriptors',
          sweep(attached.run, resource.RLIMIT_NOFILE, range(3, 60)))
    attached.end()


def address_space():
    attached = memory.Attached(memory.ATTACHED[0])
    values = (int(MIB * 1.07 ** step) for step in range(120))
    print('attached, address space',
          sweep(attached.run, resource.RLIMIT_AS, values))
    attached.end()


def file_size():
    """With a limit for the size of files, the trace has whole lines, and the
    program ends as it should."""
    for name in ('text', 'json'):
        tracer = case.trace('-f', '-x', 'f+p', '-e', 'malloc+free',
                            *(['--json'] if name == 'json' else []),
                            command=memory.Started([]).command,
                            preexec=limit(resource.RLIMIT_FSIZE, 300))
        status = tracer.wait()
        case.equal((status, tracer.child.out), (7, 'begun\nright\n'), name)
        case.equal(len([row for row in tracer.says() if not re.search(
                        'not loaded yet|no module ever had it', row)]), 1,
                   f'lines said: {tracer.child.err}')
        text = tracer.path.read_text()
        case.true(0 < len(text) <= 300 and text.endswith('\n'), text)


def small_file_system():
    """A tmpfs of one page, in a mount namespace for xtrace alone."""
    subject = case.start(case.build('../../leave/support/loop.c'))
    subject.wait_for('ready')
    place = case.FOLDER / 'small'
    place.mkdir()
    command = f'mount -t tmpfs -o size=4k none {place} || exit 77; exec "$@"'
    tracer = case.start('unshare', '-m', 'sh', '-c', command, 'sh',
                        case.XTRACE, '-o', place / 'trace', '-x', 'f', '-p',
                        subject.pid)
    status = tracer.wait()
    if status != 77:
        case.equal(status, 1, 'status on a full file system')
        case.same(tracer.err.splitlines(), ['xtrace: %anyo space left%any'])
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


def test():
    descriptors()
    address_space()
    file_size()
    if shutil.which('unshare') and not os.getuid():
        small_file_system()


case.main(test)
