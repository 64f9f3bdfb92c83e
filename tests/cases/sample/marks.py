#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""[GC]: the share of the samples in which garbage is collected is the share of
the CPU time that the program itself measures around its collections, within
what chance allows (see shares.py), in Python, Ruby and PHP.

NEEDS: ruby php
TIMEOUT: 90
"""
import re

import case
import weights

PYTHON = '''
import gc, sys, time
gc.disable()
def work():
    return sum(i * i for i in range(60000))
def run():
    spent, begin = 0, time.thread_time_ns()
    for _ in range(100):
        rings = [[] for _ in range(8000)]
        for ring in rings:
            ring.append(ring)
        del rings
        work()
        before = time.thread_time_ns()
        gc.collect()
        spent += time.thread_time_ns() - before
    print(spent, time.thread_time_ns() - begin)
run()
'''
RUBY = '''
GC.disable
def cpu
  Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID, :nanosecond)
end
def work
  sum = 0
  120000.times { |i| sum += i }
  sum
end
def run
  spent, start = 0, cpu
  100.times do
    20000.times { "text" * 3 }
    work
    before = cpu
    GC.start
    spent += cpu - before
  end
  puts "#{spent} #{cpu - start}"
end
run
'''
PHP = '''<?php
class Node { public $other; }
gc_disable();
function cpu() {
    $use = getrusage();
    return 1000 * (1000000 * ($use['ru_utime.tv_sec'] + $use['ru_stime.tv_sec'])
        + $use['ru_utime.tv_usec'] + $use['ru_stime.tv_usec']);
}
function work() {
    for ($sum = 0, $i = 0; $i < 300000; $i++) $sum += $i;
    return $sum;
}
function run() {
    $spent = 0; $begin = cpu();
    for ($n = 0; $n < 200; $n++) {
        for ($i = 0; $i < 9000; $i++) {
            $a = new Node; $b = new Node; $a->other = $b; $b->other = $a;
        }
        work();
        $before = cpu();
        gc_collect_cycles();
        $spent += cpu() - $before;
    }
    echo $spent, " ", cpu() - $begin, "\\n";
}
run();
'''


def test_language(command, name, text):
    script = case.FOLDER / f'gc.{name}'
    script.write_text(text)
    folded, events = (case.FOLDER / f'{name}.{end}' for end in ('txt', 'json'))
    tracer = case.trace('--sample=997', f'--folded={folded}',
                        f'--json={events}', to_file=False,
                        command=[command, script])
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    spent, whole = (int(part) for part in tracer.child.out.split())
    collected = total = 0
    for line in folded.read_text().splitlines():
        stack, weight = line.rsplit(' ', 1)
        if not re.search(r';(Object#)?run \(', stack):
            continue
        total += int(weight)
        collected += int(weight) * stack.endswith(';[GC]')
    all_weights = sum(weights.of_threads(events).values(), [])
    count = len(all_weights)
    true, got = spent / whole, collected / total
    bound = 5 * weights.deviation(true, all_weights) + 0.02
    case.true(count > 50, f'{name}: {count} samples')
    case.true(abs(got - true) < bound, f'{name}: {got:.3f} of {true:.3f}, '
              f'+- {bound:.3f}, {count} samples')


def test():
    test_language(case.PYTHON, 'py', PYTHON)
    test_language('ruby', 'rb', RUBY)
    test_language('php', 'php', PHP)


case.main(test)
