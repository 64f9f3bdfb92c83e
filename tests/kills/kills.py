# SPDX-License-Identifier: GPL-2.0-or-later
"""Ends xtrace at random moments and checks the traced programs: by SIGKILL, by
a fault, by a failed assertion, with the watcher or without it (then it is
killed first).

After each kill, the program must continue; it makes 10 000 more traced calls
with correct results; its text equals that of its files; and nothing of xtrace
is left except the handler area that docs/SURVIVAL.md describes. Now and then
another xtrace attaches and leaves properly; then nothing may be left. Each
program survives some kills, and ends with its untraced output and status.
"""
import collections
import functools
import mmap
import os
import pathlib
import random
import re
import shutil
import signal
import struct
import subprocess
import sys

import build
import case
import child
from page import Page

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / 'torture'))

import torture                                              # noqa: E402

STEP = 30  # seconds for a step that usually takes a moment
PARTS = 10  # of the calls after a kill: each part may take STEP seconds
# What xtrace prints if all threads block and none can be interrupted unnoticed
# (docs/SURVIVAL.md).
STAYS = 'xtrace[tracer]: {}: all threads block, the slots stay'
MORE = 10000  # traced calls after each kill
LIFE = 12  # kills of xtrace that one program survives, at most
# The functions on the stack in each phase, the most specific first.
PHASES = {
    'sums': 'metering_read',
    'nudge': 'thread_nudge,nudge_over',
    'birth': 'birth_of_task,birth_exec/session_leave,session_begin',
    'detach': 'session_leave',
    'attach': 'session_begin',
    'in dlopen': 'modules_changed,modules_compare,modules_complete,'
                 'modules_relocated,modules_look',
    'between stop and resume': 'session_run/wait_any,look_at_flags',
    'waiting': 'wait_any',
    'begins or ends': 'alone,trace,main',
    'unseen': 'unseen',
}
DEBUG = os.environ.get('KILLS_DEBUG', '').split()
# For each phase that runs rarely: the functions at whose entry the random time
# begins (AIM in killer.c).
AIMS = {'in dlopen': ['modules_changed'],
        'between stop and resume': ['dispatch'],
        'sums': ['metering_read'],
        'birth': ['birth_of_task', 'birth_exec'],
        'nudge': ['thread_nudge'], 'injecting': ['remote_run'],
        'detach': ['!session_leave']}
INJECTING = 'remote_run,inject_and_plant,inject_host,inject_at_tripwire'
WANTED = {**PHASES, 'injecting': INJECTING, 'whatever it does': '-'}
LEAST = {'attach': 50, 'between stop and resume': 50, 'in dlopen': 50,
         'detach': 50}  # kills in a phase, of 500


class Subject:
    """A program with readable counters, and with functions to trace."""
    each = 1  # traced calls for each that the program counts
    rows = 1
    goes_in_children = False

    def __init__(self, folder):
        self.folder = folder
        self.path = folder / 'counters'
        self.path.write_bytes(bytes(mmap.PAGESIZE))
        self.child = case.start(*self.command(), env=self.env())
        self.pid = self.child.pid
        self.kills = 0
        self.unnamed = set()
        self.traps = set()  # traps that a killed xtrace and its watcher left
        self.child.wait_for('ready')
        self.go_on(1)

    def command(self):
        raise NotImplementedError

    def env(self):
        return {}

    def counts(self):
        data = self.path.read_bytes()
        return [struct.unpack_from('<3q', data, 64 * row)
                for row in range(self.rows)]

    def check_alive(self):
        if self.child.popen.stdout.closed:
            case.fail(f'{self.name} has died')
        self.child._pump(0)
        if not self.child.alive():
            case.fail(f'{self.name} has died: {self.child.wait()}',
                      self.child.out, self.child.err)

    def go_on(self, more):
        """Waits until `more` further traced calls were made, some by each
        thread. A busy machine may need long for all of these calls, so each
        tenth of them has a time limit of its own.
        """
        before = self.counts()

        def have(part):
            self.check_alive()
            now = self.counts()
            made = [after[0] - was[0] for was, after in zip(before, now)]
            return sum(made) * self.each * PARTS >= more * part and \
                (part < PARTS or min(made) > 0)
        for part in range(1, PARTS + 1):
            try:
                case.until(functools.partial(have, part),
                           f'{self.name} goes on', STEP)
            except case.Failure as fault:
                case.fail(fault, *zip(before, self.counts()))
        for row, count in enumerate(self.counts()):
            if count[1]:
                case.fail(f'{self.name}: row {row}: {count[1]} are wrong')

    def is_traced(self, tracer):
        """Has the tracer traced some calls?"""
        return torture.lines_of(tracer) > 0

    def end(self):
        self.child.say('stop')
        case.finish(self.child, 7)
        case.equal(self.child.out, 'ready\nright\n', 'its output')
        case.equal(self.child.err, '', 'its stderr')


