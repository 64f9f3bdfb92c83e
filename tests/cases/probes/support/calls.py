# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls that end in different ways: by return, by exceptions, as generators, in
a thread, in a forked child."""
import os
import sys
import threading


def leaf():
    return 3


def boom(depth):
    if depth:
        boom(depth - 1)
    sum(range(100000))
    raise ValueError


def numbers():
    yield 1
    leaf()


def caught():
    try:
        boom(1)
    except ValueError:
        return list(numbers())


def forks():
    pid = os.fork()
    if pid == 0:
        leaf()
        os._exit(0)
    return os.waitpid(pid, 0)[1]


print(caught(), list(map(lambda x: leaf(), [1])))
thread = threading.Thread(target=caught)
thread.start()
thread.join()
print(forks())


def leaves():
    sys.exit(4)


leaves()
