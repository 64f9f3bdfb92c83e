# SPDX-License-Identifier: GPL-2.0-or-later
"""Ports of this machine: which processes listen there, and their answers."""
import contextlib
import os
import socket
import urllib.error
import urllib.request

# The program that the cases trace: some queries, then a wait for a line.
SCRIPT = '''
import sqlite3, sys
base = sqlite3.connect(":memory:", isolation_level=None)
run = base.execute
run("create table t(a int, b)")
run("insert into t values (1, 'x'), (2, 'y')")
for _ in range(5):
    print(run("select a, b from t").fetchall())
try:
    run("selekt 1")
except sqlite3.Error as error:
    print(error)
print("ready", flush=True)
sys.stdin.readline()
'''


def free_port():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        return one.getsockname()[1]


def fetch(port, target='/metrics', method='GET'):
    """The status, headers and body of the answer."""
    request = urllib.request.Request(f'http://127.0.0.1:{port}{target}',
                                     method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as got:
            return got.status, dict(got.headers), got.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers), error.read().decode()


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(('127.0.0.1', port)) == 0


def ended(pid):
    """True if the process has ended, even if it is a zombie."""
    try:
        with open(f'/proc/{pid}/stat') as file:
            return file.read().rpartition(')')[2].split()[0] == 'Z'
    except OSError:
        return True


def servers(port):
    """The processes that have the listening socket of the port."""
    with open('/proc/net/tcp') as file:
        rows = [line.split() for line in file.readlines()[1:]]
    nodes = {f'socket:[{row[9]}]' for row in rows
             if row[3] == '0A' and row[1].endswith(f':{port:04X}')}
    return {int(pid) for pid in filter(str.isdigit, os.listdir('/proc'))
            if nodes & descriptors(pid)}


def descriptors(pid):
    """What the descriptors of a process refer to. The process may end, or close
    some of them, meanwhile."""
    found = set()
    with contextlib.suppress(OSError):
        for fd in os.listdir(f'/proc/{pid}/fd'):
            with contextlib.suppress(OSError):
                found.add(os.readlink(f'/proc/{pid}/fd/{fd}'))
    return found
