# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of a database in three situations: xtrace starts it, attaches to it
before it loads the driver, or attaches after that.

In each the trace must have every query, in order, with its text and its
duration, which lies between the time that the query sleeps and the time that
the client has measured (tests/lib/durations.py).
"""
import re

import case
import durations

LINE = re.compile(
    r'(?:(?P<tid>\d+) +)?(?P<when>\d+\.\d{6}) '
    r'(?:(?P<back><\.\.\. (?P<back_name>\S+) resumed> .*?)|'
    r'(?P<name>[\w:@>.-]+)\((?P<args>.*?))'
    r'(?: <unfinished \.\.\.>|\)\s+= (?P<value>.*?)'
    r'(?: <(?P<took>\d+\.\d{6})>)?)$')


class Call:
    def __init__(self, name, args):
        self.name = name
        self.args = args
        self.value = None
        self.took = None


def calls_of(lines):
    """The calls in the order of their entries. A line of an unfinished call is
    joined with the line that resumes it."""
    calls, open_calls = [], {}
    for line in lines:
        found = LINE.match(line)
        if not found:
            continue
        if found['back']:
            pending = open_calls.get(found['tid'], [])
            for at in range(len(pending) - 1, -1, -1):
                if pending[at].name == found['back_name']:
                    call = pending.pop(at)
                    break
            else:
                continue
        else:
            call = Call(found['name'], found['args'])
            calls.append(call)
            if found['value'] is None:
                open_calls.setdefault(found['tid'], []).append(call)
        if found['value'] is not None:
            call.value = found['value']
            call.took = float(found['took'] or 'nan')
    return calls


def queries(pause):
    """The queries of the client, and how long each sleeps."""
    return [(f'SELECT {pause}({span}), {number}' if span
             else f"SELECT 'quick', {number}", span)
            for number, span in enumerate(durations.mixed())]


class Situation:
    def __init__(self, command, options, rows, env):
        self.command = command
        self.options = ['-ttt', '-T', '-s', '200', *options]
        self.rows = rows
        self.env = env

    def said(self, client):
        out = []
        for line in client.out.splitlines():
            if line.startswith('query\t'):
                _, took, sql = line.split('\t')
                out.append((sql, float(took)))
        return out

    def talk(self, client, attach_at=None):
        """Talks to the client until it has made its queries. Attaches when the
        client has printed attach_at. Returns the tracer, if any."""
        tracer = None
        for word in ('begin', 'loaded'):
            client.wait_for(word)
            if attach_at == word:
                tracer = case.attach(client, *self.options)
            client.say()
        client.wait_for('end')
        return tracer

    def started(self):
        tracer = case.trace(*self.options, command=self.command, env=self.env)
        self.talk(tracer.child)
        tracer.wait(0)
        return tracer, tracer.child

    def attached(self, word):
        client = case.start(*self.command, env=self.env)
        tracer = self.talk(client, word)
        case.finish(client)
        tracer.wait(0)
        return tracer, client


def check_output(situation, tracer, client):
    said = situation.said(client)
    case.equal([sql for sql, _ in said], [sql for sql, _ in situation.rows],
               'queries of the client')
    case.equal(client.err.replace('\n', ''), '' if tracer.child is not client
               else '\n'.join(tracer.says()).replace('\n', ''),
               "the client's stderr")
    return said


def check_direct(situation, tracer, client, function, value='0'):
    """The function must have one call for each query, with the SQL text in its
    arguments."""
    said = check_output(situation, tracer, client)
    known = {sql for sql, _ in situation.rows}
    found = []
    for call in calls_of(tracer.lines()):
        text = re.search(r'"(.*)"', call.args)
        if call.name == function and text and text.group(1) in known:
            found.append((text.group(1), call))
    case.equal([sql for sql, _ in found], [sql for sql, _ in said],
               f'queries in the calls of {function}')
    for (sql, own), (_, call), (_, span) in zip(said, found, situation.rows):
        case.true(call.value.startswith(value),
                  f'{function} returned {call.value} for {sql}')
        durations.check(sql, call.took, own, span)


def check_steps(situation, tracer, client):
    """Each query must be prepared once, and the steps up to the next query
    must take its time."""
    said = check_output(situation, tracer, client)
    known = {sql for sql, _ in situation.rows}
    found = []
    for call in calls_of(tracer.lines()):
        text = re.search(r'"(.*)"', call.args)
        if call.name.startswith('sqlite3_prepare') and text \
                and text.group(1) in known:
            if not found or found[-1][0] != text.group(1):
                found.append([text.group(1), [], 0])
        elif call.name == 'sqlite3_step' and found:
            found[-1][1].append(call.took)
            found[-1][2] += call.value == '100'
    case.equal([row[0] for row in found], [sql for sql, _ in said],
               'queries prepared')
    for (sql, own), (_, took, hits), (_, span) in zip(said, found,
                                                      situation.rows):
        case.true(hits >= 1, f'{sql}: a row came')
        durations.check(sql, took, own, span)


def run(command, options, pause, check, env=None):
    """Runs the client without xtrace, then in all three situations."""
    rows = queries(pause)
    path = case.FOLDER / 'queries'
    path.write_text(''.join(sql + '\n' for sql, _ in rows))
    command = [*command, path]
    situation = Situation(command, options, rows, env)
    alone = case.start(*command, env=env)
    situation.talk(alone)
    case.finish(alone)
    for name, go in (('started', situation.started),
                     ('attached before the driver is loaded',
                      lambda: situation.attached('begin')),
                     ('attached after', lambda: situation.attached('loaded'))):
        try:
            check(situation, *go())
        except case.Failure as fault:
            case.fail(f'{name}: {fault}')
