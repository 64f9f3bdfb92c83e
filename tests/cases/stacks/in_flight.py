#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls that are in flight when xtrace attaches are shown at once, with the
arguments that can be found, and their returns are shown: calls of a thread
that blocks and of a thread that runs.

TIMEOUT: 90
"""
import json
import pathlib

import case

PROTOTYPES = '''
int query(string, int, long, addr);
int spin(int, addr);
'''
QUERY = 'query("SELECT 1", 8, 42, %hex <in flight ...>'
SPIN = 'spin(7, %hex <in flight ...>'


def blocked(pid, count):
    """Do this many threads wait for input? When the subject's threads are
    ready, they do nothing else."""
    return sum(call in case.INPUT
               for call in case.calls_of(pid).values()) == count


def begin(variant, work):
    subject = case.start(case.build('in_flight_subject.c',
                                    case.FOLDER / variant, variant))
    tasks = pathlib.Path(f'/proc/{subject.pid}/task')
    case.until(lambda: len(list(tasks.iterdir())) == 2, 'the waiter is there')
    case.until(lambda: blocked(subject.pid, 2), 'both block')
    if work:
        subject.say('work')
        case.until(lambda: len(list(tasks.iterdir())) == 3, 'the worker too')
        case.until(lambda: blocked(subject.pid, 2), 'it works')
    return subject


def end(subject, work):
    for _ in range(2 if work else 3):
        subject.say('on')
    case.finish(subject)
    case.equal(subject.out, 'ready\n', 'what the subject says')


def attach(subject, *options):
    (case.FOLDER / 'p.conf').write_text(PROTOTYPES)
    return case.attach(subject, '-F', str(case.FOLDER / 'p.conf'), *options)


def seen(tracer, *lines):
    for line in lines:
        try:
            case.until(lambda line=line: case.count(tracer.calls(), line) == 1
                       or not tracer.child.alive(), f'{line} is told')
        except case.Failure as fault:
            case.fail(fault, *tracer.calls())
    case.true(tracer.child.alive(), 'xtrace is still at work')


def run(variant, options, work):
    subject = begin(variant, work)
    tracer = attach(subject, '-T', '-w', '1', '--stack=native', *options)
    seen(tracer, QUERY, *[SPIN][:work])
    end(subject, work)
    tracer.wait(0)
    lines = tracer.calls()
    case.equal(tracer.says(), [], 'what xtrace says')
    case.equal(lines[lines.index(next(line for line in lines
                                      if 'query' in line)) + 1]
               .split('+')[0], '    ask', 'who called')
    for line, times in (('<... query resumed> ) = 9 <%dur+>', 1),
                        ('query("SELECT 1", 8, 42, %hex%any) = 9 <%dur>', 1),
                        ('<... spin resumed> ) = 7 <%dur+>', work),
                        ('spin(8, %hex%any) = 8 <%dur>', 1)):
        case.equal(case.count(lines, line), times, f'{line} in {lines}')


def run_left(variant):
    """xtrace leaves before the calls return. They return as without xtrace."""
    subject = begin(variant, True)
    tracer = attach(subject, '-x', 'query+spin')
    seen(tracer, QUERY, SPIN)
    tracer.leave()
    case.same_text(subject.pid)
    end(subject, True)


def run_json(variant):
    subject = begin(variant, True)
    tracer = attach(subject, '-x', 'query', '--json')
    case.wait_planted(subject.pid, tracer)
    end(subject, True)
    tracer.wait(0)
    calls = [json.loads(line) for line in tracer.lines()]
    calls = [call for call in calls if call['event'] == 'call']
    case.equal([call.get('before') for call in calls], [True, None], 'before')
    for call in calls:
        case.equal([argument['value'] for argument in call['arguments']][:3],
                   ['SELECT 1', 8, 42], 'arguments')


def test():
    for variant in ('fast', 'plain'):
        # If all threads block, no thread can be the host; if one works, it is
        # the host.
        run(variant, ['-x', 'query+spin'], False)
        run(variant, ['-x', 'query+spin'], True)
        run(variant, ['-e', 'query@MAIN+spin@MAIN'], True)
        run_left(variant)
        run_json(variant)


case.main(test)
