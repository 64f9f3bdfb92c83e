# SPDX-License-Identifier: GPL-2.0-or-later
"""A port on which a program of a case can listen."""
import os
import pathlib
import socket

RANGE = pathlib.Path('/proc/sys/net/ipv4/ip_local_port_range')
LEAST = 10000


def _is_free(port):
    with socket.socket() as near:
        try:
            near.bind(('127.0.0.1', port))
        except OSError:
            return False
    return True


def free_port():
    """A port of 127.0.0.1 below the range from which the kernel takes ports. So
    none of the cases that run beside this one gets it from the kernel before
    the program listens. Two cases begin their search at different ports."""
    end = int(RANGE.read_text().split()[0])
    ports = range(LEAST, end) or range(end, 1 << 16)
    begin = os.getpid() * 61 % len(ports)
    for number in range(len(ports)):
        port = ports[(begin + number) % len(ports)]
        if _is_free(port):
            return port
    raise OSError('no port is free')
