#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The shares of --sample are the program's own: it measures the CPU time that
each of its threads spends in each function, and the samples must agree within
what chance allows. The program wakes up every few milliseconds, as the samples
would do if they were not taken at random.

A sample's weight is the time since the one before it. The weights tell what
chance allows (support/weights.py). The bound is 5 deviations, and 1 point for
the function that runs between two parts.

Where threads wait for CPUs, and lose them at system calls, the system calls have
no larger share than the CPU time that they take. The bound is loose: a thread on
another CPU runs on until the interrupt arrives, and may have come to a system
call by then. Without a rule about this the share was 0.47 to 0.64, and it should
be 0.03. At a load of 25 it is 0.1, and there are so few samples that chance makes
it 0.25 in one of 20 runs, so 5 deviations are added here, too.

TIMEOUT: 90
"""
import re

import case
import weights

NAMES = ('small', 'middle', 'large')
LINE = re.compile(r't \d+;thread (\d+);(.*) (\d+)$')


def shares_of(lines):
    """tid -> share of each function, and the number of lines."""
    times = {}
    for line in lines:
        match = LINE.match(line)
        case.true(match, f'understood: {line}')
        part = times.setdefault(match[1], dict.fromkeys(NAMES, 0))
        for name in NAMES:
            if re.search(rf'(^|;){name}@', match[2]):
                part[name] += int(match[3])
    return times


def own_shares(text):
    times = {}
    for line in text.splitlines():
        thread, part, ns = line.split()
        times.setdefault(thread, {})[NAMES[int(part)]] = int(ns) / 1000
    return times


def test_hz(program, hz, rounds):
    folded, events = (case.FOLDER / f'{hz}.{end}' for end in ('txt', 'json'))
    tracer = case.trace(f'--sample={hz}', f'--folded={folded}',
                        f'--json={events}', to_file=False,
                        command=[program, str(rounds)])
    tracer.child.wait_for('ready')
    tracer.child.say('go')
    tracer.wait(3)
    case.equal(tracer.child.out, f'ready\nsum {12 * rounds}\n', 'what it says')
    of_threads = weights.of_threads(events)
    samples = sum(map(len, of_threads.values()))
    case.true(samples > 50, f'{samples} samples')
    found = shares_of(folded.read_text().splitlines())
    own = own_shares(tracer.child.err)
    busy = sorted((sum(part.values()), tid) for tid, part in found.items())
    # Both threads do the same work.
    for (_, tid), mine in zip(busy[-2:], own.values()):
        total, whole = sum(found[tid].values()), sum(mine.values())
        for name in NAMES:
            true = mine[name] / whole
            got = found[tid][name] / total
            bound = 5 * weights.deviation(true, of_threads[int(tid)]) + 0.01
            case.true(abs(got - true) < bound,
                      f'{hz} Hz, {name}: {got:.3f} of {true:.3f}, '
                      f'+- {bound:.3f}, {samples} samples')
    # No time is counted twice. The time after a thread's last sample, and of
    # other code between two samples, makes the difference.
    sampled = sum(total for total, _ in busy)
    spent = sum(sum(part.values()) for part in own.values())
    case.true(0.9 * spent < sampled < 1.03 * spent,
              f'{hz} Hz: {sampled} us of {spent:.0f}')


def test_crowded():
    folded, events = (case.FOLDER / f'crowded.{end}' for end in ('txt', 'json'))
    tracer = case.trace('--sample=997', f'--folded={folded}',
                        f'--json={events}', to_file=False,
                        command=[case.build('crowded.c'), '2500'])
    tracer.child.wait_for('ready')
    tracer.child.say('go')
    tracer.wait(0)
    everything, counted = map(int, tracer.child.out.splitlines()[1].split())
    times = [line.rsplit(' ', 1) for line in folded.read_text().splitlines()]
    total = sum(int(ns) for _, ns in times)
    asking = sum(int(ns) for stack, ns in times if ';asking@' in stack)
    true = 1 - counted / everything
    case.true(true < 0.1, f'{true:.3f} is true')
    case.true(total > 0.9 * everything, f'{total} of {everything} us')
    of_all = sum(weights.of_threads(events).values(), [])
    bound = true + 0.15 + 5 * weights.deviation(0.1, of_all)
    case.true(asking / total < bound, f'{asking / total:.3f}, {true:.3f} is '
              f'true, {bound:.3f} is allowed, {len(of_all)} samples')


def test():
    test_crowded()
    program = case.build('shares.c')
    test_hz(program, 100, 250)
    test_hz(program, 997, 120)


case.main(test)