class Threads(Subject):
    """Eight threads of a C program, see threads.c."""
    kind = 'mixed'
    rows = 8
    filters = [['-x', 'f*'], ['-x', 'f*+m*+p*'], ['-e', '*'], ['-x', 'm1*'],
               ['-x', '*@libmod.so+*@libplug*'], ['-e', 'malloc+free+m*']]
    wants = ['attach', 'between stop and resume', 'in dlopen', 'detach']

    def __init__(self, folder):
        self.name = 'threads, ' + self.kind
        super().__init__(folder)

    def command(self):
        return [make_plugs(self.folder), self.path, self.folder, self.kind]

    def env(self):
        return {'MALLOC_ARENA_MAX': '1'}


class Counted(Threads):
    """A C program whose calls are counted inside, by jumps in place of
    traps."""
    filters = [[sums, '--engine=agent', *what]
               for sums in ('-c', '--summary')
               for what in (['-x', 'f*+m*+p*'], ['-e', 'malloc+free+m*'],
                            ['-x', 'm1*'])]
    wants = ['sums', 'sums', *Threads.wants]

    def is_traced(self, tracer):
        """True if the first jumps were planted: with -c, xtrace prints nothing
        before its end."""
        return any(fault.endswith('became e9')
                   for fault in torture.text_changes(self.pid)[0])


class CountedSignals(Counted):
    kind = 'signals'


class Selected(Counted):
    """A C program that is traced with --min-time or --if: calls that xtrace
    would not show pass inside the program, without a stop.
    """
    filters = [[*which, '--engine=agent', '-x', 'f*+m*+p*']
               for which in (('--min-time', '10s'), ('--if', 'retval == 77'))]
    wants = Threads.wants


class Signals(Threads):
    kind = 'signals'
    wants = ['nudge', 'nudge', 'nudge', 'detach', 'attach']


class Sleepers(Threads):
    kind = 'sleepers'
    wants = ['injecting', 'injecting', 'attach', 'detach']


class Children(Threads):
    kind = 'children'
    rows = 9
    goes_in_children = True
    wants = ['birth', 'birth', 'birth', *Threads.wants]


