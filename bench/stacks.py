# SPDX-License-Identifier: GPL-2.0-or-later
"""What it costs to look at a stack: the row `stack`.

A script of each language makes calls from ten frames deep. What a call costs
with its frames shown is compared with what it costs without, in processor time
of xtrace and the script, which includes writing the frames down.
"""
import pathlib
import re

from rows import CPU, row
from tools import Skip, median

SCRIPTS = pathlib.Path(__file__).resolve().parent / 'scripts'
LANGUAGES = (('Python', '/usr/bin/python3', 'deep.py', 'isatty'),
             ('Ruby', '/usr/bin/ruby', 'deep.rb', 'umask'),
             ('PHP', '/usr/bin/php', 'deep.php', 'isatty'),
             ('Perl', '/usr/bin/perl', 'deep.pl', 'umask'))
CALLS = 10000
FRAMES = ['-w', '10']
# Ten of the script among thirty of native functions, and what is further out.
MERGED = ['-w', '40', '--stack=merged']


def reads_of(bench, options, command, few=CALLS // 10):
    """Reads of memory a call, without those of the beginning."""
    stats = [bench.stats(options, [*command[:2], count, *command[2:]], CPU)[1]
             for count in (few, CALLS)]
    calls = stats[1]['calls'] - stats[0]['calls']
    if calls < CALLS - few:
        raise Skip(f'only {calls} calls were seen')
    return (stats[1]['reads'] - stats[0]['reads']) / calls, calls


def frames_of(bench, kind):
    """Of the last call: how many frames, of the script's if asked for."""
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
