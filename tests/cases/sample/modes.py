#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--sample-mode=wall counts the time of the clock of all threads, and says
where the threads block that it has not stopped; gil counts the time for which
threads hold the lock of their interpreter or wait for it.

NEEDS: ruby
TIMEOUT: 90
"""
import collections
import json

import case

PYTHON = '''
import select, sys, threading
over = False
def spin():
    while not over:
        pass
def poller():
    select.epoll().poll(100000)
for function in (spin, spin, poller):
    threading.Thread(target=function, daemon=True).start()
print('ready', flush=True)
sys.stdin.readline()
over = True
print('over')
'''
RUBY = '''
over = false
threads = 2.times.map { Thread.new { nil until over } }
Thread.new { sleep 100000 }
puts 'ready'
STDOUT.flush
STDIN.gets
over = true
threads.each(&:join)
puts 'over'
'''


def field(pid, tid, key):
    return case.child.status_field(f'/proc/{pid}/task/{tid}/status', key)


def sample(subject, mode, wanted):
    """Samples until there are five of each mark in `wanted`; returns all
    samples."""
    tracer = case.trace('--sample=199', f'--sample-mode={mode}', '--json',
                        '-p', str(subject.pid))

    def marks():
        found = collections.Counter()
        for line in tracer.lines():
            if line.endswith('}') and '"frames":[' in line:
                frames = json.loads(line)['frames']
                found[frames[0].get('function', '?')] += 1
        return found
    case.until(lambda: all(marks()[mark] >= 5 for mark in wanted),
               f'{mode}: {wanted}')
    case.equal(tracer.leave(), 0, 'status')
    events = [json.loads(line) for line in tracer.lines()]
    return [event for event in events if event['event'] == 'sample']


def end(subject):
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out, 'ready\nover\n', 'what it says')


def functions(event):
    return [frame.get('function', '?') for frame in event['frames']]


def test_wall():
    subject = case.start(case.PYTHON, '-c', PYTHON)
    subject.wait_for('ready')
    samples = sample(subject, 'wall', ['[blocked in epoll_wait]',
                                       '[blocked in read]', '[waits for GIL]'])
    for mark, function in (('[blocked in epoll_wait]', 'poller'),
                           ('[waits for GIL]', 'spin')):
        found = [functions(event) for event in samples
                 if functions(event)[0] == mark]
        case.true(any(function in names for names in found),
                  f'{mark}: {found[:3]}')
    # The weights of each thread add up to the time in which it was sampled.
    for tid in {event['tid'] for event in samples}:
        own = [event for event in samples if event['tid'] == tid]
        span = own[-1]['time'] - own[0]['time']
        weight = sum(event['weight'] for event in own[1:])
        case.true(abs(weight - span) < 0.001 * len(own) + 0.02 * span,
                  f'{tid}: {weight} s of {span} s')
    end(subject)


def test_untouched():
    """Threads that block are not stopped in wall mode either."""
    subject = case.start(case.build('idle.c'), '20')
    subject.wait_for('ready')

    def runs():
        return {tid: field(subject.pid, tid, 'voluntary_ctxt_switches')
                for tid in case.child.threads(subject.pid)
                if open(f'/proc/{subject.pid}/task/{tid}/comm').read() ==
                'idle\n'}
    case.until(lambda: all(field(subject.pid, tid, 'State')[0] == 'S'
                           for tid in runs()), 'they wait')
    before = runs()
    samples = sample(subject, 'wall', ['[blocked in pause]'])
    case.equal(runs(), before, 'how often they ran')
    case.true(all('wait_for_good' in functions(event) for event in samples
                  if functions(event)[0] == '[blocked in pause]'), 'frames')
    end(subject)


READ, EPOLL_WAIT = '0', '232'


def others_block(pid):
    """True if the threads outside of spin() block, in read and epoll_wait."""
    calls = {open(f'/proc/{pid}/task/{tid}/syscall').read().split()[0]
             for tid in case.child.threads(pid)}
    return {READ, EPOLL_WAIT} <= calls


def test_gil():
    subject = case.start(case.PYTHON, '-c', PYTHON)
    subject.wait_for('ready')
    case.until(lambda: others_block(subject.pid), 'the other threads block')
    samples = sample(subject, 'gil', ['[waits for GIL]', '[holds GIL]'])
    case.true(all(functions(event)[0] in ('[waits for GIL]', '[holds GIL]',
                                          '[GC]') for event in samples),
              'nothing else')
    for event in samples:
        if functions(event)[0] == '[waits for GIL]':
            case.true('spin' in functions(event), f'who waits: {event}')
    end(subject)


def test_gvl():
    subject = case.start('ruby', '-e', RUBY)
    subject.wait_for('ready')
    sample(subject, 'gil', ['[waits for GVL]', '[holds GVL]'])
    end(subject)


def test_no_lock():
    tracer = case.trace('--sample', '--sample-mode=gil', command=['true'])
    tracer.wait(0)
    case.equal(len(tracer.says()), 1, 'messages')
    case.true("interpreter's lock" in tracer.says()[0], f'{tracer.says()}')


def test():
    test_wall()
    test_untouched()
    test_gil()
    test_gvl()
    test_no_lock()


case.main(test)
