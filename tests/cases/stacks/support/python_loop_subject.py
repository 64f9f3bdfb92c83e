# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls from C and generators, repeated. See python_loop.py."""


def numbers(depth):
    if depth > 0:
        yield from numbers(depth - 1)
    yield depth


def times(number, many):
    return str(number) * many


def work():
    for many in numbers(4):
        sorted([3, 1, 2], key=lambda number: times(number, many))


def main():
    print('ready', flush=True)
    while True:
        work()


main()
