#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In ltrace's style, errors in prototype files are lines of the trace, a second
typedef of a name is an error, and a call that began before -p is not shown. In
xtrace's style, errors are messages, the second typedef is allowed if it is the
same, and the call is shown.
"""
import subprocess

import case

CONF = 'typedef aa = int;\ntypedef aa = int;\nint f(nothing);\n'


def errors(style, *options):
    """The lines of the trace before the exit, and what is printed."""
    (case.FOLDER / 'bad.conf').write_text(CONF)
    done = subprocess.run(
        [case.XTRACE, f'--style={style}', '-F', 'bad.conf', '-L', *options,
         '-o', 'trace', 'true'], cwd=case.FOLDER, capture_output=True,
        text=True)
    case.equal(done.returncode, 0, done.stderr)
    lines = (case.FOLDER / 'trace').read_text().splitlines()
    case.equal(lines[-1], '+++ exited (status 0) +++', 'the last line')
    return lines[:-1], done.stderr.splitlines()


def in_flight(style):
    subject = case.start(case.build('in_flight.c'))
    subject.wait_for('ready')
    case.until(lambda: case.child.status_field(
        f'/proc/{subject.pid}/status', 'State').startswith('S'), 'it waits')
    tracer = case.attach(subject, f'--style={style}', '-x', 'outer')
    subject.say('one')
    subject.say('two')
    case.finish(subject)
    tracer.wait(0)
    return [line for line in tracer.lines() if 'outer(' in line]


def test():
    case.equal(errors('ltrace'),
               (["bad.conf:2: error: 'aa' is already defined",
                 "bad.conf:3: error: unknown type 'nothing'"], []), 'ltrace')
    lines, said = errors('xtrace')
    case.equal(lines, [], 'lines of xtrace')
    case.same(said, ["xtrace: bad.conf:3:7: unknown type 'nothing'"], 'xtrace')
    begun = in_flight('ltrace')
    case.equal([len(begun), 'in flight' in begun[0]], [1, False],
               f'ltrace, in flight: {begun}')
    begun = in_flight('xtrace')
    case.equal([len(begun), 'in flight' in begun[0]], [2, True],
               f'xtrace, in flight: {begun}')


case.main(test)
