#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Native frames are the frames that glibc's backtrace(3) reports, address by
address, for every call: without frame pointers, through callbacks, signal
handlers on other stacks, threads, and libraries that are loaded and unloaded.

TIMEOUT: 120
"""
import json

import case


def said_of(path):
    said = {}
    for line in path.read_text().splitlines():
        number, *words = line.split()
        said[int(number)] = list(zip(words[::2], words[1::2]))
    return said


def traced_of(path):
    traced = {}
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event['event'] != 'call' or event['name'] != 'probe':
            continue
        case.true(not event.get('partial'), f'whole: {line}')
        traced[event['arguments'][0]['value']] = [
            (frame.get('module', '?'), frame['address'][2:])
            for frame in event['frames']]
    return traced


def run(variant):
    program = case.build('native_subject.c', case.FOLDER / variant, variant)
    prototypes = case.FOLDER / 'probe.conf'
    prototypes.write_text('int probe(int);\n')
    command = [program, program.parent / 'said', '10']
    case.equal(case.untraced(*command), (0, '', ''), 'untraced')
    alone = said_of(program.parent / 'said')
    tracer = case.trace('-F', prototypes, '-f', '-w', '150', '--stack', 'native',
                        '-x', 'probe', '--json', command=command)
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    said = said_of(program.parent / 'said')
    case.equal(len(said), len(alone), 'calls')
    case.true(len(said) > 400, f'{len(said)} calls are enough')
    traced = traced_of(tracer.path)
    for number, frames in said.items():
        if traced.get(number) != frames:
            case.fail(f'{variant}: call {number}',
                      f'backtrace says {frames}',
                      f'xtrace says    {traced.get(number)}')


def test():
    for variant in ('fast', 'plain', 'debug', 'clang'):
        run(variant)


case.main(test)
