# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares a real program, untraced and traced.

Compared are standard output, standard error, exit status, and every file in
the program's working folder: its type, mode and bytes. What varies without
xtrace is made equal by the program's rules (`vary`, patterns of text; `skip`,
names of files). Each rule must prove itself: it is an error if its text is the
same in all untraced runs. Untraced runs must agree with these rules, or
nothing can be said of the traced ones.

A program that xtrace can attach to opens the pipe `gate` in its folder when it
is running, and continues when a line comes. A server is ready when its rule
says so; its clients are run untraced, and compared, too.
"""
import difflib
import fnmatch
import json
import os
import pathlib
import re
import shutil
import signal
import stat
import subprocess
import time

import child
import debian
from child import Child, Failure

HERE = pathlib.Path(__file__).resolve().parent
SUBJECTS = HERE / 'subjects'
SOURCES = HERE.parents[1] / 'build/sources'
MODES = ('start-x', 'start-e', 'attach-x', 'attach-e')
# The least number of planted sites and traced calls for a useful run.
ENOUGH = 500, 10000
LIMIT = 240     # seconds a run, far more than any run needs
BASELINES = 5   # untraced runs, at most, until each rule has seen two values
STATS = re.compile(r'xtrace: calls traced: (\d+); sites planted: (\d+)')
# Messages that are no faults: those of --stats, and those about filters that
# match nothing, or nothing yet.
QUIET = re.compile(
    r'xtrace: ((stops|system calls|calls traced|times|held at attach'
    r'|kept for later calls|restored for SIGTRAP): '
    r'|.*: (not (loaded|called) yet; |not called there; |no module ever '
    r'|no such library was ever |it was never called there))')


class Program:
    """A program to compare.

    command   words; {subjects} is the folder of the scripts, {source} what
              source has brought
    needs     programs; without one of them it is not compared
    source    Debian's release, source package and the parts of it that it
              uses
    trace     the filter for -x
    imports   the filter for -e
    setup     shell lines, run once; every run begins with what they leave
    vary      patterns whose text differs between untraced runs
    skip      globs of files that differ between untraced runs
    gate      true: the program waits at the gate, and xtrace can attach to it
    ready     a server's shell line that succeeds when it can be asked
    load      the shell lines that ask the server and then end it
    says      a pattern of the messages that xtrace may print
    """

    def __init__(self, command, trace, imports='*@*', setup='', vary=(),
                 skip=(), gate=False, ready='', load='', says='', env=None,
                 stdin='/dev/null', needs=(), source=()):
        self.command = command
        self.trace, self.imports = trace, imports
        self.setup, self.vary, self.skip = setup, vary, skip
        self.gate, self.ready, self.load = gate, ready, load
        self.says, self.env, self.stdin = says, env or {}, stdin
        self.needs, self.source = needs, source

    def places(self):
        """The values for the words in braces in a program's command and lines.
        """
        places = {'subjects': SUBJECTS}
        if self.source:
            places['source'] = debian.source(
                SOURCES / self.source[0] / self.source[1], *self.source)
        return places

    def missing(self):
        """The reason why the program cannot be run on this machine, or ''."""
        for name in self.needs:
            if not shutil.which(name, path=child.CLEAN['PATH']):
                return f'no {name} is installed'
        try:
            self.places()
        except debian.Unavailable as why:
            return str(why)
        return ''

    def modes(self):
        return MODES if self.gate or self.ready else MODES[:2]


class Run:
    """The results of a run: texts by name, before any rule."""

    def __init__(self, status, texts, kinds):
        self.status, self.texts, self.kinds = status, texts, kinds


def environment(program, folder):
    places = program.places()
    return {'HOME': str(folder), 'TMPDIR': str(folder / 'tmp'),
            **{name: text.format(**places)
               for name, text in program.env.items()}}


def root(folder):
    """The folder of the runs, by whose name processes of a run are found."""
    return folder.parent.parent


def shell(lines, folder, env, what):
    """Runs our own shell lines: output, errors, status."""
    done = subprocess.run(
        ['/bin/bash', '-euc', lines], cwd=folder, stdin=subprocess.DEVNULL,
        env=child.environment(root(folder), env), timeout=LIMIT,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if what and done.returncode:
        raise Failure(f'{what} ended with {done.returncode}: '
                      f'{done.stderr.decode(errors="replace")[-800:]}')
    return done


def files_of(folder):
    texts, kinds = {}, {}
    for path in sorted(folder.rglob('*')):
        name = str(path.relative_to(folder))
        about = path.lstat()
        kinds[name] = f'{stat.filemode(about.st_mode)}'
        if path.is_symlink():
            texts[name] = os.readlink(path).encode()
        elif stat.S_ISREG(about.st_mode):
            texts[name] = path.read_bytes()
    return texts, kinds


class Attempt:
    """One run of a program, in a new folder."""

    def __init__(self, program, folder, xtrace=None, mode=''):
        self.program, self.top, self.mode = program, folder, mode
        self.xtrace = xtrace
        self.here = folder / 'work'  # all runs use this path
        self.env = environment(program, self.here)
        self.asked = None
        self.messages = ''

    def prepare(self):
        shutil.rmtree(self.here, ignore_errors=True)
        shutil.copytree(self.top / 'template', self.here, symlinks=True)
        if self.program.gate:
            os.mkfifo(self.here / 'gate')
        for name in ('out', 'err', 'trace.json'):
            (self.top / name).unlink(missing_ok=True)

    def words(self):
        places = self.program.places()
        command = [word.format(**places) for word in self.program.command]
        return ['/bin/sh', '-c',
                f'exec "$@" <{self.program.stdin.format(**places)} '
                '>../out 2>../err', 'sh',
                *command]

    def options(self):
        letter = self.mode[-1]
        filters = self.program.trace if letter == 'x' else \
            self.program.imports
        return ['-f', '-' + letter, filters, '--stats', '-o', '/dev/null',
                f'--json={self.top}/trace.json']

    def start(self, words):
        return Child(words, self.here, {**self.env, child.MARK: str(
            root(self.here))}, LIMIT)

    def until(self, condition, what, *alive):
        def look():
            for one in alive:
                one._pump(0)
                if not one.alive():
                    raise Failure(f'{one.command[0]} ended before {what}: '
                                  f'{one.err}{self.text("err")}')
            return condition()
        child.until(look, what, LIMIT)

    def text(self, name):
        try:
            return (self.top / name).read_text(errors='replace')[-1500:]
        except OSError:
            return ''

    def pass_gate(self, subject, before):
        """Waits until the program waits at the gate, does the work, and lets
        it continue.
        """
        handle = []

        def opened():
            try:
                handle.append(os.open(self.here / 'gate',
                                      os.O_WRONLY | os.O_NONBLOCK))
            except OSError:
                return False
            return True
        self.until(opened, 'it stands at the gate', subject)
        try:
            before()
            os.write(handle[0], b'go\n')
        finally:
            os.close(handle[0])

    def attach(self, subject):
        self.tracer = self.start([self.xtrace, *self.options(),
                                  '-p', str(subject.pid)])
        child.wait_attached(subject.pid, self.tracer, LIMIT)

    def run(self):
        self.prepare()
        attached = self.mode.startswith('attach')
        words = self.words()
        if self.mode.startswith('start'):
            words = [self.xtrace, *self.options(), '--', *words]
        subject = self.tracer = self.start(words)
        before = (lambda: self.attach(subject)) if attached else lambda: None
        if self.program.gate:
            self.pass_gate(subject, before)
        elif self.program.ready:
            self.until(lambda: shell(self.program.ready, self.here, self.env,
                                     '').returncode == 0, 'it is ready',
                       subject)
            before()
            self.asked = shell(self.program.load, self.here, self.env, '')
        status = subject.wait()
        if attached:
            # xtrace may still trace processes that a server has forked, but
            # the server's results are complete.
            if self.tracer.alive() and self.program.ready:
                self.tracer.signal(signal.SIGINT)
            got = self.tracer.wait()
            if got:
                raise Failure(f'xtrace ended with {got}: {self.tracer.err}')
        if self.mode:
            self.messages = self.tracer.err
        return self.left(status)

    def left(self, status):
        texts, kinds = files_of(self.here)
        texts = {f'file {name}': text for name, text in texts.items()}
        for name, what in (('out', 'stdout'), ('err', 'stderr')):
            texts[what] = (self.top / name).read_bytes()
        if self.asked:
            texts['stdout of the load'] = self.asked.stdout
            texts['stderr of the load'] = self.asked.stderr
            status = f'{status}, of the load {self.asked.returncode}'
        return Run(status, texts, kinds)


class Rules:
    """The rules of a program for what may vary, and the proof that it varies.
    """

    def __init__(self, program):
        self.vary = [re.compile(pattern.encode(), re.M)
                     for pattern in program.vary]
        self.skip = list(program.skip)
        self.seen = {rule: set() for rule in [*self.vary, *self.skip]}

    def learn(self, run):
        for rule in self.skip:
            self.seen[rule].add(tuple(
                (name, text) for name, text in run.texts.items()
                if fnmatch.fnmatch(name, f'file {rule}')))
        # Each rule is applied to the result of the rule before it.
        texts = self.kept(run.texts)
        for rule in self.vary:
            found = []
            for name, text in texts.items():
                found += [match.group() for match in rule.finditer(text)]
                texts[name] = rule.sub(b'#', text)
            self.seen[rule].add(tuple(found))

    def unproved(self):
        return [getattr(rule, 'pattern', rule) for rule, seen
                in self.seen.items() if len(seen) < 2]

    def kept(self, texts):
        return {name: text for name, text in texts.items() if not any(
            fnmatch.fnmatch(name, f'file {rule}') for rule in self.skip)}

    def normal(self, run):
        texts = self.kept(run.texts)
        for rule in self.vary:
            texts = {name: rule.sub(b'#', text)
                     for name, text in texts.items()}
        # A file's name may vary; its content is compared nevertheless.
        named = {}
        for name, text in texts.items():
            for rule in self.vary:
                name = rule.sub(b'#', name.encode()).decode()
            named.setdefault(name, []).append(text)
        kinds = {}
        for name, kind in run.kinds.items():
            if any(fnmatch.fnmatch(name, rule) for rule in self.skip):
                continue
            for rule in self.vary:
                name = rule.sub(b'#', name.encode()).decode()
            kinds.setdefault(name, []).append(kind)
        return run.status, {name: sorted(many) for name, many
                            in named.items()}, kinds


def shown(name, wanted, got):
    """The first lines in which two texts differ."""
    old, new = (b'\n'.join(many).decode(errors='replace').splitlines()
                for many in (wanted, got))
    rows = list(difflib.unified_diff(old, new, n=0, lineterm=''))
    return [f'{name} differs:', *(f'  {row[:300]}' for row in rows[2:14])]


def differences(wanted, got):
    out = []
    if wanted[0] != got[0]:
        out.append(f'status {got[0]}, untraced {wanted[0]}')
    for name in sorted(wanted[1].keys() | got[1].keys()):
        if name not in got[1] or name not in wanted[1]:
            out.append(f'{name}: only '
                       f'{"untraced" if name in wanted[1] else "traced"}')
        elif wanted[1][name] != got[1][name]:
            out += shown(name, wanted[1][name], got[1][name])
    for name in sorted(wanted[2].keys() & got[2].keys()):
        if wanted[2][name] != got[2][name]:
            out.append(f'{name}: {got[2][name]}, untraced {wanted[2][name]}')
    return out


def baseline(program, folder, report):
    """Runs the program untraced until every rule has proved itself. Returns
    the rules and the result.
    """
    rules, first = Rules(program), None
    for turn in range(BASELINES):
        began = time.monotonic()
        run = Attempt(program, folder).run()
        report('untraced', '', '', time.monotonic() - began)
        rules.learn(run)
        got = rules.normal(run)
        if first and differences(first, got):
            raise Failure('\n'.join(['untraced runs differ:',
                                     *differences(first, got)]))
        first = first or got
        if turn and not rules.unproved():
            return rules, first
    raise Failure(f'a rule hides what does not vary: {rules.unproved()}')


def count_events(path):
    """The number of calls in the JSON; every line must be an object."""
    calls = 0
    with open(path, 'rb') as file:
        for row in file:
            calls += json.loads(row)['event'] == 'call'
    return calls


def judge(program, mode, attempt, wanted, got):
    """Compares a traced run; returns its errors, and its figures."""
    faults = differences(wanted, got)
    figures = STATS.search(attempt.messages)
    calls, sites = map(int, figures.groups()) if figures else (0, 0)
    if not figures:
        faults.append(f'no figures from xtrace: {attempt.messages[-800:]}')
    elif sites < ENOUGH[0] or calls < ENOUGH[1]:
        faults.append(f'{sites} sites and {calls} calls are not enough')
    for row in attempt.messages.splitlines():
        if QUIET.match(row) or (program.says and re.search(program.says, row)):
            continue
        faults.append(f'says: {row}')
    try:
        told = count_events(attempt.top / 'trace.json')
        if told < ENOUGH[1]:
            faults.append(f'the JSON has {told} calls only')
    except (OSError, ValueError, KeyError) as fault:
        faults.append(f'the JSON cannot be read: {fault}')
    return [f'{mode}: {fault}' for fault in faults], sites, calls


def try_program(name, program, folder, xtrace, modes=()):
    """The errors found with a program, as lines; its figures are printed."""
    def report(mode, sites, calls, took):
        print(f'{name:18} {mode:9} {sites:>8} {calls:>9} {took:8.1f}',
              flush=True)
    faults = []
    (folder / 'template' / 'tmp').mkdir(parents=True)
    try:
        if program.setup:
            shell(program.setup.format(**program.places()), folder / 'template',
                  environment(program, folder / 'template'), 'the setup')
        rules, wanted = baseline(program, folder, report)
    except Failure as fault:
        return str(fault).splitlines()
    for mode in program.modes():
        if modes and mode not in modes:
            continue
        began = time.monotonic()
        attempt = Attempt(program, folder, xtrace, mode)
        try:
            got = rules.normal(attempt.run())
        except (Failure, subprocess.TimeoutExpired) as fault:
            report(mode, '', '', time.monotonic() - began)
            faults += [f'{mode}: {row}' for row in str(fault).splitlines()]
            continue
        found, sites, calls = judge(program, mode, attempt, wanted, got)
        report(mode, sites, calls, time.monotonic() - began)
        faults += found
    left = [line for _, line in child.end_strays(folder.parent)]
    return faults + [f'left behind: {line}' for line in left]
