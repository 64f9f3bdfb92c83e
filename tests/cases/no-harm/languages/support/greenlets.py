# SPDX-License-Identifier: GPL-2.0-or-later
"""Two greenlets. Each is within a call of the operator @, which C calls, when
the other one runs, so the calls do not end in the reverse order of their
beginnings. Each @ returns its right side, so the result tells which call it
ends. See languages.py."""
import sys

from greenlet import greenlet


class Away:
    def __matmul__(self, number):
        main.switch(number)
        return number


def show(number):
    while True:
        main.switch((Away() @ number) + 1)


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
