# SPDX-License-Identifier: GPL-2.0-or-later
"""Two greenlets, each within a @ of its own, which C calls, when the other
goes on: calls that end in another order than the reverse of their
beginnings. See languages.py."""
import sys

from greenlet import greenlet


class Number:
    def __init__(self, number):
        self.number = number

    def __matmul__(self, other):
        main.switch(self.number)
        return self.number


def show(number):
    while True:
        main.switch((Number(number) @ 0) + 1)


main = greenlet.getcurrent()
FIRST, LAST = map(int, sys.argv[1:])
one, other = greenlet(show), greenlet(show)
good = 0
for i in range(1, LAST + 1):
    numbers = [one.switch(10), other.switch(20), one.switch(0),
               other.switch(0)]
    good += numbers == [10, 20, 11, 21]
    if i in (FIRST, LAST):
        print('ready', flush=True)
        sys.stdin.readline()
print(f'{good} good')
sys.exit(3)
