# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls isatty(NUMBER) from all kinds of places, and writes down for each from
where, as Python itself sees it: NUMBER<TAB>function<TAB>file<TAB>line<TAB>...
"""
import asyncio
import functools
import os
import random
import sys
import threading
import traceback

import python_module

FIRST = 1000
numbers = iter(range(FIRST, 1 << 30))
turn = threading.Lock()
said = open(sys.argv[1], 'w')


def note(number, frame):
    words = [str(number)]
    for at, line in traceback.walk_stack(frame):
        words += [at.f_code.co_name, at.f_code.co_filename, str(line or 0)]
    said.write('\t'.join(words) + '\n')


def probe(_):
    with turn:
        number = next(numbers)
        os.isatty(number); note(number, sys._getframe())
        return number


# ---- places ------------------------------------------------------------------

def plain(number):
    return probe(number)


def nested(number):
    def within():
        def further(deeper):
            return probe(
                deeper
            )
        return further(number)
    return within()


class Base:
    def method(self, number):
        return probe(number)

    @staticmethod
    def static(number):
        return probe(number)

    @classmethod
    def of_class(cls, number):
        return cls().method(number)

    @property
    def value(self):
        return probe(0)


class Derived(Base):
    def method(self, number):
        if number % 2:
            return super().method(number)
        return super(
        ).method(number)


def closure(number):
    add = number

    def inner():
        return probe(add)
    return inner()


def recursion(number):
    if number % 20:
        return recursion(number - 1)
    return probe(number)


def generator(number):
    def numbers_of(count):
        for i in range(count):
            probe(i)
            yield i
    return sum(numbers_of(number % 3 + 1))


def delegated(number):
    def inner():
        yield probe(number)

    def outer():
        yield from inner()
    return list(outer())


def coroutine(number):
    async def leaf():
        probe(number)
        await asyncio.sleep(0)
        probe(number)

    async def branch():
        await leaf()

    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(branch())
    finally:
        loop.close()


def by_sort(number):
    return sorted([3, 1], key=lambda n: probe(n))


def by_map(number):
    return list(map(plain, [number]))


def by_partial(number):
    return functools.partial(nested, number)()


def by_module(number):
    return python_module.apply(closure, number)


def by_operator(number):
    return python_module.Keeper(plain)(number)


def by_decorator(number):
    def twice(function):
        @functools.wraps(function)
        def call(n):
            return (function(n),
                    function(n))
        return call

    @twice
    def inner(n):
        probe(n)
    return inner(number)


def in_except(number):
    try:
        raise ValueError(number)
    except ValueError:
        return probe(number)
    finally:
        probe(number)


def in_with(number):
    class Manager:
        def __enter__(self):
            probe(number)

        def __exit__(self, *what):
            probe(number)
    with Manager():
        probe(number)


def in_class_body(number):
    class Made:
        value = probe(number)
    return Made


def comprehensions(number):
    [probe(n) for n in range(2)]
    {probe(n): n
     for n in range(1)}
    return any(probe(n) for n in range(2))


# Functions that are made and freed again and again: their code objects have
# the same addresses.
def by_exec(number):
    text = ('\n' * (number % 7) + f'def made_{number % 9}(n):\n' +
            '    pass\n' * (number % 5) + '    return probe(n)\n'
            f'made_{number % 9}({number})\n')
    exec(compile(text, f'<made {number % 11}>', 'exec'), {'probe': probe})


def by_eval(number):
    return eval('probe(n)', {'probe': probe, 'n': number})


def far_down(number):
    # A jump over more lines than one entry of the line table can express.





































































































































































    return probe(number)


exec(compile('def gr\u00fc\u00dfe(number):\n    return probe(number)\n',
             '/tmp/\u043f\u0443\u0442\u044c.py', 'exec'))

PLACES = [
    plain, nested, Base().method, Base.static, Derived.of_class,
    Derived().method, lambda number: Base().value, closure, recursion,
    generator, delegated, coroutine, by_sort, by_map, by_partial, by_module,
    by_operator, by_decorator, in_except, in_with, in_class_body,
    comprehensions, by_exec, by_eval, far_down, globals()['gr\u00fc\u00dfe'],
]


def wander(chance, depth):
    """Calls a random place, often within calls of python_module.apply()."""
    place = chance.choice(PLACES)
    if depth and chance.random() < 0.4:
        return python_module.apply(lambda _: wander(chance, depth - 1), None)
    return place(chance.randrange(1, 100))


def run(seed, count):
    chance = random.Random(seed)
    for place in PLACES:
        place(7)
    for _ in range(count):
        wander(chance, 6)


def main():
    count = int(sys.argv[2])
    other = threading.Thread(target=run, args=(2, count))
    other.start()
    run(1, count)
    other.join()
    said.close()


main()
