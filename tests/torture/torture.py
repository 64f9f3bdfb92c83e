# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaches and leaves at random, and checks each time that nothing is left.

After every detach, for the subject and its branch: each byte of executable
memory equals its file's; no process traces it; no mapping of xtrace is left;
every thread is alive and continues to count; every result was right; and the
signals that the process catches and its threads block are as before.
"""
import collections
import mmap
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import time

import build
import case
import child
from page import Page

HERE = pathlib.Path(__file__).resolve().parent
ROLES = ['spin', 'load', 'fork', 'signal', 'trap', 'mask', 'jump', 'block',
         'birth', 'call', 'call too', 'branch', 'branch call', 'branch load']
# What docs/SURVIVAL.md says that a program with a SIGTRAP handler may lose.
LOST = {'trap': "lost SIGTRAPs of the program's own",
        'mask': 'lost masks of a thread that blocks SIGTRAP'}
BRANCH = 11  # the first role of the branch process in ROLES
MAGIC = b'.xtrace'  # as in breakpoints/outlive/inside/inside.h
# Messages of filters that match nothing, or nothing yet.
UNMATCHED = re.compile(r'(not (loaded|called) yet; |no module ever had it'
                       r'|no such library was ever loaded|not called there)')
FILTERS = [
    ['-x', 'f*'], ['-x', 'm*_*'], ['-x', 'f*+m*+p*'], ['-e', '*'],
    ['-e', 'malloc+free+m*'], ['-x', 'malloc+free+strlen'], ['-l', 'libmod.so'],
    ['-x', 'f*@MAIN+p1_*'], ['-x', '*@libmod.so+*@libplug*'],
    ['-x', 'f*', '-e', '*@*'],
]
LOOKS = [[], [], ['-c'], ['--json'], ['-T', '-tt'], ['-i', '-n', '2']]
WAYS = [('SIGINT', signal.SIGINT), ('SIGTERM', signal.SIGTERM),
        ('SIGHUP', signal.SIGHUP), ('limit', None), ('duration', None)]


class Counters:
    def __init__(self, path):
        path.write_bytes(bytes(mmap.PAGESIZE))
        with open(path, 'r+b') as file:
            self.map = mmap.mmap(file.fileno(), mmap.PAGESIZE)

    def head(self):
        """The first row of the file COUNTERS: pid, branch, stop, handled."""
        return struct.unpack_from('<4q', self.map, 0)

    def row(self, role):
        """A role's row of COUNTERS: tid, calls, wrong, first_wrong, others,
        lost."""
        return struct.unpack_from('<6q', self.map, 64 + 64 * role)

    def rows(self):
        return [self.row(role) for role in range(len(ROLES))]


class Subject:
    def __init__(self, own, without=()):
        self.roles = [role for role in range(len(ROLES))
                      if ROLES[role] not in without]
        folder = case.FOLDER / f'subject.{own}'
        page = Page(HERE / 'subject.c')
        folder.mkdir()
        program = build.make(page, build.variants(page)[0], folder,
                             pathlib.Path(os.environ['BUILD_CACHE']))
        for number in range(4):
            shutil.copy(folder / 'libplug.so', folder / f'libplug{number}.so')
        path = folder / 'counters'
        self.counters = Counters(path)
        self.child = case.start(program, path, folder, own,
                                sum(1 << role for role in self.roles))
        self.child.wait_for('ready')
        self.pid = self.child.pid
        self.goes_on()
        self.lost = [0] * len(ROLES)
        self.signals = {pid: self.dispositions(pid) for pid in self.pids()}

    def pids(self):
        return [self.pid, self.counters.head()[1]]

    def dispositions(self, pid):
        return [child.status_field(f'/proc/{pid}/status', name)
                for name in ('SigCgt', 'SigIgn')]

    def goes_on(self):
        """Waits until every thread with a role has made more calls."""
        before = self.counters.rows()
        waiting = set(self.roles)

        def all_have():
            self.child._pump(0)
            if not self.child.alive():
                case.fail(f'the subject has died: {self.child.wait()}',
                          self.child.err)
            for role in list(waiting):
                if self.counters.row(role)[1] > before[role][1] + 2:
                    waiting.discard(role)
            return not waiting
        try:
            case.until(all_have, 'all go on')
        except case.Failure as fault:
            case.fail(fault, 'without: ' + ' '.join(
                f'{ROLES[role]} (tid {self.counters.row(role)[0]})'
                for role in sorted(waiting)))

    def again(self, word):
        self.child.say(word)
        try:
            self.child.wait_for('ready')
        except case.Failure as fault:
            case.fail(f'{word}: it ended with {self.child.wait()}', fault)


def text_changes(pid):
    """Where executable memory differs from its file, and executable memory
    without a file.

    Libraries are loaded and unloaded meanwhile: only what is still mapped
    counts.
    """
    def rows():
        with open(f'/proc/{pid}/maps') as file:
            return file.read().splitlines()
    faults, areas = [], []
    with open(f'/proc/{pid}/mem', 'rb', buffering=0) as memory:
        for row in rows():
            words = row.split(None, 5)
            begin, end = (int(part, 16) for part in words[0].split('-'))
            try:
                found = look_at(pid, memory, begin, end, words)
            except (FileNotFoundError, OSError):
                continue
            if found and row in rows():
                (areas if len(words) < 6 else faults).extend(found)
    return faults, areas


def look_at(pid, memory, begin, end, words):
    if len(words) == 6 and words[5][0] != '/':
        return []  # [vdso], [stack] and such are the kernel's
    memory.seek(begin)
    if len(words) < 6:
        if 'x' in words[1] or memory.read(7) == MAGIC:
            return [f'{words[0]} {words[1]}']
        return []
    if 'x' not in words[1]:
        return []
    have = memory.read(end - begin)
    if len(have) < end - begin:
        raise ProcessLookupError(f'{words[5]} was unmapped, or {pid} has ended')
    with open(f'/proc/{pid}/map_files/{begin:x}-{end:x}', 'rb') as file:
        file.seek(int(words[2], 16))
        there = file.read(end - begin)
    if have[:len(there)] == there:
        return []
    return [f'{words[5]}+{int(words[2], 16) + at:#x} ({begin + at:#x}): '
            f'{there[at]:02x} became {have[at]:02x}'
            for page in range(0, len(there), mmap.PAGESIZE)
            if have[page:page + mmap.PAGESIZE] !=
            there[page:page + mmap.PAGESIZE]
            for at in range(page, min(page + mmap.PAGESIZE, len(there)))
            if have[at] != there[at]]


def traced_by(pid):
    out = []
    for tid in child.threads(pid):
        tracer = child.status_field(f'/proc/{pid}/task/{tid}/status',
                                    'TracerPid')
        if tracer not in (None, '0'):
            out.append(tid)
    return out


def check_process(pid, counts):
    # When xtrace leaves, it also detaches from a child that was seized at its
    # fork and whose first stop has not been reported.
    if traced_by(pid):
        case.fail(f'{pid} is still traced: {traced_by(pid)}')
    faults, areas = text_changes(pid)
    if faults:
        case.fail('text differs from the file:', *faults[:10])
    counts['texts'] += 1
    if areas:
        case.fail(f'a mapping of xtrace is left in {pid}:', *areas)


def check_masks(subject):
    """A thread may block signals for a moment. Waits until none blocks any."""
    for role in subject.roles:
        row = subject.counters.row(role)
        pid = subject.pids()[role >= BRANCH]
        path = f'/proc/{pid}/task/{row[0]}/status'
        try:
            case.until(lambda path=path: child.status_field(path, 'SigBlk')
                       == '0' * 16, f'{ROLES[role]} blocks no signal')
        except case.Failure as fault:
            case.fail(fault, f'{row[0]} of {pid} blocks '
                      f"{child.status_field(path, 'SigBlk')}")


def check_subject(subject, counts):
    subject.child._pump(0)
    if not subject.child.alive():
        case.fail(f'the subject has died: {subject.child.wait()}',
                  subject.child.out, subject.child.err)
    pid, branch = subject.pids()
    check_process(pid, counts)
    check_process(branch, counts)
    subject.goes_on()
    for pid in subject.pids():
        now = subject.dispositions(pid)
        if now != subject.signals[pid]:
            case.fail(f'{pid}: SigCgt, SigIgn were {subject.signals[pid]}, '
                      f'are {now}')
    check_masks(subject)
    for role, row in enumerate(subject.counters.rows()):
        if row[2]:
            case.fail(f'{ROLES[role]}: {row[2]} wrong, first code {row[3]}')
        if row[5] > subject.lost[role]:
            counts[LOST[ROLES[role]]] += row[5] - subject.lost[role]
            counts[f'rounds with {LOST[ROLES[role]]}'] += 1
            subject.lost[role] = row[5]


def lines_of(tracer):
    return sum(1 for line in open(tracer.path, errors='replace')) \
        if tracer.path.exists() else 0


def one_round(subject, rng, counts):
    options = list(rng.choice(FILTERS)) + list(rng.choice(LOOKS))
    follow = rng.random() < 0.4
    way, number = rng.choice(WAYS)
    if follow:
        options.append('-f')
    if way == 'limit':
        options += ['--limit', str(rng.choice([1, 10, 100, 1000]))]
    if way == 'duration':
        options += ['--duration', f'{rng.randint(1, 150)}ms']
    delay = rng.choice([rng.uniform(0, 0.03), rng.uniform(0, 0.3), None])
    again = rng.choice(['exec', 'thread', None, None, None, None, None, None])
    counts['left by ' + way] += 1
    counts['rounds'] += 1
    counts['with -f'] += follow
    what = f"round {counts['rounds']}: {' '.join(options)}; {way}, {delay}," \
           f' {again}'
    if os.environ.get('TORTURE_LOUD'):
        print(what, flush=True)
    if os.environ.get('TORTURE_DEBUG'):
        options += ['-D', os.environ['TORTURE_DEBUG']]
    tracer = case.Tracer([*options, '-p', str(subject.pid)])
    try:
        if delay is None:
            case.until(lambda: lines_of(tracer) > 0 or
                       '-c' in options or not tracer.child.alive(),
                       'something is traced')
        else:
            time.sleep(delay)
        if again:
            subject.again(again)
            counts['execs'] += 1
        if number and not tracer.child.alive():
            case.fail(f'xtrace has ended by itself: {tracer.wait()}')
        if number:
            tracer.send(number)
            status = tracer.wait()
            # A signal that arrives before xtrace has blocked it kills xtrace,
            # with the status 128 + its number.
            if status not in (0, 128 + number):
                case.fail(f'xtrace ended with {status}')
        else:
            tracer.wait(0)
        says = [line for line in tracer.says() if not UNMATCHED.search(line)]
        if says and not os.environ.get('TORTURE_DEBUG'):
            case.fail('xtrace says:', *says)
        counts['lines'] += lines_of(tracer)
        check_subject(subject, counts)
    except case.Failure as fault:
        case.fail(what, fault, *tracer.child.err.splitlines()[-3000:],
                  subject.child.out)
    tracer.path.unlink(missing_ok=True)


def torture(seconds, seed, without=(), own=None, least=0):
    """Runs rounds for so many seconds, and at least `least` of them. Returns
    how often each thing happened. What is in LOST is only counted.
    """
    rng = random.Random(seed)
    counts = collections.Counter()
    own = own or rng.choice(['own', 'default'])
    counts['with its own SIGTRAP handler'] = own == 'own'
    subject = Subject(own, without)
    until = time.monotonic() + seconds
    while time.monotonic() < until or counts['rounds'] < least:
        one_round(subject, rng, counts)
    rows = subject.counters.rows()
    for role, row in enumerate(rows):
        counts['calls'] += row[1]
        counts[f'deeds of {ROLES[role]}'] = row[4] or row[1]
    for name in LOST.values():
        counts[name] += 0  # so that a 0 is printed, too
    counts['signals handled'] = subject.counters.head()[3]
    subject.child.say('stop')
    case.finish(subject.child)
    case.true('right' in subject.child.out, 'every result was right')
    return counts
