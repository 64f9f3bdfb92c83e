# SPDX-License-Identifier: GPL-2.0-or-later
"""A fixed amount of work in two functions, in rounds of some 10 ms with a pause
after each. Prints how long the work took without the pauses, in ns of CPU time
and of the clock, and the first function's share of the CPU time. With a number
as argument, starts that many threads that wait until the process is killed, and
prints a line when all of them wait.
"""
import sys
import threading
import time


def first(n):
    total = 0
    for i in range(n):
        total += i * i
    return total


def second(n):
    return len(sorted(range(n), key=lambda i: -i))


def rounds(count):
    spent, wall = [0, 0], 0
    for _ in range(count):
        begin = time.perf_counter_ns()
        for number, work in enumerate((first, second)):
            before = time.thread_time_ns()
            work((30000, 40000)[number])
            spent[number] += time.thread_time_ns() - before
        wall += time.perf_counter_ns() - begin
        time.sleep(0.002)
    print(sum(spent), wall, spent[0] / sum(spent))


def wait(count):
    never = threading.Event()
    for _ in range(count):
        threading.Thread(target=never.wait, daemon=True).start()
    print('ready', flush=True)
    never.wait()


if len(sys.argv) > 1:
    threading.stack_size(65536)
    wait(int(sys.argv[1]))
else:
    rounds(120)
