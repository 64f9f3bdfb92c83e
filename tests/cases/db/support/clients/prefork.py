# SPDX-License-Identifier: GPL-2.0-or-later
"""A server that forks its workers before the first request: prefork.py DRIVER
SOCKET. Each worker has one connection to the database, by a driver of
client.py, and accepts connections on the socket. A request is a line of COUNT
and NUMBER. The worker queries the number COUNT times, and then answers
`asked`.
"""
import os
import signal
import socket
import sys

import client


def serve(listener):
    ask, _ = getattr(client, sys.argv[1])()
    while True:
        near = listener.accept()[0]
        with near, near.makefile('r') as lines:
            line = lines.readline()
            for _ in range(int(line.split()[0]) if line else 0):
                ask('SELECT ' + line.split()[1])
            if line:
                near.sendall(b'asked\n')


def main():
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(sys.argv[2])
    listener.listen()
    children = []
    for _ in range(int(os.environ['WORKERS'])):
        child = os.fork()
        if not child:
            serve(listener)
        children.append(child)

    def end(number, frame):
        for child in children:
            os.kill(child, signal.SIGTERM)
            os.waitpid(child, 0)
        os._exit(0)
    signal.signal(signal.SIGTERM, end)
    while True:
        signal.pause()


main()
