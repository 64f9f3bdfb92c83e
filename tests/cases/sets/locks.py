#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The set locks with real programs: in Python a lock that is held, in Ruby a
queue that is empty. Each wait is shown with its duration. The time begins when
the thread waits.

NEEDS: ruby
TIMEOUT: 60
"""
import json

import case

HELD = '''
import threading, time
lock = threading.Lock()
with lock:
    waits = threading.Thread(target=lambda: lock.acquire())
    waits.start()
    call = f'/proc/self/task/{waits.native_id}/syscall'
    while not open(call).read().startswith('202 '):  # futex(2)
        time.sleep(0.01)
    time.sleep(0.5)
waits.join()
'''
EMPTY = '''
queue = Queue.new
waiter = Thread.current
Thread.new do
  sleep 0.01 until waiter.stop?
  sleep 0.5
  queue << 1
end
queue.pop
'''
SLEPT = 0.5
NEAR = 0.1  # seconds of a wait, at least


def waits(*command):
    tracer = case.trace('--json', '--set', 'locks', '--min-time', '100ms',
                        command=command)
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    return [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'call']


def check(rows, names, what):
    found = [row for row in rows if row['name'] in names and
             row['duration'] >= NEAR]
    case.true(found, f'{what}: a wait of {SLEPT} s among '
              f'{[(row["name"], row["duration"]) for row in rows]}')
    case.true(all(row['arguments'][0]['value'].startswith('0x')
                  for row in found), f'{what}: for which lock')


def test():
    check(waits(case.PYTHON, '-c', HELD),
          ['sem_wait', 'sem_clockwait', 'sem_timedwait'], 'Python')
    check(waits('/usr/bin/ruby', '-e', EMPTY),
          ['pthread_cond_wait', 'pthread_cond_timedwait',
           'pthread_cond_clockwait'], 'Ruby')


case.main(test)
