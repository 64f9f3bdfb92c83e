# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls of the operator @, which C calls, before greenlets are used and within
greenlets, whose stacks are copied to the same addresses in turn. A thread makes
calls while the module is loaded, and uses greenlets then. Prints how many calls
were made."""
import sys
import threading

COUNT = int(sys.argv[1])
calls = []


class Plain:
    def __init__(self):
        self.count = 0
        calls.append(self)

    def __matmul__(self, number):
        self.count += 1
        return number


def many():
    plain = Plain()
    for number in range(COUNT):
        plain @ number


def greenlets():
    from greenlet import greenlet, getcurrent
    main = getcurrent()

    class Away(Plain):
        def __matmul__(self, number):
            self.count += 1
            main.switch(number)
            return number

    away = Away()

    def show(number):
        while True:
            main.switch((away @ number) + 1)

    one, other = greenlet(show), greenlet(show)
    for _ in range(COUNT // 10):
        got = [one.switch(10), other.switch(20), one.switch(0), other.switch(0)]
        assert got == [10, 20, 11, 21], got


def late(loaded):
    plain = Plain()
    while not loaded.is_set():
        plain @ 1
    greenlets()


many()
loaded = threading.Event()
thread = threading.Thread(target=late, args=(loaded,))
thread.start()
many()
greenlets()
loaded.set()
thread.join()
print(sum(plain.count for plain in calls))
