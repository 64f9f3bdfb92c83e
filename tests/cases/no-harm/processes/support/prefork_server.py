# SPDX-License-Identifier: GPL-2.0-or-later
"""A server that forks its workers before the first request. Each worker
answers with its pid and the checksum of the request, and ends after five
answers. The master then forks another. See prefork.py."""
import os
import signal
import socket
import sys
import zlib

WORKERS, ANSWERS = 3, 5


def work(listener):
    for _ in range(ANSWERS):
        near, _ = listener.accept()
        with near:
            text = near.recv(4096)
            near.sendall(b'%d %d\n' % (os.getpid(), zlib.crc32(text)))
    os._exit(0)


def main(path):
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(path)
    listener.listen(64)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    there = set()
    while True:
        while len(there) < WORKERS:
            pid = os.fork()
            if pid == 0:
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                work(listener)
            there.add(pid)
        there.discard(os.wait()[0])


main(sys.argv[1])
