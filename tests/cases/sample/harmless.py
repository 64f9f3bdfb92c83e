#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that is sampled does not notice it: what it writes and how it ends
is the same, nothing is in its memory, idle threads are not touched, a stopped
process stays stopped, and xtrace may be killed at any moment.

TIMEOUT: 240
"""
import random
import re
import signal

import case

SCRIPT = '''
import sys
total = 0
for line in sys.stdin:
    total += sum(i * i for i in range(200000))
    print(line.strip(), total, flush=True)
print('to stderr', file=sys.stderr)
sys.exit(7)
'''
LINES = [str(number) for number in range(8)]


def field(task, key):
    return case.child.status_field(f'{task}/status', key)


def tasks(pid):
    return [f'/proc/{pid}/task/{tid}' for tid in case.child.threads(pid)]


def test_command():
    command = (case.PYTHON, '-c', SCRIPT)
    wanted = case.untraced(*command, feed=LINES)
    for options in (['--sample=999'], ['--sample', '-f'],
                    ['--sample=999', '--group-by', 'function']):
        tracer = case.trace(*options, command=command)
        for line in LINES:
            tracer.child.say(line)
        got = tracer.wait(), tracer.child.out, tracer.err()
        case.equal((*got[:2], got[2].strip()),
                   (*wanted[:2], wanted[2].strip()), f'{options}')
    tracer = case.trace('--sample', command=('sh', '-c', 'kill -9 $$'))
    tracer.wait(128 + 9)


def test_nothing_planted():
    subject = case.start(case.build('idle.c'), '4')
    subject.wait_for('ready')
    before = case.own_memory(subject.pid)
    # In wall mode each stop gives a sample, also on a busy machine.
    tracer = case.trace('--sample=999', '--sample-mode=wall', '--json', '-p',
                        str(subject.pid))
    case.until(lambda: len(tracer.lines()) > 200, 'samples')
    case.same_text(subject.pid)
    case.equal(case.own_memory(subject.pid), before, 'its own memory')
    case.equal(tracer.leave(), 0, 'status')
    case.same_text(subject.pid)
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out, 'ready\nover\n', 'what it says')


def test_idle():
    """The threads that wait do not run once more while others are sampled, and
    few of them are examined in a round. In the first quarter of a second all
    are examined, because xtrace does not know yet which threads run seldom."""
    subject = case.start(case.build('idle.c'), '1000')
    subject.wait_for('ready')

    def runs():
        return {task: (field(task, 'voluntary_ctxt_switches'),
                       field(task, 'nonvoluntary_ctxt_switches'))
                for task in tasks(subject.pid)
                if open(f'{task}/comm').read() == 'idle\n'}
    case.until(lambda: len(runs()) == 1000 and
               all(field(task, 'State')[0] == 'S' for task in runs()),
               'they wait')
    before = runs()
    tracer = case.trace('--sample=499', '--json', '--stats', '--duration',
                        '3s', '-p', str(subject.pid))
    tracer.wait(0)
    case.true(len(tracer.lines()) > 0, 'samples')
    rounds, examined = map(int, re.search(
        r'rounds: (\d+), threads examined: (\d+)', str(tracer.says())).groups())
    case.true(rounds > 50, f'{rounds} rounds')
    case.true(examined / rounds < 400, f'{examined} threads in {rounds} rounds')
    case.equal(runs(), before, 'how often they ran')
    case.true(not any('pause' in line for line in tracer.lines()),
              'they have no samples')
    subject.say('end')
    case.finish(subject)


def test_stopped():
    subject = case.start(case.build('idle.c'), '3')
    subject.wait_for('ready')

    def stopped():
        return all(field(task, 'State')[0] in 'Tt'
                   for task in tasks(subject.pid))
    subject.signal(signal.SIGSTOP)
    case.until(stopped, 'it is stopped')
    tracer = case.trace('--sample=999', '--duration', '300ms', '-p',
                        str(subject.pid))
    tracer.wait(0)
    case.until(lambda: all(field(task, 'State')[0] == 'T'
                           for task in tasks(subject.pid)),
               'it is stopped still')
    subject.signal(signal.SIGCONT)
    # The program also stays stopped if the SIGSTOP arrives while it is
    # sampled.
    tracer = case.trace('--sample=999', '--sample-mode=wall', '--json', '-p',
                        str(subject.pid))
    case.until(lambda: len(tracer.lines()) > 20, 'samples')
    subject.signal(signal.SIGSTOP)
    case.until(stopped, 'it is stopped')
    case.equal(tracer.leave(), 0, 'status')
    case.until(lambda: all(field(task, 'State')[0] == 'T'
                           for task in tasks(subject.pid)),
               'it stays stopped')
    subject.signal(signal.SIGCONT)
    subject.say('end')
    case.finish(subject)


def test_killed():
    """xtrace is killed at 20 moments, most of them while a thread is held."""
    subject = case.start(case.build('idle.c'), '2')
    subject.wait_for('ready')
    chance = random.Random(21)
    for _ in range(20):
        tracer = case.trace('--sample=5000', '--sample-mode=wall', '--json',
                            '-p', str(subject.pid))
        case.until(lambda tracer=tracer: len(tracer.lines()) > 5, 'samples')
        for _ in range(chance.randrange(20000)):
            pass
        tracer.send(signal.SIGKILL)
        tracer.child.wait()
        case.until(lambda: all(field(task, 'TracerPid') == '0'
                               for task in tasks(subject.pid)), 'it is free')
        case.same_text(subject.pid)
    case.until(lambda: all(field(task, 'State')[0] in 'SR'
                           for task in tasks(subject.pid)), 'it runs')
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out, 'ready\nover\n', 'what it says')


def test():
    test_command()
    test_nothing_planted()
    test_idle()
    test_stopped()
    test_killed()


case.main(test)
