# SPDX-License-Identifier: GPL-2.0-or-later
"""Two threads that allocate, raise, collect and call functions, until they are
told to end. Each statement has its own line; see moments.py.
"""
import gc
import sys
import threading

over = False


def alpha(depth):
    text = ''.join(str(n) for n in range(20))
    if depth > 0:
        return beta(depth - 1)
    return len(text)


def beta(depth):
    found = list(map(lambda n: gamma(n), [depth, depth]))
    if depth > 1:
        alpha(depth - 1)
    return found


def gamma(depth):
    try:
        delta(depth)
    except ValueError as error:
        return str(error)
    finally:
        gc.collect(0)


def delta(depth):
    kept = [{n: [n] for n in range(9)} for _ in range(9)]
    kept.append(kept)
    raise ValueError(f'{depth} of {len(kept)}')


def epsilon(depth):
    for number in zeta(depth):
        sorted([3, 1, 2], key=lambda n: eta(n, number))


def zeta(depth):
    if depth > 0:
        yield from zeta(depth - 1)
    yield depth


def eta(n, number):
    return str(n) * number


def first():
    while not over:
        alpha(4)


def second():
    while not over:
        epsilon(5)


def main():
    global over
    sys.setswitchinterval(0.0005)
    other = threading.Thread(target=second)
    other.start()
    listener = threading.Thread(target=listen)
    listener.start()
    first()
    other.join()


def listen():
    global over
    print('ready', flush=True)
    sys.stdin.readline()
    over = True


main()
