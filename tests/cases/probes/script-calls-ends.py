#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--script-calls: the semaphores of the interpreter's probes, which are up while
xtrace is attached and down after it has left or was killed; calls in greenlets
that take turns; the picture of --flame, in which functions of the script are
nested.

NEEDS: /usr/bin/python3.11 /usr/lib/python3/dist-packages/greenlet
"""
import os
import re
import signal
import struct
import subprocess

import case

PYTHON = '/usr/bin/python3.11'
PROBES = ['function__entry', 'function__return']
FRAME = re.compile(r' data-d="(\d+)" [^>]*><title>(.*)')
SCRIPT = '''
import sys
def f(): return 1
print("ready", flush=True)
for line in sys.stdin:
    print(f(), flush=True)
'''


def places(pid):
    """The addresses of the semaphores in the process: the file's addresses plus
    the base of the program, or plus 0 if it is not PIE."""
    read = subprocess.run(['readelf', '-hnW', PYTHON], text=True, check=True,
                          capture_output=True).stdout
    found = dict(re.findall(r'Provider: python\n +Name: (\S+)\n.*?'
                            r'Semaphore: 0x(\S+)', read))
    with open(f'/proc/{pid}/maps') as maps:
        base = int(maps.readline().split('-')[0], 16)
    if re.search(r'Type: +EXEC', read):
        base = 0
    return [base + int(found[name], 16) for name in PROBES]


def values(pid, at):
    with open(f'/proc/{pid}/mem', 'rb') as memory:
        return [struct.unpack('H', os.pread(memory.fileno(), 2, place))[0]
                for place in at]


def calls(subject):
    subject.say()
    subject.wait_for('1')


def semaphores():
    subject = case.start(PYTHON, '-c', SCRIPT)
    subject.wait_for('ready')
    at = places(subject.pid)
    case.equal(values(subject.pid, at), [0, 0], 'before')
    for end in signal.SIGKILL, signal.SIGINT:
        tracer = case.attach(subject, '--script-calls')
        case.wait_planted(subject.pid, tracer)
        calls(subject)
        case.equal(values(subject.pid, at), [1, 1], 'while it is traced')
        if end == signal.SIGKILL:
            os.kill(tracer.pid, end)
            case.until(lambda: values(subject.pid, at) == [0, 0] and
                       not case.text_changes(subject.pid),
                       'the watcher removes all')
        else:
            tracer.leave(end)
            case.equal(values(subject.pid, at), [0, 0], 'after it has left')
            case.same_text(subject.pid)
            case.contains(tracer.calls(), '<string>.f("<string>", 3) = <void>')
        calls(subject)
    subject.close_input()
    case.finish(subject)


def greenlets():
    command = [PYTHON, case.SUPPORT / 'greenlets.py']
    tracer = case.trace('--script-calls', '-x', 'py:greenlets.*', '-x',
                        '-py:<*', '--flame=calls.svg', '-s200', '--pid=never',
                        command=command)
    status = tracer.wait()
    case.equal((status, tracer.child.out), case.untraced(*command)[:2],
               'status and output')
    lines = [line.replace('greenlets.', '') for line in tracer.calls()]
    lines = [re.sub(r'\(.*<unfinished \.\.\.>$', ' {', line) for line in lines]
    lines = [re.sub(r'(\(| resumed>).*', '', line) for line in lines]
    case.same(lines, [
        'outer {', 'turn {', 'leaf', 'outer {', 'turn {', 'leaf',
        'thrown {', 'leaf', '<... turn', '<... outer',
        'leaf', '<... thrown', 'leaf', '<... turn',
        '<... outer'], 'calls of greenlets')
    return (case.FOLDER / 'calls.svg').read_text()


def nested(picture):
    """Each frame of a picture, with the frames around it."""
    around, found = {}, set()
    for depth, name in FRAME.findall(picture):
        around[int(depth)] = name
        found.add(tuple(around[at] for at in range(int(depth) + 1)))
    return found


def test():
    semaphores()
    stacks = [[name for name in stack if name.startswith('greenlets.')]
              for stack in nested(greenlets())]
    case.true(['greenlets.outer', 'greenlets.turn', 'greenlets.leaf'] in stacks,
              f'the picture: {stacks}')


case.main(test)
