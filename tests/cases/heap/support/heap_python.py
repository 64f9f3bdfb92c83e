# SPDX-License-Identifier: GPL-2.0-or-later
"""Objects of many kinds. Writes how many objects there are of each class of its
own, and "all" with the number of blocks that Python has in use. With a word, a
thread makes and drops objects until a line comes; then their number is
written."""
import sys
import threading


class Plain:
    pass


class Slots:
    __slots__ = ('one', 'two')


class Text(str):
    pass


class Number(int):
    pass


class Table(dict):
    pass


class Failure(Exception):
    pass


class Outer:
    class Inner:
        pass


Derived = type('Derived', (Slots,), {'__slots__': ('three',)})
Odd = type('odd\x1b[31m name', (Plain,), {})
kept = {kind.__name__: [kind() for _ in range(count)] for kind, count in (
    (Plain, 30000), (Slots, 20000), (Text, 5000), (Number, 4000), (Table, 300),
    (Failure, 70), (Outer.Inner, 1234), (Derived, 999), (Odd, 17))}
for at, one in enumerate(kept['Plain']):
    one.at = at
# Tuples and dictionaries that the garbage collector does not track, because
# they contain only numbers and texts.
untracked = [(number,) for number in range(3000)], \
    [{'a': number} for number in range(4000)]
fractions = [number / 7 for number in range(7000)]
# Leaves free blocks in the middle of pools.
holes = [Slots() for _ in range(20000)]
del holes[::3]
kept['Slots'] += holes
del holes
over = []
made = [0]


def make():
    while not over:
        made[0] += len([Plain() for _ in range(500)]) + len(
            [Slots() for _ in range(500)])
        [str(number) for number in range(500)]


thread = threading.Thread(target=make)
if len(sys.argv) > 1:
    thread.start()
for name, objects in kept.items():
    print(len(objects), ascii(name), flush=True)
print('all', sys.getallocatedblocks(), flush=True)
sys.stdin.readline()
over.append(True)
if len(sys.argv) > 1:
    thread.join()
print(made[0] > 0, sum(one.at for one in kept['Plain']))
