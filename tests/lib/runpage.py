# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs one case and reports its failures.

The subject is first run alone, then under xtrace (started or attached). Its
output and status must be the same, and the trace must be as in the page.
"""
import os
import pathlib
import re
import shlex
import shutil
import tempfile

import build
import child
import expect
from child import Child, Failure
from glibc import Unavailable
from page import TIMEOUT, TOOLS
from servers import KINDS

# The variables of the runner's environment that scripts get, too: the file for
# results of drivers, and how long three slow cases run (make/check.mk).
PASSED_ON = ('XTRACE_DRIVERS', 'XTRACE_CALLS', 'XTRACE_QUERIES', 'XTRACE_EVERY')

SAYS = ('xtrace:', 'ltrace:')
ASSIGNMENT = re.compile(r'^\w+=')
SLOWER = 3  # a sanitized xtrace gets so many times the limit
# So many lines of the output of a script that fails are shown.
OUTPUT = 200
SKIPPED = 77  # the status of a test that cannot run here


class Skip(Exception):
    pass


def last_line(text):
    """The reason of a test that cannot run."""
    return text.strip().splitlines()[-1] if text.strip() else 'no reason given'


class Context:
    """What all cases of a run of the tests share."""

    def __init__(self, xtrace, folder, cache, servers, sanitized=False,
                 keep=False):
        self.xtrace = xtrace
        self.folder = folder
        self.cache = cache
        self.servers = servers
        self.sanitized = sanitized
        self.keep = keep

    def limit(self, page):
        seconds = int(page.value('TIMEOUT', TIMEOUT))
        return seconds * (SLOWER if self.sanitized else 1)

    def needs(self, page):
        """Returns the environment of the needed servers; or raises Skip."""
        env = {}
        for need in page.words('NEEDS'):
            if need == 'root':
                if os.getuid():
                    raise Skip('needs root')
            elif need == 'plain':
                if self.sanitized:
                    raise Skip('not with a sanitized xtrace')
            elif need in KINDS:
                env.update(self.servers.need(need))
            elif need.startswith('/'):
                if not pathlib.Path(need).exists():
                    raise Skip(f'needs {need}')
            elif not shutil.which(need):
                raise Skip(f'needs {need}')
        return env


class Case:
    """A case to run: one page with one variant and one RUN, or one script."""

    def __init__(self, page, root, run=None, variant=None):
        self.page = page
        self.run = run
        self.variant = variant
        name = str(page.path.relative_to(root))
        if variant and variant.name:
            name += f'[{variant.name}]'
        if len(page.runs) > 1:
            name += f'#{page.runs.index(run) + 1}'
        self.name = name

    def perform(self, context):
        """Returns [], or the explanation of a failure; raises Skip if the case
        cannot run."""
        env = context.needs(self.page)
        if self.variant and '-m32' in self.variant.flags and \
                not build.has_libc_32(self.variant.cc):
            raise Skip(f'{self.variant.cc} -m32 finds no libc.so.6')
        folder = pathlib.Path(tempfile.mkdtemp(dir=context.folder))
        folder.chmod(0o755)
        try:
            attempt = Attempt(self, context, folder, env)
            faults = attempt.script() if self.page.script else attempt.go()
        except Unavailable as why:
            raise Skip(f'no glibc {self.variant.glibc}: {why}') from why
        except Failure as fault:
            faults = str(fault).splitlines()
        finally:
            left = child.end_strays(folder)
            if context.keep:
                print(f'kept: {folder} ({self.name})')
            else:
                shutil.rmtree(folder, ignore_errors=True)
        faults += [f'left behind: {pid} {line}' for pid, line in left]
        return faults


def cases_of(page, root):
    if page.script:
        return [Case(page, root)]
    kinds = build.variants(page) if page.compiled else [None]
    return [Case(page, root, run, kind) for kind in kinds
            for run in page.runs]


class Attempt:
    def __init__(self, case, context, folder, env):
        self.case = case
        self.page = case.page
        self.run = case.run
        self.context = context
        self.folder = folder
        self.limit = context.limit(self.page)
        self.env = dict(env)
        for row in self.page.all('ENV'):
            name, _, value = row.partition('=')
            self.env[name] = self.expand(value)
        self.log = folder.with_name(folder.name + '.asan')
        self.env['ASAN_OPTIONS'] = f'detect_leaks=1:log_path={self.log}'
        self.env['UBSAN_OPTIONS'] = \
            f'print_stacktrace=1:log_path={self.log}'

    # ---- command lines ---------------------------------------------------
    def target(self):
        if self.page.compiled:
            return [str(self.folder / 't')]
        return [TOOLS[self.page.suffix], str(self.page.path.resolve())]

    def expand(self, word, pid=None):
        word = word.replace('%d', str(self.folder))
        word = word.replace('%s', str(self.page.path.resolve()))
        word = word.replace('%c', str(self.page.path.resolve().parent))
        if pid is not None:
            word = word.replace('%p', str(pid))
        if '%t' in word and self.page.compiled:
            word = word.replace('%t', str(self.folder / 't'))
        return word

    def words(self, words, pid=None):
        out = []
        for word in words:
            if word == '%t':
                out += self.target()
            else:
                out.append(self.expand(word, pid))
        return out

    def split(self):
        """The environment, xtrace's words and the subject's words of the RUN
        line.
        """
        words = list(self.run.command)
        env = {}
        while words and ASSIGNMENT.match(words[0]):
            name, _, value = words.pop(0).partition('=')
            env[name] = self.expand(value)
        tracer = words.pop(0)
        if '--' in words:
            at = words.index('--')
            options, subject = words[:at + 1], words[at + 1:]
        elif '%t' in words:
            at = words.index('%t')
            options, subject = words[:at], words[at:]
        else:
            options, subject = words, []
        return env, tracer, options, subject

    def tracer_path(self, name):
        """The path of xtrace, or of a link to it with the name that RUN uses.
        """
        if name == 'xtrace':
            return str(self.context.xtrace)
        link = self.folder / '.bin' / name
        link.parent.mkdir(exist_ok=True)
        if not link.is_symlink():
            link.symlink_to(self.context.xtrace)
        return str(link)

    # ---- running ---------------------------------------------------------
    def fresh(self):
        """Prepares the case's folder before each run."""
        for path in self.folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
        if self.page.compiled:
            build.make(self.page, self.case.variant, self.folder,
                       self.context.cache)
        for row in self.page.all('FILE'):
            name, _, text = row.partition(': ')
            with (self.folder / name).open('a') as file:
                file.write(text + '\n')

    def child(self, command, env):
        return Child(command, self.folder, {**self.env, **env}, self.limit)

    def feed(self, subject, attach=None):
        """Sends the subject its input, and waits for its end."""
        if self.run.value('ATTACH') is not None:
            subject.wait_for('ready')
            if attach:
                attach()
            subject.say('go')
        for line in self.run.block('STDIN') or []:
            subject.say(line)
        return subject.wait()

    def go(self):
        env, name, options, command = self.split()
        attaching = self.run.value('ATTACH') is not None
        alone = None
        if command or attaching:
            self.fresh()
            if self.run.value('UNTRACED') != 'no':
                alone = self.child(self.words(command) if command
                                   else self.target(), env)
                status = self.feed(alone)
                if status == SKIPPED and self.page.all('MAY-SKIP'):
                    raise Skip(last_line(alone.out))
                alone = (alone.out, alone.err, status)
                self.fresh()
        else:
            self.fresh()
        tracer = [self.tracer_path(name)]
        to_file = self.run.value('TRACE', 'file') == 'file' \
            and bool(command or attaching)
        trace = self.folder / '.trace'
        if to_file:
            tracer += ['-o', str(trace)]
        if attaching:
            return self.attached(tracer, options, env, alone, trace)
        run = self.child(tracer + self.words(options + command), env)
        status = self.feed(run)
        lines = trace.read_text(errors='replace').splitlines() \
            if to_file and trace.exists() else []
        says, err = messages(run.err, bool(command))
        if not to_file and command:
            lines, err = err.splitlines(), ''
        return self.verdict(alone, (run.out, err, status), lines, says,
                            status)

    def attached(self, tracer, options, env, alone, trace):
        subject = self.child(self.target(), env)
        followers = []

        def attach():
            follower = self.child(
                tracer + self.words(options, subject.pid), env)
            followers.append(follower)
            child.wait_attached(subject.pid, follower, self.limit)
        status = self.feed(subject, attach)
        follower = followers[0]
        ours = follower.wait()
        lines = trace.read_text(errors='replace').splitlines() \
            if trace.exists() else []
        says, err = messages(follower.err, True)
        faults = []
        if follower.out or err:
            faults = ['xtrace printed beside its trace:',
                      *(follower.out + err).splitlines()]
        return faults + self.verdict(
            alone, (subject.out, subject.err, status), lines, says, ours, 0)

    def script(self):
        tests = pathlib.Path(__file__).resolve().parent
        cases = self.page.path.resolve().parent
        env = {**self.env, 'XTRACE': str(self.context.xtrace),
               'CASE_DIR': str(self.folder),
               'PYTHONPATH': f'{tests}:{cases / "support"}',
               'PYTHONDONTWRITEBYTECODE': '1', 'TESTS': str(tests.parent),
               'CASES': str(cases),
               'BUILD_CACHE': str(self.context.cache),
               'CASE_LIMIT': str(self.limit),
               **{name: os.environ[name] for name in PASSED_ON
                  if name in os.environ},
               'SANITIZED': '1' if self.context.sanitized else ''}
        run = Child(self.target(), self.folder, env, self.limit)
        status = run.wait()
        if status == SKIPPED:
            raise Skip(last_line(run.out))
        faults = self.reports()
        if status:
            faults += [f'status {status}', *run.out.splitlines()[-OUTPUT:],
                       *run.err.splitlines()[-60:]]
        return faults

    # ---- judging ---------------------------------------------------------
    def reports(self):
        """The reports of the sanitizers."""
        out = []
        for path in sorted(self.log.parent.glob(self.log.name + '.*')):
            out += ['sanitizer:', *path.read_text(
                errors='replace').splitlines()[:60]]
            path.unlink()
        return out

    def plain(self, text):
        return text.replace(str(self.folder), 'DIR')

    def verdict(self, alone, traced, lines, says, status, default=None):
        """Compares with the untraced run and with the page."""
        run, faults = self.run, self.reports()
        lines = [self.plain(line) for line in lines]
        if alone:
            what = ['status'] if run.value('STATUS') is None else []
            if run.value('OUTPUT') != 'varies':
                what += ['stderr', 'stdout']
            for name in what:
                at = ['stdout', 'stderr', 'status'].index(name)
                if alone[at] != traced[at]:
                    faults += [f'{name} differs from the untraced run',
                               f'  untraced: {alone[at]!r:.2000}',
                               f'  traced:   {traced[at]!r:.2000}']
        wanted = run.value('STATUS')
        if wanted is None:
            wanted = default if default is not None else \
                (alone[2] if alone else 0)
        if int(wanted) != status:
            faults.append(f'exit status of xtrace: {status}, not {wanted}')
        told = [] if run.value('MESSAGES') == 'any' else expect.exact(
            run.block('SAYS') or [], [self.plain(line) for line in says])
        if told:
            faults += ['what xtrace says:', *told]
        if run.block('EXPECT') is not None:
            faults += expect.exact(run.block('EXPECT'), lines)
        if run.block('CONTAINS'):
            faults += expect.contains(run.block('CONTAINS'), lines)
        for line in run.block('ABSENT') or []:
            if expect.count(line, lines):
                faults.append(f'must not be in the trace: {line}')
        for many, line in run.counts:
            have = expect.count(line, lines)
            if have != many:
                faults += [f'{have} lines, not {many}, of: {line}',
                           '  in:', *('    ' + row for row
                                      in expect.clipped(lines, 40))]
        if faults:
            faults.insert(0, 'command: ' + shlex.join(self.run.command))
        return faults


def messages(err, subject):
    """Separates xtrace's messages from the subject's stderr."""
    if not subject:
        return err.splitlines(), ''
    says, rest, ours = [], [], False
    for line in err.splitlines(keepends=True):
        ours = line.startswith(SAYS) or (ours and line[:1].isspace())
        (says if ours else rest).append(line)
    return [line.rstrip('\n') for line in says], ''.join(rest)
