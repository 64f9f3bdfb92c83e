# SPDX-License-Identifier: GPL-2.0-or-later
"""Burns CPU time in two functions, one three times as long as the other, until a
line comes; then writes that it is done."""
import select
import sys


def short(rounds):
    return sum(number * number for number in range(rounds))


def long(rounds):
    total = 0
    for number in range(rounds):
        total += number * number % 7
    return total


print('ready', flush=True)
while not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(3):
        long(20000)
    short(20000)
print('done', flush=True)
sys.exit(3)