class Python(Subject):
    """A Python program that queries MariaDB with MySQLdb."""
    name = 'python3, MySQLdb'
    each = 12  # calls of mysql_fetch_row() for each query
    filters = [['-x', 'mysql_*'], ['-x', 'mysql_*', '--sql'], ['--sql'],
               ['-x', 'mysql_*+PyObject_*+PyLong_*'],
               ['-e', '*@_mysql*', '-x', 'mysql_*+p22']]
    wants = Threads.wants

    def command(self):
        make_plugs(self.folder)
        return [case.PYTHON, HERE / 'queries.py', self.path, self.folder]

    def env(self):
        return {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']}


class Ruby(Subject):
    """A Ruby program that queries SQLite with the sqlite3 gem."""
    name = 'ruby, sqlite3'
    each = 12  # calls of sqlite3_step() for each query
    filters = [['-x', 'sqlite3_*'], ['-x', 'sqlite3_*', '--sql'], ['--sql'],
               ['-x', 'sqlite3_*+rb_str_*+rb_ary_*'],
               ['-e', '*@sqlite3_native*', '-x', 'sqlite3_step+p22']]
    wants = Threads.wants

    def command(self):
        make_plugs(self.folder)
        return ['/usr/bin/ruby', HERE / 'queries.rb', self.path, self.folder]


SUBJECTS = {'threads': Threads, 'signals': Signals, 'sleepers': Sleepers,
            'children': Children, 'python': Python, 'ruby': Ruby,
            'counted': Counted, 'counted-signals': CountedSignals,
            'selected': Selected}


def make_plugs(folder):
    """Builds the program of threads.c, and libraries to load, in the folder.
    """
    page = Page(HERE / 'threads.c')
    program = build.make(page, build.variants(page)[0], folder,
                         pathlib.Path(os.environ['BUILD_CACHE']))
    for number in (6, 7):
        if not (folder / f'libplug{number}.so').exists():
            shutil.copy(folder / 'libplug.so', folder / f'libplug{number}.so')
    return program


def in_text(fault):
    """True if the line "FILE+0xOFFSET ..." is about an executable segment."""
    path, offset = re.match(r'(.*)\+(0x[0-9a-f]+) ', fault).groups()
    with open(path, 'rb') as file:
        data = file.read(4096)
    first, = struct.unpack_from('<Q', data, 32)
    size, count = struct.unpack_from('<2H', data, 54)
    for at in range(first, first + size * count, size):
        kind, flags, begin, _, _, length = struct.unpack_from('<2I4Q', data,
                                                              at)
        if kind == 1 and flags & 1 and begin <= int(offset, 16) < begin + \
                length:
            return True
    return False


def untouched(pid, row):
    """The addresses of the mapping's pages that contain only zeros, and whether
    all of its pages do. row: "BEGIN-END r-xp", as text_changes() returns it.
    """
    begin, end = (int(part, 16) for part in row.split()[0].split('-'))
    with open(f'/proc/{pid}/mem', 'rb', buffering=0) as memory:
        memory.seek(begin)
        have = memory.read(end - begin)
    pages = {begin + at for at in range(0, len(have), mmap.PAGESIZE)
             if not any(have[at:at + mmap.PAGESIZE])}
    return pages, len(pages) * mmap.PAGESIZE == end - begin


class Killer:
    def __init__(self, seed):
        program = case.FOLDER / 'killer'
        subprocess.run(['cc', '-O1', '-o', program, HERE / 'killer.c'],
                       check=True)
        self.popen = subprocess.Popen(
            [program, case.XTRACE, str(seed)], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)

    def kill(self, pid, wait, tries, linger, means, aim,
             wanted):
        """Sends a line to killer.c, which explains the arguments. Returns its
        answer: the first word, the number of tries, the set of functions.
        """
        self.popen.stdin.write(f'{pid} {wait} {tries} {linger} {means} {aim} '
                               f'{wanted}\n')
        self.popen.stdin.flush()
        word, count, *names = self.popen.stdout.readline().split()
        names = {re.sub(r'\.(part|isra|constprop|cold).*', '', name)
                 for name in names}
        return word, int(count), names

    def end(self):
        self.popen.stdin.close()
        self.popen.wait()


def matches(names, wanted):
    some, _, none = wanted.partition('/')
    return names & set(some.split(',')) and not names & set(none.split(','))


def phase_of(names):
    return next((phase for phase, wanted in PHASES.items()
                 if matches(names, wanted)), 'unknown')


def watcher():
    """The pid of the watcher. Only one xtrace of this case runs."""
    for pid, _ in child.strays(case.FOLDER):
        name = child.status_field(f'/proc/{pid}/status', 'Name')
        if name == 'xtrace-watcher':
            return pid
    return None


class Kills:
    lives = 0  # how many programs the case has started

    def __init__(self, kind, seed, kills, means):
        self.kind = kind
        self.kills = kills
        self.means = means
        self.rng = random.Random(seed)
        self.killer = Killer(seed)
        self.counts = collections.Counter()
        self.subject = None

    def new_subject(self):
        folder = case.FOLDER / f'{self.kind.__name__}.{Kills.lives}'
        folder.mkdir()
        Kills.lives += 1
        self.subject = self.kind(folder)

    def check(self, killed, traps_stay=False):
        """Checks that the program continues, and that nothing has changed
        except that a handler area may be left.
        """
        subject = self.subject
        subject.check_alive()
        case.until(lambda: not torture.traced_by(subject.pid),
                   'nobody traces it')
        if traps_stay:
            subject.traps = set(self.changes(True)[0])
            self.counts['traps stay'] += bool(subject.traps)
            subject.go_on(MORE)
            return self.changes(True)[1]
        try:
            case.until(lambda: set(self.changes(killed)[0]) <= subject.traps,
                       'the text is as it was', STEP)
        except case.Failure as fault:
            case.fail(fault, *self.changes(killed)[0][:10])
        subject.go_on(MORE)
        left = self.changes(killed)[1]
        if killed:
            for row in left:
                if ' r-xp' in row:
                    subject.unnamed |= untouched(subject.pid, row)[0]
            return left
        left = [row for row in left if not self.was_unnamed(row)]
        if left:
            case.fail('mappings of ours are left:', *left)
        return left

    def was_unnamed(self, row):
        """If xtrace is killed between mapping a handler area and writing its
        code, the area stays (docs/SURVIVAL.md). The code is zeros; the data,
        if it exists, comes after it.
        """
        unnamed = self.subject.unnamed
        if ' r-xp' not in row:
            return int(row.split('-')[0], 16) - mmap.PAGESIZE in unnamed
        pages, all_of_it = untouched(self.subject.pid, row)
        self.counts['areas without a name'] += all_of_it and pages <= unnamed
        return all_of_it and pages <= unnamed

    def changes(self, killed):
        """The differences of the text from the files, and the executable
        memory without a file, as torture.text_changes() returns them. If
        xtrace was killed, the rest of an injected call may be left after the
        end of a text, and is no difference.
        """
        try:
            faults, areas = torture.text_changes(self.subject.pid)
            return [fault for fault in faults
                    if not killed or in_text(fault)], areas
        except OSError as error:
            self.subject.check_alive()
            case.fail(error)

    def come_and_leave(self):
        """A later xtrace takes over, traces, and unmaps everything when it
        leaves, or reports that no thread can unmap it.
        """
        tracer = case.Tracer([*self.rng.choice(self.kind.filters), '-p',
                              str(self.subject.pid), '-D', 'tracer', *DEBUG])

        def traces():
            tracer.child._pump(0)
            return self.subject.is_traced(tracer) or \
                not tracer.child.alive()
        case.until(traces, 'something is traced')
        if not tracer.child.alive():
            case.fail(f'a later xtrace ended with {tracer.wait()}:',
                      *tracer.child.err.splitlines()[-20:])
        tracer.leave()
        if not DEBUG:
            # Only now and then a library with the function p22 is loaded in
            # Python and Ruby, so xtrace may say that no module has it.
            case.equal([row for row in tracer.says()
                        if 'not loaded yet' not in row
                        and row != 'xtrace: p22: no module ever had it'], [],
                       'what xtrace says')
        tracer.path.unlink()
        self.subject.traps = set()
        stays = STAYS.format(self.subject.pid) in tracer.child.err.splitlines()
        self.counts['left, and the handler area stays' if stays else
                    'left in good order after that'] += 1
        try:
            self.check(stays)
        except case.Failure as fault:
            case.fail(fault, *tracer.child.err.splitlines()[-20:])
        if not stays:
            case.equal(case.data_areas(self.subject.pid), set(),
                       'memory of xtrace for data')

    def hunt(self, tracer, wanted):
        rng = self.rng
        functions = WANTED[wanted]
        if wanted not in ('attach', 'injecting'):
            case.until(lambda: self.subject.is_traced(tracer) or
                       not tracer.child.alive(), 'something is traced')
        if not tracer.child.alive():
            case.fail(f'xtrace ended with {tracer.wait()}: {tracer.child.err}')
        wait = {'attach': rng.choice([3000, 30000, 60000]),
                'whatever it does': 20000}.get(wanted, 100)
        aim = rng.choice(AIMS.get(wanted, ['-']))
        tries = rng.choice([0, 1]) if functions == '-' else 50
        means, *alone = rng.choice(self.means).split(':')
        if alone:
            alone = watcher()
            means += f':{alone}' if alone else ''
        return means, self.killer.kill(
            tracer.pid, wait, tries, rng.choice([0, 0, 0, 300, 3000]), means,
            aim, functions)

    def choose(self):
        """Chooses a phase at random; near the end, one with too few kills."""
        wanted = [*self.subject.wants, 'whatever it does']
        short = {phase: self.kills * least // 500 -
                 self.counts[f'phase: {phase}']
                 for phase, least in LEAST.items() if phase in wanted}
        short = {phase: more for phase, more in short.items() if more > 0}
        if sum(short.values()) * 1.2 > self.kills - self.counts['kills']:
            wanted = list(short) or wanted
        return self.rng.choice(wanted)

    def enough(self):
        """True after enough kills, in all and in each phase that this kind of
        subject needs."""
        if self.counts['kills'] < self.kills:
            return False
        short = [phase for phase, least in LEAST.items()
                 if phase in self.kind.wants and
                 self.counts[f'phase: {phase}'] < self.kills * least // 500]
        if short and self.counts['kills'] > 2 * self.kills:
            case.fail('too few kills in: ' + ', '.join(short),
                      dict(self.counts))
        return not short

    def check_end(self, tracer, means, word, status):
        """Checks the tracer's status, and that its only messages give the
        reason of its end.
        """
        if word == 'gone':
            if status not in (0, 130):
                case.fail(f'xtrace ended with {status}', tracer.child.err)
            return
        if means.startswith('kill') or word == 'missed':
            case.equal(status, 128 + signal.SIGKILL, 'how xtrace ended')
        else:
            said = {'fault': 'Segmentation fault',
                    'abort': 'assertion failed'}[means.partition(':')[0]]
            case.equal((status, tracer.says()[-1:]),
                       (1, [f'xtrace: internal error: {said}, the traced '
                            'processes were let go']), 'how xtrace ended')

    def round(self):
        rng = self.rng
        if not self.subject:
            self.new_subject()
        subject = self.subject
        wanted = self.choose()
        options = list(rng.choice(subject.filters))
        if rng.random() < 0.3 or subject.goes_in_children:
            options.append('-f')
        tracer = case.Tracer([*options, '-p', str(subject.pid)])
        means, (word, tries, names) = self.hunt(tracer, wanted)
        if word == 'missed':
            tracer.child.kill()
        status = tracer.wait()
        self.counts[f'rounds: {wanted}'] += 1
        if status in (0, 130):
            word = 'gone'  # xtrace ended before the kill
        phase = phase_of(names) if word == 'killed' else word
        self.counts['kills'] += word != 'gone'
        self.check_end(tracer, means, word, status)
        self.counts[f'phase: {phase}'] += 1
        if matches(names, INJECTING):
            self.counts['phase: a thread is the host'] += 1
        if wanted == phase:
            self.counts['tries for a phase'] += tries
        # If this xtrace has traced, it has taken over the traps that an earlier
        # xtrace has left. If it was killed before, they may still be left.
        if torture.lines_of(tracer) > 0:
            subject.traps = set()
        tracer.path.unlink(missing_ok=True)
        if os.environ.get('KILLS_LOUD'):
            print(f"{subject.pid} {' '.join(options)}; {wanted}: {word} "
                  f'{tries} {phase}: {names}', flush=True)
        try:
            left = self.check(True, means.startswith('kill:'))
        except case.Failure as fault:
            case.fail(f"{means} {self.counts['kills']}: {' '.join(options)}; "
                      f'{wanted}: {phase}: {" ".join(sorted(names))}', fault)
        self.counts['areas left'] += bool(left)
        subject.kills += 1
        if subject.kills >= rng.randint(1, LIFE):
            self.end_subject(rng.random() < 0.7)

    def end_subject(self, after_another):
        if after_another:
            self.come_and_leave()
        self.subject.end()
        self.counts['programs that ended right'] += 1
        self.subject = None


def run(kind, kills, seed, means=('kill',)):
    """Kills xtrace so many times. Returns how often each thing happened. A
    death of the traced program raises Failure. killer.c explains the words of
    means; "kill:" kills both xtrace and its watcher.
    """
    it = Kills(SUBJECTS[kind], seed, kills, means)
    try:
        while not it.enough():
            it.round()
        if it.subject:
            it.end_subject(True)
    finally:
        it.killer.end()
    return it.counts
