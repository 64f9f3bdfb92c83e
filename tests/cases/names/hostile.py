#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Names of functions, libraries, programs, folders, threads and scripts that a
terminal would obey, or that would forge a line, in every output format. Each
name is shown, escaped, and no forged line appears.

TIMEOUT: 120
"""
import gzip
import json
import re
import subprocess
import xml.etree.ElementTree as ET

import case
from hostilecase import (COMM, COMMENT, FIRST_LIB, NAMES, NEST, PROGRAM, SECOND,
                         SECOND_LIB, TRACED, TWIN, build, check, clean,
                         lines_begin, main, read, rows, run, same)

NATIVE = ['--stack=native', '-w', '9']
TWINS = [f'{TWIN[1]}@{library[1]}' for library in (SECOND_LIB, FIRST_LIB)]
# The beginnings of the trace's lines, in order.
LINES = [*(f'{name}(' for _, name in NAMES), f'{NEST[1]}(', f'{SECOND[1]}(',
         f'{TWINS[0]}(', f'<... {SECOND[1]} resumed> )',
         f'<... {NEST[1]} resumed> )', f'{TWINS[1]}(',
         '+++ exited (status 0) +++']
CALLS = len(NAMES) + 4
LABELS = sorted([*(name for _, name in NAMES), NEST[1], SECOND[1], *TWINS])
FRAMES = sorted([f'{NEST[1]}@{FIRST_LIB[1]}', f'{SECOND[1]}@{SECOND_LIB[1]}',
                 f'main@{PROGRAM[1]}'])
SVG = '{http://www.w3.org/2000/svg}'


# ---- lines and tables --------------------------------------------------------

def test_lines(program):
    lines_begin(rows(run('-x', TRACED, command=[program]), 'the trace'),
                LINES, 'the trace')
    run('-ff', '-o', 'part', '-x', TRACED, command=[program])
    part, = case.FOLDER.glob('part.*')
    lines_begin(rows(part.read_bytes(), '-ff'), LINES, '-ff')
    text = clean(run('-e', '*', command=[program]), 'with callers')
    check(f'\n{FIRST_LIB[1]}->{SECOND[1]}(' in text, f'a caller in {text!a}')
    (case.FOLDER / 'ltrace').symlink_to(case.XTRACE)
    for options in (['-x', TRACED], ['-e', '*'], ['-c']):
        clean(run(*options, command=[program], program=case.FOLDER / 'ltrace'),
              f'ltrace {options}')


def test_frames(program):
    run('-x', TRACED, *NATIVE, '-o', 'frames', command=[program])
    lines = rows(read('frames'), '-w')
    frames = [line for line in lines if line.startswith('    ')]
    lines_begin([line for line in lines if line not in frames], LINES, '-w')
    seen = {re.sub(r'.* in |\+0x[0-9a-f]+', '', frame.strip())
            for frame in frames}
    same([frame for frame in FRAMES if frame in seen], FRAMES, 'frames')


def test_tables(program):
    lines = rows(run('-c', '-x', TRACED, command=[program]), '-c')
    same(sorted(line[41:] for line in lines[2:-2]), LABELS, '-c')
    lines = rows(run('--summary', '-x', TRACED, command=[program]),
                 '--summary')
    same(sorted(line[81:] for line in lines[1:-1]), LABELS, '--summary')
    lines = rows(run('--summary', '--group-by', 'caller', '-x', TRACED,
                     command=[program]), '--group-by caller')
    same(sorted(line[81:] for line in lines[1:-1]),
         sorted([FIRST_LIB[1], SECOND_LIB[1], PROGRAM[1]]), 'callers')
    lines = rows(run('--summary', '--group-by', 'where', *NATIVE, '-x', TRACED,
                     command=[program]), '--group-by where')
    same(sorted({re.sub(r'.* in |\+0x[0-9a-f]+', '', line[81:])
                 for line in lines[1:-1]}), FRAMES, 'places')
    lines = rows(run('--summary', '--json', '-x', TRACED, command=[program]),
                 'rows')
    check(len([json.loads(line) for line in lines]) == CALLS + 1,
          f'{len(lines)} rows')


# ---- stacks ------------------------------------------------------------------

def in_tree(name, shown):
    """Folded stacks have no ';' and no newline within a name."""
    if name and b'\n' in name:
        shown = shown.replace(r'\n', ' ')
    return shown.replace(';', ',')


def labels_in_tree():
    names = [in_tree(*name) for name in (*NAMES, NEST, SECOND)]
    return {*names, f'{TWIN[1]}@{SECOND_LIB[1]}'.replace(';', ','),
            f'{TWIN[1]}@{in_tree(*FIRST_LIB)}'}


def tree_of(data, what):
    stacks = {}
    for line in rows(data, what):
        stack, _, number = line.rpartition(' ')
        path = tuple(stack.split(';'))
        check(number.isdigit() and path not in stacks, f'{what}: {line!r}')
        stacks[path] = int(number) if number.isdigit() else 0
    return stacks


def drawn(picture):
    area, = [node for node in ET.fromstring(picture)
             if node.get('id') == 'frames']
    return sorted((node.find(SVG + 'text').text, int(node.get('data-w')))
                  for node in area)


def draw_again():
    with open(case.FOLDER / 'folded', 'rb') as feed:
        done = subprocess.run([case.XTRACE, '--draw-flame', 'again.svg',
                               '--weight', 'calls'], stdin=feed,
                              cwd=case.FOLDER, capture_output=True)
    check(done.returncode == 0, f'--draw-flame: {done.stderr}')
    return done.returncode == 0


def test_pictures(program):
    run('-x', TRACED, '--weight', 'calls', *NATIVE, '--folded=folded',
        '--flame', 'out.svg', '-o', '/dev/null', command=[program])
    at_once = drawn(clean(read('out.svg'), '--flame', tabs=True))
    if draw_again():
        same(drawn(clean(read('again.svg'), '--draw-flame', tabs=True)),
             at_once, 'drawn of the folded file, and at once')
    run('-x', TRACED, '--flame', 'out.html', command=[program])
    clean(read('out.html'), 'a page', tabs=True)


def test_stacks(program, name):
    for more in ([], NATIVE):
        run('-x', TRACED, '--weight', 'calls', *more, '--folded=folded',
            '--format', 'callgrind:out.cg', '--format', 'speedscope:out.speed',
            '--format', 'pprof:out.pb', '-o', '/dev/null', command=[program])
        stacks = tree_of(read('folded'), '--folded')
        check(sum(stacks.values()) == CALLS, f'calls: {stacks}')
        same(sorted({re.sub(r'\d+$', '', '; '.join(path[:2]))
                     for path in stacks}),
             [f'{in_tree(*name)} {tid}; thread ' for tid in
              {path[0].rpartition(' ')[2] for path in stacks}], 'threads')
        for what, got in (('folded', {path[-1] for path in stacks}),
                          ('callgrind', names_in_callgrind()),
                          ('pprof', names_in_pprof()),
                          ('speedscope', names_in_speedscope())):
            same(sorted(got & labels_in_tree()), sorted(labels_in_tree()),
                 f'names in {what}')


LINE = re.compile(r'# callgrind format|(version|creator|cmd|positions|events|'
                  r'summary|totals): .*|c?f[nl]=\(\d+\).*|calls=\d+ \d+|'
                  r'[\d ]*')


def names_in_callgrind():
    lines = rows(read('out.cg'), 'callgrind')
    for line in lines:
        check(LINE.fullmatch(line), f'callgrind: {line!r}')
    return set(re.findall(r'^c?fn=\(\d+\) (.*)', '\n'.join(lines), re.M))


def varint(data, at):
    number = shift = 0
    while data[at] & 0x80:
        number |= (data[at] & 0x7f) << shift
        shift += 7
        at += 1
    return number | data[at] << shift, at + 1


def names_in_pprof():
    """The strings of a profile, which have the field number 6
    (proto/profile.proto)."""
    data, at, strings = read('out.pb'), 0, set()
    data = gzip.decompress(data) if data[:2] == b'\x1f\x8b' else data
    while at < len(data):
        key, at = varint(data, at)
        size, at = varint(data, at)
        if key & 7 == 2:
            if key >> 3 == 6:
                string = clean(data[at:at + size], 'pprof')
                check('\n' not in string, f'pprof: {string!r}')
                strings.add(string)
            at += size
    return strings


def strings_in(value):
    if isinstance(value, dict):
        value = [*value.keys(), *value.values()]
    if isinstance(value, list):
        return [text for inner in value for text in strings_in(inner)]
    return [value] if isinstance(value, str) else []


def decoded(text, what):
    """Text of a JSON file that a browser shows is escaped in the page, too."""
    value = json.loads(text)
    for string in strings_in(value):
        clean(string.encode(), what)
        check('\n' not in string, f'{what}: {string!r}')
    return value


def names_in_speedscope():
    value = decoded(clean(read('out.speed'), 'speedscope'), 'speedscope')
    return {frame['name'] for frame in value['shared']['frames']}


# ---- JSON --------------------------------------------------------------------

def raw(value):
    """Decodes a string of JSON to the bytes that it stands for (docs/JSON.md).
    """
    if isinstance(value, dict):
        return value['$bytes'].encode('latin-1')
    return value.encode()


def test_json(program):
    events = [json.loads(line) for line in
              rows(run('--json', *NATIVE, '-x', TRACED, command=[program]),
                   '--json')]
    calls = [event for event in events if event['event'] == 'call']
    check(len(calls) == CALLS and len(events) == CALLS + 2,
          f'{len(events)} events')
    same(sorted({raw(call['name']) for call in calls}),
         sorted([*(name for name, _ in NAMES), NEST[0], SECOND[0], TWIN[0]]),
         'names in JSON')
    same(sorted({raw(call['module']) for call in calls}),
         sorted([FIRST_LIB[0], SECOND_LIB[0]]), 'modules in JSON')
    text = clean(run('--format', 'chrome', *NATIVE, '-x', TRACED,
                     command=[program]), 'chrome')
    check(text.count('\n') == CALLS + 4, f'{text.count(chr(10))} lines')
    same(sorted(event['name'] for event in decoded(text, 'chrome')
                if event['ph'] == 'X'), LABELS, 'names in chrome')


# ---- threads and scripts -----------------------------------------------------

def test_dump(program):
    subject = case.start(program, 'wait')
    subject.wait_for('ready')
    dump = case.start(case.XTRACE, '--dump', '-p', str(subject.pid))
    case.equal(dump.wait(), 0, '--dump')
    head, *lines = rows(dump.output['out'], '--dump')
    check(head.startswith(f'thread {subject.pid} ({COMM[1]}), '), head)
    check(all(line.startswith('    ') for line in lines), f'--dump: {lines}')
    check(any(line.endswith(f'@{PROGRAM[1]}') for line in lines),
          f'the program in {lines}')
    dump = case.start(case.XTRACE, '--dump', '--json', '-p', str(subject.pid))
    case.equal(dump.wait(), 0, '--dump --json')
    line, = rows(dump.output['out'], '--dump --json')
    case.equal(json.loads(line)['name'], COMM[0], 'the thread in JSON')
    subject.say('go')
    case.finish(subject)


SCRIPT = r'''
import os


def ask():
    return os.getppid()


name = 'ask\x1b[31m\n+++ killed +++'
ask.__code__ = ask.__code__.replace(co_name=name, co_qualname=name)
ask()
'''


def test_script():
    path = case.FOLDER / 'script\x1b[32m\n;x.py'
    path.write_text(SCRIPT)
    run('-x', 'getppid', '-w', '3', '-o', 'script', '--folded=folded',
        '--format', 'callgrind:out.cg', '--summary=table', '--group-by',
        'where', '--json=json', command=[case.PYTHON, path])
    place = r'script\033[32m\n;x.py:6 in ask\033[31m\n+++ killed +++'
    lines = rows(read('script'), 'a script')
    check(len(lines) == 4 and lines[1].endswith(place), f'script: {lines}')
    lines = rows(read('table'), 'a table of places')
    check(len(lines) == 3 and lines[1].endswith(place), f'table: {lines}')
    check(len(tree_of(read('folded'), 'its stacks')) == 1, 'one stack')
    names_in_callgrind()
    call = json.loads(rows(read('json'), 'JSON')[1])
    case.equal(call['frames'][0]['function'], 'ask\x1b[31m\n+++ killed +++',
               'the function in JSON')


def test():
    program, comment = build()
    case.equal(case.untraced(program), (0, '', ''), 'the subject')
    test_lines(program)
    test_frames(program)
    test_tables(program)
    test_stacks(program, PROGRAM)
    test_stacks(comment, COMMENT)
    test_pictures(program)
    test_pictures(comment)
    test_json(program)
    test_dump(program)
    test_script()


main(test)
