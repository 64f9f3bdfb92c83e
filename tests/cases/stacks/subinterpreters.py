#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Python interpreter that another one calls: the frames of both, the inner
one's first. A thread that is in neither has no frames of them.

TIMEOUT: 60
"""
import case

SCRIPT = '''
import os, threading
import _xxsubinterpreters as interpreters
INNER = """
import os
def inner(n):
    return os.isatty(n)
def between(n):
    return inner(n)
between(92)
"""
def leaf():
    os.isatty(93)
def outer():
    number = interpreters.create()
    interpreters.run_string(number, INNER)
    leaf()
    interpreters.destroy(number)
for _ in range(3):
    outer()
thread = threading.Thread(target=outer)
thread.start()
thread.join()
'''
INNER = ['<string>:4 in inner', '<string>:6 in between',
         '<string>:7 in <module>']


def shown(lines, call):
    """The frames of each call of this function."""
    found = []
    for i, line in enumerate(lines):
        if call in line:
            frames = []
            for frame in lines[i + 1:]:
                if not frame.startswith('    '):
                    break
                frames.append(frame[4:])
            found.append(frames)
    return found


def test():
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    for options in ([], ['--stack=merged']):
        tracer = case.trace('-w', '99', *options, '-x', 'isatty',
                            command=[case.PYTHON, path])
        tracer.wait(0)
        case.equal(tracer.says(), [], 'what xtrace says')
        lines = tracer.lines()
        within, without = shown(lines, '(92'), shown(lines, '(93')
        case.equal((len(within), len(without)), (4, 4), 'calls')
        for frames in within + without:
            script = [frame for frame in frames
                      if frame.startswith((str(path), '<string>'))]
            own = INNER if frames in within else [f'{path}:13 in leaf']
            line = 16 if frames in within else 17
            case.equal(script[:len(own) + 1],
                       own + [f'{path}:{line} in outer'], 'frames')
        for calls in (within, without):
            for frames in calls[:3]:
                case.true(f'{path}:20 in <module>' in frames, 'the outermost')
            case.true(any(frame.endswith(' in _bootstrap')
                          for frame in calls[3]), "the thread's beginning")
            case.true(f'{path}:20 in <module>' not in calls[3],
                      'nothing of the other thread')


case.main(test)
