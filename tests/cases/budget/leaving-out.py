#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget: a function that is called all the time is left out for most of the
time, and one that is called seldom is looked at for more of it. All outputs say
so with the same figures: no call begins while its function was left out, and the
table counts the calls that the JSON has. The stops cost less than the budget. The
program's output and status are those of an untraced run.

TIMEOUT: 90
"""
import collections
import json
import re
import time

import case

BUDGET = 2
SECONDS = 3
LEFT_OUT = re.compile(r'^ *(\w+): looked at for ([\d.]+) % of ([\d.]+) s, '
                      r'left out for the rest \(--budget\)$')
COST = re.compile(r'budget: 2 %; the stops have cost the threads ([\d.]+) % of '
                  r'their time, ([\d.]+) % at most in 10 s')
# On a busy machine a thread may wait for its CPU just behind a stop, and that
# is a cost, too. So the run is repeated until it is hardly disturbed.
TRIES = 5


def run():
    """Returns the JSON, the table, the lines and the messages of one run."""
    subject = case.start(case.build('busy.c'))
    subject.wait_for('ready')
    table, json_path = case.FOLDER / 'table', case.FOLDER / 'json'
    json_path.write_bytes(b'')
    tracer = case.Tracer([f'--budget={BUDGET}%', '--stats', '-x', 'hot+cold',
                          f'--summary={table}', f'--json={json_path}', '-p',
                          str(subject.pid)])
    case.until(json_path.read_bytes, 'the first event')
    end = time.monotonic() + SECONDS
    while (time.monotonic() < end or
           json_path.read_bytes().count(b'"function":"hot"') < 2):
        subject.say('')
        subject.wait_for('round')
    tracer.leave()
    case.same_text(subject.pid)
    subject.close_input()
    case.finish(subject, 3)
    rounds = subject.out.splitlines()
    case.equal([set(rounds), rounds[0], rounds[-1]],
               [{'ready', 'round', 'all right'}, 'ready', 'all right'],
               'the output')
    case.equal(subject.err, '', 'stderr')
    return ([json.loads(line) for line in
             json_path.read_text().splitlines()],
            table.read_text().splitlines(), tracer.lines(), tracer.child.err)


def check_function(name, told, calls):
    """The times that the events tell add up, and no call is within a break."""
    changes = told[:-1]
    case.equal([event['out'] for event in changes],
               [i % 2 == 0 for i in range(len(changes))],
               f'{name}: out and in, in turn')
    case.equal([event.get('last', False) for event in told],
               [False] * len(changes) + [True], f'{name}: one is the last')
    breaks = list(zip(changes[::2], changes[1::2]))
    for out, again in breaks:
        case.true(again['left_out'] > out['left_out'] and
                  again['time'] > out['time'], f'{out} {again}')
    for call in calls:
        inside = [out for out, again in breaks
                  if out['time'] + 0.001 < call['time'] < again['time'] - 0.001]
        case.true(not inside, f'{call} is within a break: {inside}')
    case.equal(told[-1]['breaks'], (len(changes) + 1) // 2, f'{name}: breaks')


def looked_at(event):
    return event['looked_at'] / (event['looked_at'] + event['left_out'])


def check_events(events):
    """Returns the last event of each function that was left out."""
    last = {}
    for name in ('hot', 'cold'):
        told = [event for event in events if event['event'] == 'left-out' and
                event['function'] == name]
        calls = [event for event in events
                 if event['event'] == 'call' and event['name'] == name]
        case.true(calls, f'no call of {name}')
        if told:
            check_function(name, told, calls)
            last[name] = told[-1]
    case.true('hot' in last and looked_at(last['hot']) < 0.5, f'{last}')
    if 'cold' in last:
        case.true(looked_at(last['cold']) > looked_at(last['hot']), f'{last}')
    return last


def check_table(table, events, last):
    counts = collections.Counter(event['name'] for event in events
                                 if event['event'] == 'call')
    rows = {row[-1]: int(row[2]) for row in map(str.split, table)
            if row and row[-1] in ('hot', 'cold')}
    case.equal(rows, dict(counts), 'the calls of the table and of the JSON')
    said = [LEFT_OUT.match(row) for row in table if '--budget' in row]
    case.true(all(said), f'{table}')
    case.equal({row[1] for row in said}, set(last), f'{table}')
    for row in said:
        event = last[row[1]]
        whole = event['looked_at'] + event['left_out']
        case.true(abs(float(row[2]) - 100 * looked_at(event)) < 0.1 and
                  abs(float(row[3]) - whole) < 0.1, f'{row[0]} {event}')


def check_lines(lines):
    case.true(any(re.search(r' cold\(7\b.*= 23$', line) for line in lines),
              'cold')
    marks = [line for line in lines if '--- hot: ' in line]
    case.true('left out from here on (--budget) ---' in marks[0] and
              'the trace ends; looked at for ' in marks[-1], f'{marks}')


def test():
    shares = []
    for _ in range(TRIES):
        events, table, lines, messages = run()
        check_table(table, events, check_events(events))
        check_lines(lines)
        case.true('--budget has left out for a part of the time: hot '
                  '(looked at for ' in messages, messages)
        cost = COST.search(messages)
        case.true(cost, messages)
        shares.append(float(cost[1]))
        if shares[-1] <= BUDGET:
            return
    case.fail(f'the stops cost {shares} %')


case.main(test)
