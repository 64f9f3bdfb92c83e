# SPDX-License-Identifier: GPL-2.0-or-later
"""Objects of many kinds. Writes how many objects there are of each class of its
own, and "all" with the number of blocks that Python has in use. With a word, a
thread makes and drops objects until a line comes; then their number is
written."""
import ctypes
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


class Row(list):
    __slots__ = ()


class Pairs(dict):
    __slots__ = ()


class Bag(set):
    __slots__ = ()


class Raw(bytearray):
    __slots__ = ()


class Name(str):
    __slots__ = ()


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
# Objects with parts, of many sizes. Larger parts are not in Python's own heap.
for kind, make_one, most in (
        (Row, lambda size: Row(range(size)), 64),
        (Pairs, lambda size: Pairs.fromkeys(range(size)), 30),
        (Bag, lambda size: Bag(range(size)), 40), (Raw, Raw, 600),
        (Name, lambda size: Name(chr(64 + size) * (size % 99)), 600)):
    kept[kind.__name__] = [make_one(number % most) for number in range(1500)]


def block(size):
    return (size + 15) // 16 * 16


def blocks_of(one):
    """The bytes of an object and of its part, by what Python says of it."""
    kind = type(one)
    header = 32 if kind.__flags__ & 1 << 4 else \
        16 if kind.__flags__ & 1 << 14 else 0
    part = block(one.__sizeof__() - kind.__basicsize__)
    return block(header + kind.__basicsize__) + (part if part <= 512 else 0)


def word(at):
    return ctypes.c_uint64.from_address(at).value


def block_at(at):
    """The bytes of the block at that address, by the header of its pool."""
    return 16 * (ctypes.c_uint32.from_address((at & ~16383) + 36).value + 1)


def attributes_of(one):
    """The bytes of the block with the object's attributes. Before the first of
    them is a byte that says how far it is from the beginning of the block."""
    first = word(id(one) - 32)
    return block_at(first - ctypes.c_uint8.from_address(first - 1).value)


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
for kind in Row, Pairs, Bag, Raw, Name:
    print('bytes', sum(map(blocks_of, kept[kind.__name__])), kind.__name__,
          flush=True)
print('bytes', sum(64 + attributes_of(one) for one in kept['Plain']), 'Plain',
      flush=True)
print('all', sys.getallocatedblocks(), flush=True)
sys.stdin.readline()
over.append(True)
if len(sys.argv) > 1:
    thread.join()
print(made[0] > 0, sum(one.at for one in kept['Plain']))
