# SPDX-License-Identifier: GPL-2.0-or-later
"""Kills xtrace with SIGKILL while it traces threads that block all signals:
a pool, the threads of the C library for timers and asynchronous reads, uWSGI's,
or the children of posix_spawn(). Until the watcher has removed the traps, such a
thread dies of the next trap that it hits, unless xtrace has given it a virtual
mask.
"""
import collections
import pathlib
import random
import re
import signal
import time

import case
import uwsgi

HERE = pathlib.Path(__file__).resolve().parent
NAME = re.compile(r'(pool|timer|aio|spawn|uwsgi)-(\d+)-(\d+)')
WINDOW = 0.3  # seconds: the kill comes at a random time in them, at first


class Pool:
    def __init__(self, kind, ms, threads):
        self.child = case.start(case.build(HERE / 'pools.c'), kind, ms,
                                threads, limit=3600)
        self.child.wait_for('ready')
        self.pid = self.child.pid

    def died(self):
        self.child.wait()

    def end(self):
        self.child.say('stop')
        case.finish(self.child)
        case.equal(self.child.out, 'ready\nright\n', 'its output')


def dies(subject, ms):
    """Watches the program as long as its threads may meet a trap that is
    left."""
    end = time.monotonic() + 0.03 + min(ms, 100) / 1000
    case.until(lambda: not subject.child.alive() or time.monotonic() > end,
               'the moment is over')
    return not subject.child.alive()


def run(name, kills, seed):
    """Kills xtrace so many times. Returns the numbers of kills and deaths.
    The name is KIND-MS-THREADS, the arguments of pools.c, or uwsgi-MS-THREADS.
    """
    kind, ms, threads = NAME.fullmatch(name).groups()
    function = uwsgi.FUNCTION if kind == 'uwsgi' else 'f'
    rng = random.Random(seed)
    counts = collections.Counter({'deaths': 0})
    window = WINDOW
    subject = None
    while counts['kills'] < kills:
        if not subject:
            subject = (uwsgi.Uwsgi(int(ms), threads) if kind == 'uwsgi' else
                       Pool(kind, ms, threads))
        tracer = case.Tracer(['-x', function, '-p', str(subject.pid)])
        moment = time.monotonic() + rng.random() * window
        case.until(lambda: time.monotonic() > moment, 'the moment comes')
        traced = case.child.status_field(f'/proc/{subject.pid}/status',
                                         'TracerPid') != '0'
        tracer.send(signal.SIGKILL)
        tracer.wait()
        tracer.path.unlink(missing_ok=True)
        counts['kills'] += traced
        counts['kills before the attach'] += not traced
        # The time until the kill follows the time that an attach takes, which
        # is longer on a busy machine.
        window *= 0.9 if traced else 1.2
        window = max(window, WINDOW)
        if dies(subject, int(ms)):
            counts['deaths'] += 1
            subject.died()
            subject = None
    if subject:
        subject.end()
    return counts
