# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries whose rows come slowly. They are fetched in each of the ways that a
driver has.

A client reads lines from its input,

    WAY<TAB>SQL[<TAB>SQL before it, which is not measured ...]

fetches the rows in this way, and prints for each line

    query<TAB>WAY<TAB>SECONDS<TAB>WORKED<TAB>ASKED<TAB>BUSY

SECONDS is the client's own measurement, from before the query until its result
is freed; in WORKED of these seconds the client did not fetch, but slept
between the rows. It sleeps NAP, its first argument, after each row. ASKED is
the time until the driver has returned from the query, without rows; it is the
same as SECONDS if the driver fetches them itself. In BUSY of the seconds the
client ran or waited for a CPU.

The server sleeps for each row. A row is larger than the server's buffer, so
that it is sent at once; therefore the rows come one by one.
"""
import json

import case
import durations

NAP = 0.01
NUMBER = 8
SLEEPS = 0.02
LONG = 40000
# Bytes of an answer besides its rows: the header, and a few for each packet.
OVERHEAD = 2000


class Query:
    def __init__(self, way, sql, slept, early, rows, size, naps=0,
                 before=()):
        self.way = way
        self.sql = sql
        self.slept = slept  # seconds that the server sleeps
        self.early = early  # of these, before the first row
        self.rows = rows
        self.size = size  # bytes of the rows
        self.naps = naps
        self.before = before  # unmeasured queries that prepare this one


def rows(way, at, naps=0):
    """NUMBER large rows. The number makes the text different."""
    sql = (f"SELECT seq, REPEAT('x', {LONG}), SLEEP({SLEEPS}), {at} "
           f"FROM seq_1_to_{NUMBER}")
    return Query(way, sql, NUMBER * SLEEPS, SLEEPS, NUMBER,
                 NUMBER * LONG, naps)


def check_parts(query, call, asked):
    first, fetching = call['first'], call['fetching']
    durations.check(f'first row of {query.way}', first, asked,
                    query.early - call['uncertainty'])
    case.true(abs(first + fetching - call['duration']) < 2e-9,
              f'{query.way}: {first} + {fetching} is {call["duration"]}')


def check(query, call, said):
    way, took, worked, asked, busy = said
    case.equal((way, call['name'] and call['arguments'][0]['value']),
               (query.way, query.sql), 'the query')
    case.equal(call['end'], 'returned', f'how {way} ended')
    # The server also works while the client is between two calls of the library.
    # This time is that of the client's own work, and what the client needs from
    # one call to the next, where it runs or waits for a CPU and does not sleep.
    between, by_clock = call.get('between', 0), call.get('between_wall', 0)
    # What the scheduler and xtrace took from the client in this very query. A
    # part of it can be between two calls of the library, where the server works
    # on.
    lost = max(0, took - worked - query.slept)
    case.true(query.naps <= between <= worked + busy + call['uncertainty'] + lost,
              f'{way}: {between} between rows of {query.naps}, where the client '
              f'worked for {worked} and needed a CPU for {busy}')
    case.true(max(worked, between) <= by_clock + durations.ROUNDING,
              f'{way}: {by_clock} between rows, {between} without what xtrace '
              f'held, {worked} by the client')
    durations.check(f'wall of {way}', call['wall'], took - worked,
                    query.slept - max(worked, by_clock))
    durations.check(f'wall and between of {way}', call['wall'] + by_clock, took,
                    query.slept)
    # The server may have worked while xtrace held the thread, so the duration
    # may be too short by the uncertainty. If xtrace held the client in its own
    # work, the client would have waited longer for the server without xtrace.
    own = max(query.naps, worked - (by_clock - between))
    durations.check(f'duration of {way}', call['duration'], took - own,
                    query.slept - max(worked, between) - call['uncertainty'])
    durations.check(f'duration and between of {way}', call['duration'] + between,
                    took, query.slept - call['uncertainty'])
    check_parts(query, call, asked)
    case.equal(call.get('rows'), query.rows, f'rows of {way}')
    case.true(query.size <= call['bytes'] <= query.size + OVERHEAD,
              f'{way}: {call["bytes"]} bytes of {query.size}')


def run(command, queries, env, *options):
    tracer = case.trace('--sql', '--json', '-s', '200', *options,
                        command=command, env=env)
    for query in queries:
        tracer.child.say('\t'.join([query.way, query.sql, *query.before]))
    tracer.child.close_input()
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    said = [line.split('\t')[1:] for line in tracer.child.out.splitlines()]
    case.equal(len(said), len(queries), 'the queries that the client made')
    texts = {query.sql for query in queries}
    calls = [row for row in map(json.loads, tracer.lines())
             if row['event'] == 'call' and row['end'] != 'entry-only'
             and row['arguments'][0]['value'] in texts]
    case.equal(len(calls), len(queries), 'the queries of the trace')
    for query, call, (way, *times) in zip(queries, calls, said):
        check(query, call, (way, *map(float, times)))
    return calls
