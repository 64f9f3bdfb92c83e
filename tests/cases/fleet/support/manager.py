# SPDX-License-Identifier: GPL-2.0-or-later
"""A service manager, as sd_notify(3) describes it, and an xtrace that runs as its
service."""
import re
import signal
import socket

import case


class Manager:
    """The socket of a service manager."""

    def __init__(self, abstract=False):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.settimeout(case.LIMIT)
        self.name = str(case.FOLDER / 'notify')
        if abstract:
            self.name = '@' + self.name
        self.socket.bind(self.name.replace('@', '\0'))

    def told(self):
        return self.socket.recv(4096).decode()


class Service:
    def __init__(self, *options, abstract=False):
        self.manager = Manager(abstract)
        self.xtrace = case.start(case.XTRACE, *options,
                                 env={'NOTIFY_SOCKET': self.manager.name})
        case.equal(self.manager.told(), 'READY=1', 'it has begun')

    def reload(self):
        self.xtrace.signal(signal.SIGHUP)
        told = self.manager.told()
        case.true(re.fullmatch(r'RELOADING=1\nMONOTONIC_USEC=\d+', told), told)
        case.equal(self.manager.told(), 'READY=1', 'it is reloaded')

    def stop(self):
        self.xtrace.signal(signal.SIGTERM)
        case.equal(self.manager.told(), 'STOPPING=1', 'it stops')
        case.equal((self.xtrace.wait(), self.xtrace.out), (0, ''), 'the end')
        self.manager.socket.close()
        (case.FOLDER / 'notify').unlink(missing_ok=True)
