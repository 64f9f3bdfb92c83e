#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SDT probes of a running PostgreSQL server: xtrace attaches to the server, which
forks a process for each session, and to a session that is open. Queries have
their text. The semaphores, without which these probes are not even prepared,
are counted up while xtrace traces, and down after SIGKILL and after it leaves:
in the server, in the open session, and in a session that has begun meanwhile.

NEEDS: psql /usr/lib/postgresql/15/bin/postgres
TIMEOUT: 60
"""
import os
import re
import signal
import struct
import subprocess

import case
import child
import servers

PROBES = ['query__start', 'query__done', 'transaction__commit']
ETC = case.TESTS.parent / 'etc'


def semaphores(program):
    """The addresses in the file by the name of the probe."""
    notes = subprocess.run(['readelf', '-nW', program], text=True, check=True,
                           capture_output=True).stdout
    found = re.findall(r'Provider: postgresql\n +Name: (\S+)\n.*?'
                       r'Semaphore: 0x(\S+)', notes)
    return {name: int(at, 16) for name, at in found}


class Process:
    def __init__(self, pid, program, places):
        self.pid = pid
        with open(f'/proc/{pid}/maps') as maps:
            row = next(row for row in maps if row.rstrip().endswith(program))
        base = int(row.split('-')[0], 16)
        self.places = [base + places[name] for name in PROBES]

    def values(self):
        with open(f'/proc/{self.pid}/mem', 'rb') as memory:
            return [struct.unpack('H', os.pread(memory.fileno(), 2, at))[0]
                    for at in self.places]


class Session:
    """A psql that stays connected, and the server's process for it."""

    def __init__(self, env, of):
        self.psql = case.start('psql', '-XAtq', env=env)
        self.process = of(int(self.ask('SELECT pg_backend_pid()')))

    def ask(self, query):
        self.psql.say(f'{query};')
        return self.psql.wait_for('')

    def works(self, word):
        case.equal(self.ask(f"SELECT '{word}'"), word, 'the answer')

    def end(self):
        self.psql.close_input()
        case.finish(self.psql)


def attach(pids):
    options = [word for pid in pids for word in ('-p', str(pid))]
    tracer = case.Tracer(['-F', ETC, '-f', '-s', '200', '-x',
                          '%postgresql:' + ','.join(PROBES), *options])
    for pid in pids:
        child.wait_attached(pid, tracer.child, case.LIMIT)
        case.wait_planted(pid, tracer)
    return tracer


def traced(env, of, server, before, end):
    """Traces the server and its session `before`; a second session begins."""
    tracer = attach([server.pid, before.process.pid])
    during = Session(env, of)
    for at, session in enumerate((before, during)):
        case.equal(session.process.values(), [1] * len(PROBES),
                   f'the semaphores of session {at}')
        session.works(f'session {at}')
    case.equal(server.values(), [1] * len(PROBES), 'those of the server')
    processes = [server, before.process, during.process]
    if end == signal.SIGKILL:
        os.kill(tracer.pid, end)
    else:
        tracer.leave(end)
    for process in processes:
        case.until(lambda: not any(process.values()) and
                   not case.text_changes(process.pid),
                   f'nothing is left in {process.pid}')
    for session in before, during:
        session.works('afterwards')
    during.end()
    return tracer, during.process.pid


def lines_of(tracer, pid):
    return [re.sub(rf'^(\[pid +)?{pid}\]? +', '', line)
            for line in tracer.lines()
            if re.match(rf'(\[pid +)?{pid}\b', line) and '+++' not in line]


def queries(*texts):
    return [line for text in texts for line in (
        f'postgresql:query__start("{text};")',
        'postgresql:transaction__commit(%num)',
        f'postgresql:query__done("{text};")')]


def locks(session):
    """Each lock that a query takes has the name of its kind, and is released."""
    tracer = case.attach(session.process, '-F', ETC, '-x',
                         '%postgresql:lwlock__*')
    case.wait_planted(session.process.pid, tracer)
    session.works('with locks')
    tracer.leave()
    held = []
    for line in tracer.calls():
        name, lock = re.match(r'postgresql:lwlock__(\w+)\("(\w+)"',
                              line).groups()
        if name in ('acquire', 'condacquire'):
            held.append(lock)
        elif name == 'release':
            held.remove(lock)
    case.equal(held, [], 'locks that are not released')
    case.true(len(tracer.calls()) >= 4, f'the locks: {tracer.calls()}')


def test():
    server = servers.PostgreSQL(case.FOLDER / 'servers', case.TESTS.parent /
                                'build' / 'tests' / 'servers')
    env = server.start()
    try:
        program = server.tool('postgres')
        places = semaphores(program)

        def of(pid):
            return Process(pid, program, places)

        master = of(server.popen.pid)
        before = Session(env, of)
        case.equal(master.values(), [0] * len(PROBES), 'before it is traced')
        for end in signal.SIGKILL, signal.SIGINT:
            tracer, during = traced(env, of, master, before, end)
            if end == signal.SIGKILL:
                continue
            case.same(lines_of(tracer, before.process.pid),
                      queries("SELECT 'session 0'"), 'the open session')
            # A session begins with a transaction that is no query.
            case.same(lines_of(tracer, during), [
                'postgresql:transaction__commit(%num)', *queries(
                    'SELECT pg_backend_pid()', "SELECT 'session 1'")],
                      'the new session')
        locks(before)
        before.end()
    finally:
        server.stop()


case.main(test)
