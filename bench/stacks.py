# SPDX-License-Identifier: GPL-2.0-or-later
"""The cost of walking a stack: the row `stack`.

A script of each language makes calls from a depth of ten frames. The cost of a
call with its frames is compared with the cost without, in CPU time of xtrace
and the script. This includes writing the frames.
"""
import ctypes
import mmap
import os
import pathlib
import re
import time

from rows import CPU, row
from tools import Skip, median

SCRIPTS = pathlib.Path(__file__).resolve().parent / 'scripts'
LANGUAGES = (('Python', '/usr/bin/python3', 'deep.py', 'isatty'),
             ('Ruby', '/usr/bin/ruby', 'deep.rb', 'umask'),
             ('PHP', '/usr/bin/php', 'deep.php', 'isatty'),
             ('Perl', '/usr/bin/perl', 'deep.pl', 'umask'))
CALLS = 10000
FRAMES = ['-w', '10']
# The number of frames suffices for ten frames of the script among thirty native
# frames, with the outer frames.
MERGED = ['-w', '40', '--stack=merged']


def reads_of(bench, options, command, few=CALLS // 10):
    """Reads of memory per call, without the reads at the start."""
    stats = [bench.stats(options, [*command[:2], count, *command[2:]], CPU)[1]
             for count in (few, CALLS)]
    calls = stats[1]['calls'] - stats[0]['calls']
    if calls < CALLS - few:
        raise Skip(f'only {calls} calls were seen')
    return (stats[1]['reads'] - stats[0]['reads']) / calls, calls


class Span(ctypes.Structure):
    _fields_ = [('start', ctypes.c_void_p), ('length', ctypes.c_size_t)]


def one_read(pages, times=5000):
    """Microseconds for one process_vm_readv() of a line of each of `pages`
    pages, which are not neighbours. Most of the time the kernel finds and pins
    each page.
    """
    libc = ctypes.CDLL(None)
    memory = mmap.mmap(-1, 2 * pages * mmap.PAGESIZE)
    memory.write(b'x' * len(memory))
    start = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    theirs = (Span * pages)(*[(start + 2 * i * mmap.PAGESIZE, 64)
                              for i in range(pages)])
    line = ctypes.create_string_buffer(64 * pages)
    ours = (Span * pages)(*[(ctypes.addressof(line) + 64 * i, 64)
                            for i in range(pages)])
    pid, count = os.getpid(), ctypes.c_ulong(pages)
    begin = time.perf_counter()
    for _ in range(times):
        libc.process_vm_readv(pid, ours, count, theirs, count, 0)
    return (time.perf_counter() - begin) * 1e6 / times


def frames_of(bench, kind):
    """How many frames the last call in the trace has, and how many of them are
    the script's."""
    frames = []
    for line in bench.trace.read_text().splitlines():
        if line.startswith('    '):
            frames.append(line)
        elif not line.startswith('+++'):
            frames = []
    script = [line for line in frames if re.search(kind, line)]
    return len(frames), len(script)


def measure(bench, what, command, name, frames, targets):
    plain = ['-x', name]
    wanted = ['-x', name, *frames]
    base, calls = reads_of(bench, plain, command)
    more = reads_of(bench, wanted, command)[0] - base
    all_frames, script = frames_of(bench, r'deep\.\w+:\d+')
    if all_frames != int(frames[1]) or script < 10:
        raise Skip(f"{script} of {all_frames} frames are the script's")
    long = [*command[:2], CALLS, *command[2:]]
    found = bench.rounds({
        'with': lambda: bench.processor(bench.ours(wanted, long), CPU),
        'without': lambda: bench.processor(bench.ours(plain, long), CPU)})
    each = [(a - b) * 1e3 / calls
            for a, b in zip(found['with'], found['without'])]
    bench.line(more, targets[0], f'reads a call more, {what}')
    bench.line(median(each), targets[1], f'us a call more, {what}',
               f'{median(found["without"]) * 1e3 / calls:.1f} us without')


@row
def stack(bench):
    for pages in (1, 12, 23):
        bench.line(median([one_read(pages) for _ in range(bench.runs)]), None,
                   f'us for one read of a line of each of {pages} pages')
    for language, program, script, name in LANGUAGES:
        command = [program, SCRIPTS / script]
        if not pathlib.Path(program).exists():
            bench.say(language, f'skipped: {program} is not there')
            continue
        for what, words, frames, targets in (
                (f'10 frames of {language}', [], FRAMES, (12, 15)),
                (f'{language} merged with 30 native frames', ['native'],
                 MERGED, (None, 150))):
            try:
                measure(bench, what, [*command, *words], name, frames, targets)
            except Skip as skip:
                bench.say(what, f'skipped: {skip}')
