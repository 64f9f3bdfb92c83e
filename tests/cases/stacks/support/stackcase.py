# SPDX-License-Identifier: GPL-2.0-or-later
"""The cases of this folder: a script calls a C function from many places.

It writes down for each call a number that is the call's argument, and where it
was called from as the language itself tells it, with tabs between:

    number  function  file  line  function  file  line ...

innermost first. xtrace -w must show the same, for every call.
"""
import json
import re

import case

CALL = re.compile(r'(?:\d+ +)?(?P<name>[\w@.]+)\((?P<number>\d+)')
FRAME = re.compile(r'    (?:(?P<file>.*?)(?::(?P<line>\d+))? in )?'
                   r'(?P<function>.*)$')


def read(path):
    # Bytes that are not UTF-8 are compared, too.
    return path.read_text(encoding='utf-8', errors='surrogateescape')


def said_of(path):
    said = {}
    for line in read(path).splitlines():
        number, *words = line.split('\t')
        said[int(number)] = [tuple(words[i:i + 3])
                             for i in range(0, len(words), 3)]
    return said


def traced_of(text, name):
    """Returns {number: frames} for the calls of this function in any module."""
    traced, frames = {}, None
    for line in text.splitlines():
        if line.startswith('    '):
            found = FRAME.match(line)
            if frames is not None:
                frames.append((found['function'], found['file'] or '',
                               found['line'] or '0'))
            continue
        found = CALL.match(line)
        frames = None
        if found and found['name'].split('@')[0] == name:
            frames = traced.setdefault(int(found['number']), [])
    return traced


def traced_in_json(text, name):
    traced = {}
    for line in text.splitlines():
        event = json.loads(line)
        if event['event'] != 'call' or event['name'] != name:
            continue
        number = event['arguments'][0]['value']
        traced[number] = [(frame.get('function', ''), frame.get('file', ''),
                           str(frame.get('line', 0)))
                          for frame in event.get('frames', ())]
    return traced


def compare(said, traced, depth, what):
    wrong = []
    for number, frames in said.items():
        got = traced.get(number)
        if got != frames[:depth]:
            wrong += [f'{number}: the script says {frames[:depth]}',
                      f'{number}: xtrace says     {got}']
    if wrong:
        case.fail(f'{what}: {len(wrong) // 2} of {len(said)} calls',
                  *wrong[:6])


def run(command, name, prototype, depth=100, least=1000, says=()):
    """One run as text. The command ends with the script's arguments; the file
    that the script writes goes before them.
    """
    case.equal(case.untraced(*command(case.FOLDER / 'alone'))[0], 0,
               'untraced')
    (case.FOLDER / 'stacks.conf').write_text(prototype + '\n')
    tracer = case.trace('-F', 'stacks.conf', '-w', str(depth), '-x', name,
                        command=command(case.FOLDER / 'said'))
    tracer.wait(0)
    case.equal(tracer.says(), list(says), 'what xtrace says')
    said = said_of(case.FOLDER / 'said')
    case.true(len(said) >= least, f'{len(said)} calls are enough')
    compare(said, traced_of(read(tracer.path), name), depth, 'text')
    return said


def run_json(command, name, depth=5):
    tracer = case.trace('-F', 'stacks.conf', '-w', str(depth), '-x', name,
                        '--json', command=command(case.FOLDER / 'said'))
    tracer.wait(0)
    compare(said_of(case.FOLDER / 'said'),
            traced_in_json(read(tracer.path), name), depth, 'JSON')


def label_of(function, file, line):
    if not file:
        return function
    return f'{function} ({file})' if line == '0' else \
        f'{function} ({file}:{line})'


def run_folded(command, name, depth=100):
    """The sums of the folded stacks are the script's own sums."""
    tracer = case.trace('-F', 'stacks.conf', '-w', str(depth), '-x', name,
                        '--folded', '--weight', 'calls',
                        command=command(case.FOLDER / 'said'))
    tracer.wait(0)
    wanted, got = {}, {}
    for frames in said_of(case.FOLDER / 'said').values():
        labels = [label_of(*frame) for frame in reversed(frames[:depth])]
        stack = ';'.join(label.replace(';', ',') for label in labels)
        wanted[stack] = wanted.get(stack, 0) + 1
    for line in read(tracer.path).splitlines():
        stack, _, calls = line.rpartition(' ')
        frames = stack.split(';')
        if frames[-1] == name:
            stack = ';'.join(frames[2:-1])
            got[stack] = got.get(stack, 0) + int(calls)
    for stack, calls in wanted.items():
        if got.get(stack) != calls:
            case.fail(f'folded: {calls} calls at {stack}, '
                      f'not {got.get(stack)}')
