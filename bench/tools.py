# SPDX-License-Identifier: GPL-2.0-or-later
"""What the benchmark's rows share: running tracers, medians, the table."""
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import tempfile
import time

LIMIT = 120  # seconds, for any one program


class Skip(Exception):
    pass


class Bench:
    def __init__(self, build, xtrace, runs):
        self.build = build
        self.subjects = build / 'bench'
        self.xtrace = xtrace or build / 'xtrace'
        self.runs = runs
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix='xtrace-bench-'))
        self.trace = self.folder / 'trace'
        self.lines = self.met = self.missed = 0

    # ---- programs ----------------------------------------------------------
    def subject(self, name, *words):
        return [self.subjects / name, *words]

    def ours(self, options, command):
        return [self.xtrace, '-o', self.trace, *options, *command]

    def tool(self, name):
        path = shutil.which(name)
        if not path:
            raise Skip(f'{name} is not installed')
        return path

    def run(self, command, cpu=None, env=None, limit=LIMIT):
        """Runs the program to its end, on one CPU or left to the scheduler."""
        command = [str(word) for word in command]
        if cpu is not None:
            command = ['taskset', '-c', str(cpu), *command]
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, timeout=limit, check=False,
            cwd=self.folder, env={**os.environ, **(env or {})})
        if done.returncode != 0:
            raise Skip(f'{" ".join(command)} answers {done.returncode}: '
                       f'{done.stderr.strip()[-200:]}')
        return done

    def figures(self, command, cpu=None, **more):
        """Runs a subject; returns the numbers that it prints."""
        return [float(word) for word in
                self.run(command, cpu, **more).stdout.split()]

    def mean(self, command, cpu=None, **more):
        return self.figures(command, cpu, **more)[0]

    def typical(self, command, cpu=None, **more):
        """The median of a call's times: the subject times its calls in
        chunks, and prints it."""
        return self.figures(command, cpu, **more)[1]

    def stats(self, options, command, cpu=None):
        """The subject's output, and xtrace's --stats as a dictionary."""
        done = self.run(self.ours(['--stats', *options], command), cpu)
        return done.stdout, stats_of(done.stderr)

    def wall(self, command, cpu=None):
        """Runs the command; returns the milliseconds from its start to its
        end."""
        start = time.perf_counter()
        self.run(command, cpu)
        return (time.perf_counter() - start) * 1e3

    def processor(self, command, cpu=None):
        """Milliseconds of CPU time, of the process and of the children it
        waits for.
        """
        command = [str(word) for word in command]
        if cpu is not None:
            command = ['taskset', '-c', str(cpu), *command]
        with subprocess.Popen(
                command, stdin=subprocess.DEVNULL, cwd=self.folder,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            raise Skip(f'{" ".join(command)} answers {child.returncode}')
        return (usage.ru_utime + usage.ru_stime) * 1e3

    # ---- rounds ------------------------------------------------------------
    def rounds(self, measures, runs=None):
        """Runs all of the functions in turn, `runs` times: {name: [figures]}.
        """
        found = {name: [] for name in measures}
        for i in range(runs or self.runs):
            # The order is reversed in each round, so that no program always
            # runs right after the same other program.
            for name in (list(measures) if i % 2 else reversed(measures)):
                found[name].append(measures[name]())
        return found

    # ---- the table ---------------------------------------------------------
    def head(self):
        print(f'{"figure":>9}  {"target":>9}  {"met":3}  what')

    def line(self, figure, target, what, detail='', form='{:.2f}'):
        """target: None, or a number that figure must not exceed, or ('>=',
        number).
        """
        met, text = '', ''
        if target is not None:
            least = isinstance(target, tuple)
            bound = target[1] if least else target
            good = figure >= bound if least else figure <= bound
            met = 'yes' if good else 'NO'
            text = f'{">=" if least else "<="} {bound:g}'
            self.met += good
            self.missed += not good
        self.lines += 1
        print(f'{form.format(figure):>9}  {text:>9}  {met:3}  {what}'
              f'{": " if detail else ""}{detail}', flush=True)

    def say(self, what, detail):
        print(f'{"-":>9}  {"":>9}  {"":3}  {what}: {detail}', flush=True)

    def ratio(self, found, above, below, target, what, form='{:.2f}',
              scale=1e-3, unit='us'):
        """The median of the rounds' ratios, followed by both medians."""
        ratios = [a / b for a, b in zip(found[above], found[below])]
        detail = (f'{above} {median(found[above]) * scale:.4g} {unit}, '
                  f'{below} {median(found[below]) * scale:.4g} {unit}')
        self.line(median(ratios), target, what, detail, form)


def median(figures):
    return statistics.median(figures)


def stats_of(text):
    """Returns the numbers that xtrace --stats has printed, by name."""
    def number(pattern):
        match = re.search(pattern, text)
        return float(match.group(1)) if match else 0.0
    stops = re.search(r'stops:(.*)', text)
    by_kind = re.findall(r'([a-z-]+) (\d+)', stops.group(1) if stops else '')
    return {
        'stops': {kind: int(count) for kind, count in by_kind},
        'a call': number(r'([\d.]+) a call'),
        'reads': number(r'(\d+) reads'),
        'waits': number(r'(\d+) waits'),
        'ptraces': number(r'(\d+) ptrace'),
        'calls': number(r'calls traced: (\d+)'),
        'planted': number(r'planted: (\d+)'),
        'inside': number(r'inside the programs: (\d+)'),
        'held': number(r'held at attach: ([\d.]+) ms'),
        'held at a time': number(r'in all, ([\d.]+) ms'),
    }


class Attached:
    """A subject that waits for a line, with xtrace attached to it; go() sends
    the line and waits for both to end.
    """

    def __init__(self, bench, command, options, before=(), greeting=False):
        self.bench = bench
        self.command = [str(word) for word in command]
        self.options = options
        self.before = before
        self.wants_greeting = greeting
        self.greeting = self.said = self.heard = ''
        self.told = False

    def __enter__(self):
        # Subjects of bench/subject.h wait until the traps are planted, as with
        # bench/floor.
        env = dict(os.environ)
        if not self.wants_greeting:
            env['BENCH_SUBJECT_SAYS'] = '2 0'
        self.subject = subprocess.Popen(
            self.command, env=env, text=True, cwd=self.bench.folder,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        if self.wants_greeting:
            self.greeting = self.subject.stdout.readline().strip()
        else:
            self.subject.stderr.buffer.read(24)
        words = [*self.before, *self.bench.ours(
            [*self.options, '-p', self.subject.pid], [])]
        self.tracer = subprocess.Popen(
            [str(word) for word in words], cwd=self.bench.folder, text=True,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        wait_until(self.attached)
        return self

    def attached(self):
        if self.tracer.poll() is not None:
            raise Skip('xtrace ended: ' + self.tracer.stderr.read()[-200:])
        # xtrace first seizes the subject and later plants its traps. When
        # everything is planted, it waits for a stop.
        tracer = tracer_of(self.subject.pid)
        return tracer != 0 and in_waitid(tracer)

    def tell(self):
        self.told = True
        self.subject.stdin.write('\n')
        self.subject.stdin.flush()

    def go(self):
        if not self.told:
            self.tell()
        self.heard, _ = self.subject.communicate(timeout=LIMIT)
        _, self.said = self.tracer.communicate(timeout=LIMIT)

    def __exit__(self, *_):
        for process in (self.subject, self.tracer):
            if process.poll() is None:
                process.kill()
                process.wait()


def tracer_of(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as status:
        return int(re.search(r'TracerPid:\s+(\d+)', status.read())[1])


def in_waitid(tid):
    try:
        with open(f'/proc/{tid}/syscall', encoding='ascii') as file:
            return file.read().split()[0] == '247'
    except (OSError, IndexError):
        return False


def wait_until(condition, limit=20):
    end = time.monotonic() + limit
    while not condition():
        if time.monotonic() > end:
            raise Skip('nothing happened')
        time.sleep(0.005)
