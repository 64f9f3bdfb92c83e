#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Merged stacks: the script's frames of each call are the frames that the
language itself reports, in their order. Each run of them is between the native
frames through which it was entered and left.

TIMEOUT: 120
"""
import json

import case
import stackcase

EVALUATING = {'python': '_PyEval_EvalFrameDefault', 'ruby': 'rb_vm_exec',
              'php': 'execute_ex'}

# sorted() is native code that calls back into the script. The script itself is
# called by native code, too.
ORDER = '''
import os
def key(n):
    os.isatty(n)
    return n
def middle():
    return sorted([70], key=key)
middle()
'''


def calls(path, name):
    for line in stackcase.read(path).splitlines():
        event = json.loads(line)
        if event['event'] == 'call' and event['name'] == name:
            yield event


def placed(event, kind, number):
    frames = event.get('frames', ())
    case.true('apart' not in event, f'{kind}: call {number} is merged')
    # There is no unwind table for the first function of a PHP fiber, so the
    # native stack ends there.
    fiber = any(frame.get('function') == 'make_fcontext' for frame in frames)
    case.true(fiber or 'partial' not in event, f'{kind}: {number} is whole')
    case.true(fiber or frames[-1]['kind'] == 'native', 'the outermost')
    for frame in frames:
        if frame.get('function') == EVALUATING[kind]:
            case.fail(f'{kind}: call {number}: an evaluating function stands '
                      'where its run should', *map(str, frames))
    case.equal(frames[0]['kind'], 'native', 'the innermost')
    return [(frame.get('function', ''), frame.get('file', ''),
             str(frame.get('line', 0)))
            for frame in frames if frame['kind'] == kind]


def run(kind, name, prototype, command):
    (case.FOLDER / 'stacks.conf').write_text(prototype + '\n')
    tracer = case.trace('-F', 'stacks.conf', '-w', '1000', '--stack=merged',
                        '-x', name, '--json',
                        command=command(case.FOLDER / 'said'))
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    said = stackcase.said_of(case.FOLDER / 'said')
    events = {event['arguments'][0]['value']: event
              for event in calls(tracer.path, name)}
    case.true(len(said) > 100, f'{kind}: {len(said)} calls are enough')
    traced = {number: placed(events[number], kind, number)
              for number in said if number in events}
    stackcase.compare(said, traced, 1000, f'{kind}, merged')


def run_order():
    tracer = case.trace('-w', '100', '--stack=merged', '-x', 'isatty', '--json',
                        command=[case.PYTHON, '-c', ORDER])
    tracer.wait(0)
    kinds = None
    for event in calls(tracer.path, 'isatty'):
        if event['arguments'][0]['value'] == 70:
            kinds = [frame['function'] if frame['kind'] == 'python' else '-'
                     for frame in event['frames']]
    case.true(kinds, 'the call was seen')
    # Adjacent native frames count as one frame.
    short = [kind for i, kind in enumerate(kinds)
             if i == 0 or kind != '-' or kinds[i - 1] != '-']
    case.equal(short, ['-', 'key', '-', 'middle', '<module>', '-'],
               'the order of a callback')


PERL = '''
sub key { umask(22); $_[0] }
sub by { umask(23); $a <=> $b }
BEGIN { umask(24); }
sub f {
    my @x = sort { umask(25); $a <=> $b } (2, 1);
    @x = sort { key($a) <=> $b } (2, 1);
    @x = sort by (2, 1);
    1;
}
eval { f(); };
use threads;
threads->create(sub { my @x = sort { umask(26); 1 } (2, 1); })->join;
'''
SORT = ['-', 'main::f', '(eval)', '{main}', '-']


def run_perl():
    """Code that Perl runs outside of a sub: a block by which sort compares,
    whose evaluating function stays on the stack; and code that runs while Perl
    reads a file.
    """
    path = case.FOLDER / 'script.pl'
    path.write_text(PERL)
    (case.FOLDER / 'stacks.conf').write_text('int umask(int);\n')
    tracer = case.trace('-w', '100', '--stack=merged', '-x', 'umask', '--json',
                        '-F', 'stacks.conf', command=['/usr/bin/perl', path])
    tracer.wait(0)
    order = {22: ['-', 'main::key', *SORT], 23: ['-', 'main::by', *SORT],
             24: ['-', 'main::BEGIN', '(eval)', '-', '{main}', '-'],
             25: SORT, 26: ['-', 'main::__ANON__', '(eval)', '{main}', '-']}
    got = {}
    for event in calls(tracer.path, 'umask'):
        case.true('apart' not in event, f'{event["arguments"]}: placed')
        frames = event['frames']
        got[event['arguments'][0]['value']] = [
            frame['function'] if frame['kind'] == 'perl' else '-'
            for i, frame in enumerate(frames)
            if i == 0 or frame['kind'] == 'perl' or
            frames[i - 1]['kind'] == 'perl']
        if event['arguments'][0]['value'] == 25:
            case.equal(frames[1]['function'], 'Perl_runops_standard',
                       'the run without frames')
    case.equal(got, order, 'the order of Perl')


def test():
    run_perl()
    run('python', 'isatty', 'int isatty(int);',
        lambda path: [case.PYTHON, case.SUPPORT / 'python_subject.py', path,
                      '100'])
    run('ruby', 'umask', 'int umask(int);',
        lambda path: ['/usr/bin/ruby', case.SUPPORT / 'ruby_subject.rb', path,
                      '50'])
    run('php', 'isatty', 'int isatty(int);',
        lambda path: ['/usr/bin/php', case.SUPPORT / 'php_subject.php', path,
                      '50'])
    run_order()


case.main(test)
