#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is told to leave while it reads debug information that is so large
that inflating it takes seconds. It stops reading, and the trace has what is
known without it.

NEEDS: objcopy plain
TIMEOUT: 100
"""
import os
import random
import re
import resource
import struct
import subprocess
import zlib

import case

# The CPU seconds that xtrace may use after the signal, which do not depend on
# how busy the machine is.
MOST_WORK = 1
# The bytes of a part of a section, inflated, and how often it is repeated. To
# inflate all parts takes about two seconds.
PART, PARTS = 1 << 20, 500


def slow_part():
    """Bytes that deflate packs as matches of a few bytes."""
    choose = random.Random(18)
    words = [choose.randbytes(4) for _ in range(512)]
    return b''.join(choose.choices(words, k=PART // 4))


def section(path):
    """A compressed section as gcc -gz=zlib-gnu writes it. The parts are equal,
    and no part refers to an earlier one, so one is deflated and repeated."""
    part = slow_part()
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)
    with open(path, 'wb') as file:
        file.write(b'ZLIB' + struct.pack('>Q', PART * PARTS) + b'\x78\x9c')
        for _ in range(PARTS):
            file.write(packed)
        last = zlib.compressobj(9, zlib.DEFLATED, -15)
        check = 1
        for _ in range(PARTS):
            check = zlib.adler32(part, check)
        file.write(last.flush() + struct.pack('>I', check))
    return path


def build(name, added):
    """The program of reading.c with one more section, of the file `added`."""
    program = case.build('reading.c')
    large = program.with_name('large_' + name.strip('.'))
    subprocess.run(['objcopy', '--add-section', f'{name}={added}', program,
                    large], check=True)
    return large


def work_of(pid):
    """The CPU seconds that the process has used."""
    with open(f'/proc/{pid}/stat') as file:
        words = file.read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


def work_of_ended():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def test():
    program = build('.zdebug_macro', section(case.FOLDER / 'section'))
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f@MAIN')
    pid, ended = tracer.child.pid, work_of_ended()
    begun = work_of(pid)
    subject.say('once')
    case.until(lambda: work_of(pid) > begun + 0.3, 'xtrace reads')
    before = work_of(pid)
    tracer.leave()
    took = work_of_ended() - ended - before
    print(f'{took:.2f} s of CPU after the signal')
    subject.wait_for('called')
    case.true(took < MOST_WORK, f'leaving takes {took:.2f} s of CPU')
    line, = tracer.calls()
    # Without its prototype, f is shown with more arguments than it has.
    case.true(re.fullmatch(r'f\(1, .*\) (= 2|<unfinished ...>)', line), line)
    case.equal(tracer.child.err, '', 'nothing is said')
    case.same_text(subject.pid)
    case.finish(subject, 3)


case.main(test)
