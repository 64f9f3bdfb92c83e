#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--otlp URL without a receiver that answers: nothing listens, it does not
answer, its certificate is not trusted. The program does not wait; xtrace waits
for some seconds at its end, and says in one line what was not sent. A receiver
with a certificate that is trusted gets all. If xtrace is killed, the process
that sends ends, too.

SLOW: the end is awaited several times
TIMEOUT: 60
"""
import signal
import subprocess
import time

import case
from ports import ended, free_port
from receiver import Receiver

SCRIPT = '''
import sqlite3, sys
run = sqlite3.connect(":memory:", isolation_level=None).execute
print(run("select 1").fetchall())
print("done", flush=True)
sys.stdin.readline()
'''
LINE = 'xtrace: --otlp: 0 spans were sent, and 1 were not: '


def start(url, env=None):
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    tracer = case.trace(f'--otlp={url}', command=[case.PYTHON, path], env=env)
    tracer.child.wait_for('done')
    return tracer


def lost(url, why, env=None):
    tracer = start(url, env)
    tracer.child.say('go')
    began = time.monotonic()
    case.equal((tracer.wait(), tracer.child.out), (0, '[(1,)]\ndone\n'),
               'the program')
    took = time.monotonic() - began
    case.true(tracer.child.err.startswith(LINE) and why in tracer.child.err and
              tracer.child.err.count('\n') == 1, tracer.child.err)
    case.true(took < 0.5 * case.LIMIT, f'the end took {took} s')


def certificate():
    path = case.FOLDER / 'certificate.pem'
    subprocess.run(
        ['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days',
         '2', '-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1',
         '-keyout', path, '-out', case.FOLDER / 'public.pem'],
        check=True, capture_output=True)
    path.write_text(path.read_text() +
                    (case.FOLDER / 'public.pem').read_text())
    return path


def senders():
    """The processes of this case that send. Other cases may run meanwhile."""
    return {pid for pid, _ in case.child.strays(case.FOLDER)
            if case.child.status_field(f'/proc/{pid}/status', 'Name') ==
            'xtrace-sender'}


def test_killed():
    before = senders()
    with Receiver([(None, {})]) as receiver:
        tracer = start(f'http://127.0.0.1:{receiver.port}')
        case.until(lambda: receiver.requests, 'the receiver is asked')
        (sender,) = senders() - before
        tracer.send(signal.SIGKILL)
        tracer.child.wait()
        case.until(lambda: ended(sender), 'the process that sends has ended')


def test():
    lost(f'http://127.0.0.1:{free_port()}', 'connect')
    with Receiver([(None, {})] * 9) as receiver:
        lost(f'http://127.0.0.1:{receiver.port}', 'does not answer')
        case.true(receiver.requests, 'it was asked')
    with Receiver(certificate=certificate()) as receiver:
        url = f'https://127.0.0.1:{receiver.port}'
        lost(url, 'certificate')
        tracer = start(url, {'OTEL_EXPORTER_OTLP_CERTIFICATE':
                             str(case.FOLDER / 'public.pem')})
        tracer.child.say('go')
        case.equal((tracer.wait(), tracer.child.err), (0, ''), 'trusted')
        case.true(receiver.taken('/v1/traces'), 'it gets the spans')
    test_killed()


case.main(test)
