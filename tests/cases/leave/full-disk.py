#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A full disk or a closed pipe ends the trace, never the program."""
import os
import subprocess

import case


def full_disk(program):
    tracer = case.start(case.XTRACE, '-o', '/dev/full', '-x', 'f', '--',
                        program)
    tracer.wait_for('ready')
    tracer.say('stop')
    tracer.wait()
    case.true('done' in tracer.out, 'the program ran to its end')
    case.contains(tracer.err.splitlines(), 'xtrace: %anyo space left%any')
    case.equal(sum('o space left' in line for line
                   in tracer.err.splitlines()), 1, 'how often xtrace says it')


def full_disk_attached(program):
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.start(case.XTRACE, '-o', '/dev/full', '-x', 'f', '-p',
                        subject.pid)
    case.equal(tracer.wait(), 1, 'status of xtrace')
    case.contains(tracer.err.splitlines(), 'xtrace: %anyo space left%any')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


def closed_pipe(program):
    subject = case.start(program)
    subject.wait_for('ready')
    reader, writer = os.pipe()
    tracer = subprocess.Popen(
        [case.XTRACE, '-x', 'f', '-p', str(subject.pid)], stderr=writer,
        env={**os.environ, 'TMPDIR': str(case.FOLDER)})
    os.close(writer)
    os.read(reader, 10)
    os.close(reader)
    tracer.wait(case.LIMIT)
    case.true(tracer.returncode >= 0, 'xtrace does not die of SIGPIPE')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject, 3)


def test():
    program = case.build('loop.c')
    full_disk(program)
    full_disk_attached(program)
    closed_pipe(program)


case.main(test)
