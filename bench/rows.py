# SPDX-License-Identifier: GPL-2.0-or-later
"""The rows of the benchmark: each is a function that measures and prints."""
import os
import re
import time

from tools import Attached, Skip, median, stats_of, wait_until

ROWS = {}
CPU = 0  # where "same CPU" rows run
CALLS = 30000
PYTHON = '/usr/bin/python3'


def row(function):
    ROWS[function.__name__] = function
    return function


def loop(bench, which='int', calls=CALLS, library=None):
    return bench.subject('loop', which, calls, *([library] if library else []))


# ---- one traced call ---------------------------------------------------------
# On one CPU, the figure is the median of chunks of calls, because other work
# of the machine does not change it. If the scheduler chooses the CPU, the
# figure is the mean, which includes everything.
def ltrace(bench, calls=3000):
    # Without -L, ltrace would also trace the calls of printf() and others.
    return [bench.tool('ltrace'), '-o', bench.trace, '-L', '-x',
            'bench_int@libcalled.so', *loop(bench, calls=calls)]


def tracers(bench, cpu):
    """The cost of a call under each tracer, in ns, all else being equal."""
    measure = bench.mean if cpu is None else bench.typical
    commands = {
        'floor': [bench.subjects / 'floor', *loop(bench)],
        'floor -r': [bench.subjects / 'floor', '-r', *loop(bench)],
        'xtrace': bench.ours(['-x', 'bench_int'], loop(bench)),
        'xtrace -c': bench.ours(['-c', '-x', 'bench_int'], loop(bench)),
        'two bare stops': [bench.subjects / 'floor', '-b', *loop(bench)],
    }
    try:
        commands['ltrace'] = ltrace(bench)
    except Skip as skip:
        bench.say('ltrace', f'skipped: {skip}')
    return {name: lambda c=command: measure(c, cpu)
            for name, command in commands.items()}


@row
def call(bench):
    for cpu, where, faster in ((CPU, 'same CPU', 5), (None, 'scheduled', 10)):
        found = bench.rounds(tracers(bench, cpu))
        bench.ratio(found, 'xtrace', 'floor', 1.2 if cpu == CPU else None,
                    f'a call and its line, {where}')
        bench.ratio(found, 'xtrace -c', 'floor', 1.1 if cpu == CPU else None,
                    f'a call counted, {where}')
        for name in ('xtrace', 'xtrace -c'):
            bench.ratio(found, name, 'floor -r', None,
                        f'{name}, {where}, to a floor that reads whereto')
        if 'ltrace' in found:
            bench.ratio(found, 'ltrace', 'xtrace', ('>=', faster),
                        f'ltrace, {where}')
            bench.ratio(found, 'ltrace', 'floor', None,
                        f'ltrace, {where}, to the floor')
        for name in ('floor', 'floor -r'):
            bench.ratio(found, name, 'two bare stops', None,
                        f'the {name}, {where}')


# ---- one traced system call --------------------------------------------------
@row
def inside(bench):
    """Compares a call that is counted inside the program with one that is
    counted by a stub that is compiled in."""
    calls = 3000000
    found = bench.rounds({
        'counted inside': lambda: bench.typical(
            bench.ours(['-c', '--engine=agent', '-x', 'bench_int'],
                       loop(bench, calls=calls)), CPU),
        'by a stub': lambda: bench.typical(loop(bench, 'stub', calls), CPU),
        'not at all': lambda: bench.typical(loop(bench, calls=calls), CPU),
    })
    bench.ratio(found, 'counted inside', 'by a stub', 1.7,
                'a call counted inside, same CPU', '{:.2f}', 1, 'ns')
    bench.line(median(found['counted inside']) - median(found['not at all']),
               45, 'ns that this adds to a call', form='{:.1f}')


@row
def slow(bench):
    """What is added to a fast call if only slow calls are shown (--min-time).
    The fast call is left out inside the program. The number of calls that were
    left out is larger than the subject's number, because functions of SQLite
    call each other."""
    calls = 10000000
    command = bench.subject('sqlite', calls)
    options = ['--engine=agent', '--min-time', '1ms', '-x', 'sqlite3_*']
    inside = bench.stats(options, command, CPU)[1]['inside']
    found = bench.rounds({
        'left out': lambda: bench.typical(bench.ours(options, command), CPU),
        'not traced': lambda: bench.typical(command, CPU),
    })
    added = median(found['left out']) - median(found['not traced'])
    bench.line(added * calls / inside, 60, 'ns that --min-time 1ms adds to a '
               'fast call', f'{inside / 1e6:.1f} M calls left out inside',
               '{:.1f}')


@row
def kernel(bench):
    """The cost of tracing getppid(2), the shortest system call, with xtrace,
    strace and perf trace. They write to a file. perf trace does not stop the
    program, but may lose calls."""
    loop_of = loop(bench, 'system')
    commands = {
        'floor': [bench.subjects / 'callfloor', *loop_of],
        'xtrace -S': bench.ours(['-L', '-S'], loop_of),
        'xtrace -S -c': bench.ours(['-L', '-S', '-c'], loop_of),
    }
    for name, tool, options in (('strace', 'strace', []),
                                ('perf trace', 'perf', ['trace'])):
        try:
            commands[name] = [bench.tool(tool), *options, '-o', bench.trace,
                              *loop_of]
            bench.run([*commands[name][:-len(loop_of)], 'true'])
        except Skip as skip:
            commands.pop(name, None)
            bench.say(name, f'skipped: {skip}')
    for cpu, where in ((CPU, 'same CPU'), (None, 'scheduled')):
        measure = bench.mean if cpu is None else bench.typical
        found = bench.rounds({
            name: lambda c=command, m=measure, p=cpu: m(c, p)
            for name, command in commands.items()})
        target = 1.2 if cpu == CPU else None
        bench.ratio(found, 'xtrace -S', 'floor', target,
                    f'a system call and its line, {where}')
        bench.ratio(found, 'xtrace -S -c', 'floor', target,
                    f'a system call counted, {where}')
        for name in ('strace', 'perf trace'):
            if name in found:
                bench.ratio(found, name, 'xtrace -S', None,
                            f'{name}, {where}')


# ---- others ------------------------------------------------------------------
def gdb(bench, calls):
    script = bench.folder / 'gdb'
    script.write_text('set breakpoint pending on\n'
                      'set confirm off\n'
                      'dprintf bench_int, "%d\\n", $edi\n'
                      'run\n')
    return [bench.tool('gdb'), '-q', '-batch', '-x', script, '--args',
            *loop(bench, calls=calls)]


def uftrace(bench, calls):
    """uftrace hooks the PLT. Of the two functions, the subject calls only
    bench_string() through the PLT."""
    return [bench.tool('uftrace'), 'record', '--force', '--no-event', '-d',
            bench.folder / 'uftrace', *loop(bench, 'string', calls)]


def bpftrace(bench, calls):
    library = bench.subjects / 'libcalled.so'
    command = ' '.join(str(word) for word in loop(bench, calls=calls))
    return [bench.tool('bpftrace'), '-o', bench.trace, '-e',
            f'uretprobe:{library}:bench_int {{ printf("%d\\n", retval); }}',
            '-c', command]


def last_line(bench, command):
    """The last line of output, for a tracer that writes to the same place as
    the subject."""
    lines = re.findall(r'^[\d.]+ ([\d.]+)$', bench.run(command, CPU).stdout,
                       re.M)
    if not lines:
        raise Skip('the subject was not heard')
    return float(lines[-1])


@row
def others(bench):
    for name, tool, calls in (('gdb dprintf', gdb, 1000),
                              ('uftrace', uftrace, CALLS),
                              ('bpftrace', bpftrace, CALLS)):
        try:
            command = tool(bench, calls)
            found = bench.rounds({
                'xtrace': lambda: bench.typical(
                    bench.ours(['-x', 'bench_int'], loop(bench)), CPU),
                name: lambda c=command: last_line(bench, c)})
            bench.ratio(found, name, 'xtrace', None, f'{name}, same CPU')
        except Skip as skip:
            bench.say(name, f'skipped: {skip}')


# ---- where we run ------------------------------------------------------------
def per_call(figures):
    """Converts calls per second to nanoseconds."""
    return 1e9 / figures[0]


@row
def where(bench):
    """Compares xtrace, which moves to its tracee's CPU, with an xtrace whose
    sched_setaffinity(2) fails, so that it runs where the scheduler puts it."""
    deny = {'LD_PRELOAD': str(bench.subjects / 'deny.so')}
    traced = ['-x', 'bench_int']
    for name, subject, options, read in (
            ('one thread', loop(bench), traced, lambda f: f[0]),
            ('a thread that moves every 1000 calls', loop(bench, 'move'),
             traced, lambda f: f[0]),
            ('two processes on two CPUs', loop(bench, 'pair', CALLS // 3),
             ['-f', *traced], lambda f: f[0]),
            ('2 threads', bench.subject('threads', 2, 0.4), traced, per_call),
            ('64 threads', bench.subject('threads', 64, 0.4), traced,
             per_call)):
        command = bench.ours(options, subject)
        found = bench.rounds({
            'following': lambda c=command, r=read: r(bench.figures(c)),
            'left alone': lambda c=command, r=read: r(
                bench.figures(c, env=deny))}, 11)
        bench.ratio(found, 'following', 'left alone', 1.05,
                    f'where we run, {name}')


# ---- system calls ------------------------------------------------------------
@row
def syscalls(bench):
    prototypes = bench.folder / 'bench.conf'
    prototypes.write_text('int bench_int(int);\nint bench_string(string);\n')
    for which, target in (('int', 9.1), ('string', 10.1)):
        options = ['-F', prototypes, '-x', f'bench_{which}']
        found = [bench.stats(options, loop(bench, which, 200000))[1]['a call']
                 for _ in range(5)]
        bench.line(median(found), target, 'system calls a call, '
                   f'one {which}, a million calls')
    bench.line(stepping(bench), 0, 'PTRACE_SINGLESTEP in 5000 calls',
               form='{:.0f}')


def stepping(bench):
    """The tracers attach, because xtrace cannot trace a process that strace
    traces."""
    log = bench.folder / 'strace'
    before = [bench.tool('strace'), '-f', '-qq', '-e', 'trace=ptrace', '-o',
              log]
    with Attached(bench, loop(bench, 'int', 5000), ['-x', 'bench_int'],
                  before=before) as run:
        run.go()
    text = log.read_text()
    if text.count('PTRACE_CONT') < 10000:
        raise Skip('strace saw too little')
    return text.count('SINGLESTEP')


# ---- calls that are not shown --------------------------------------------------
@row
def filtered(bench):
    """The calls that libcaller.so makes are traced. It has no PLT, so the trap
    is at the entry of bench_int(), where calls from elsewhere are filtered
    out. If the program's own gate is watched, too, each call of the program
    hits both traps.
    """
    command = loop(bench, library=bench.subjects / 'libcaller.so')
    watched = ['-e', 'bench_int@libcaller.so']
    gate = ['-e', 'bench_int@MAIN']
    options = {'nothing': ['-x', 'nothing'], 'gate': gate,
               'filtered': watched, 'both': [*gate, *watched],
               'by a check': ['--engine=agent', *watched]}
    found = bench.rounds({
        name: lambda o=given: bench.typical(bench.ours(o, command), CPU)
        for name, given in options.items()})
    traced = found['gate']
    found['by the return address'] = found['filtered']
    found['the second hit'] = [both - one for both, one
                               in zip(found['both'], traced)]
    found['traced'] = traced
    for name in ('by the return address', 'the second hit'):
        bench.ratio(found, name, 'traced', 0.5, f'filtered out, {name}')
    bench.ratio(found, 'by a check', 'traced', 0.002,
                'filtered out, by a check in the program')
    added = [one - none for one, none
             in zip(found['by a check'], found['nothing'])]
    bench.line(median(added), 6,
               'nanoseconds that a check in the program adds')


# ---- loops -------------------------------------------------------------------
@row
def head(bench):
    """If a loop's first instruction is a return address, every turn hits it.
    """
    rounds, turns = 10, 1000000
    command = bench.subject('head', rounds, turns)
    stops = bench.stats(['-x', 'bench_int'], command)[1]['stops']
    bench.line(stops.get('trap', 0) / rounds, 40, "stops in a loop of a "
               "million turns whose head is a call's return address",
               form='{:.0f}')


@row
def quiet(bench):
    """If nothing is traced in the hot path, there is no stop and no
    difference."""
    command = loop(bench, 'quiet', 200000000)
    ours = bench.ours(['-x', 'bench_int'], command)
    stops = [sum(bench.stats(['-x', 'bench_int'], loop(bench, 'quiet', calls))
                 [1]['stops'].values()) for calls in (1000, 200000000)]
    bench.line(stops[1] - stops[0], 0, 'stops in a hot path with no traced '
               'call', form='{:.0f}')
    found = bench.rounds({'under xtrace': lambda: bench.typical(ours),
                          'alone': lambda: bench.typical(command)}, 11)
    bench.ratio(found, 'under xtrace', 'alone', 1.01,
                'its time', '{:.3f}', 1, 'ns')


@row
def tracee(bench):
    """xtrace must not change the tracee's CPUs, policy and priority."""
    command = bench.subject('tracee')
    different = 0
    for cpu in (None, CPU):
        alone = bench.run(command, cpu).stdout
        different += bench.run(bench.ours(['-x', 'bench_int'], command),
                               cpu).stdout != alone
    bench.line(different, 0, "changes of the tracee's CPUs, policy, priority",
               form='{:.0f}')


# ---- many --------------------------------------------------------------------
@row
def threads(bench):
    def run(count):
        return lambda: bench.figures(bench.ours(
            ['-x', 'bench_int'], bench.subject('threads', count, 0.6)))
    found = bench.rounds({1: run(1), 64: run(64)})
    rates = {count: [rate for rate, _ in figures]
             for count, figures in found.items()}
    rates = {'64 threads': rates[64], 'one': rates[1]}
    bench.ratio(rates, '64 threads', 'one', ('>=', 0.9),
                'calls a second of 64 threads', scale=1e-3, unit='k/s')
    bench.line(median([least for _, least in found[64]]), ('>=', 0.5),
               'the thread with the fewest calls, of the mean of 64')


@row
def sites(bench):
    """The CPU time of xtrace and its subject when all of a library is traced,
    minus the time when one function of another library is traced. Both include
    reading the prototypes.
    """
    nothing = ['-x', 'getpid@libc.so.6']
    for count in (2000, 20000, 200000):
        library = bench.subjects / f'libmany{count}.so'
        command = bench.subject('opens', library)
        every = bench.ours(['-x', f'*@libmany{count}.so'], command)
        none = bench.ours(nothing, command)
        found = bench.rounds({
            'every': lambda c=every: bench.processor(c, CPU),
            'none': lambda c=none: bench.processor(c, CPU)})
        each = [(a - b) * 1e3 / count
                for a, b in zip(found['every'], found['none'])]
        bench.line(median(each), 1.5, f'us a site of {count}',
                   f'{median(found["every"]):.1f} ms, '
                   f'{median(found["none"]):.1f} ms for one of another')
    few, many = (bench.ours(
        ['-x', 'bench_int', '-x', f'*@libmany{count}.so'],
        loop(bench, library=bench.subjects / f'libmany{count}.so'))
        for count in (2000, 200000))
    found = bench.rounds({'of 200000': lambda: bench.typical(many, CPU),
                          'of 2000': lambda: bench.typical(few, CPU)})
    bench.ratio(found, 'of 200000', 'of 2000', 1.05,
                "a hit's cost by the number of sites")


# ---- the loader --------------------------------------------------------------
@row
def dlopen(bench):
    """The cost of one more dlopen, the thousand-and-first."""
    name = bench.subjects / 'modules' / '#'
    run = {count: bench.stats(['-x', 'bench_int'],
                              bench.subject('opens', name, count))
           for count in (1000, 1001)}
    less, more = run[1000][1], run[1001][1]
    bench.line(sum(more['stops'].values()) - sum(less['stops'].values()), 2,
               'stops for a dlopen with 1000 modules loaded', form='{:.0f}')
    bench.line(more['reads'] - less['reads'], 8,
               "reads of the tracee for it (the list's tail)", form='{:.0f}')
    for what, command, greeting in (
            ('of 100 that are loaded', bench.subject('opens', name, 100),
             False),
            ('of 20 processes one after the other',
             ['/bin/sh', '-c', 'echo; read x; for i in 1 2 3 4 5 6 7 8 9 10 '
              '11 12 13 14 15 16 17 18 19 20; do /bin/true; done'], True)):
        bench.line(files_read(bench, command, greeting), 1,
                   f'times that a file {what} is read', form='{:.0f}')
    alone = bench.subject('opens', name, 1001)
    found = bench.rounds({
        'under xtrace': lambda: bench.mean(
            bench.ours(['-x', 'bench_int'], alone), CPU),
        'alone': lambda: bench.mean(alone, CPU)})
    bench.ratio(found, 'under xtrace', 'alone', None, 'its time')


def files_read(bench, command, greeting):
    """How often xtrace reads the start of one ELF file, at most. For native
    frames, libelf reads the header of a module (64 bytes) once more.
    """
    log = bench.folder / 'strace'
    with Attached(bench, command, ['-f', '-x', 'bench_int'], greeting=greeting,
                  before=[bench.tool('strace'), '-f', '-qq', '-y', '-e',
                          'trace=pread64', '-o', log]) as run:
        run.go()
    counts = {}
    for path, length in re.findall(
            r'pread64\(\d+<(/[^>]*)>, .*, (\d+), 0\) = \d',
            log.read_text()):
        if int(length) > 64:
            counts[path] = counts.get(path, 0) + 1
    counts = {path: count for path, count in counts.items()
              if '.so' in path or path.startswith(('/bin', '/usr/bin'))}
    if not counts:
        raise Skip('strace saw no file')
    return max(counts.values())


# ---- beginnings ----------------------------------------------------------------
@row
def start(bench):
    true = ['/bin/true']
    ours = bench.ours(['-x', 'nothing'], true)
    found = bench.rounds({'ours': lambda: bench.wall(ours),
                          'true': lambda: bench.wall(true)}, 11)
    more = [a - b for a, b in zip(found['ours'], found['true'])]
    bench.line(median(more), 15, 'ms that xtrace -x nothing true takes more',
               f'true {median(found["true"]):.1f} ms')
    whole(bench, true, [], 12)
    whole(bench, ['/bin/ls', '/'], ['-w', '5', '-e', 'getenv'], 30)
    php = [bench.tool('php'), '-r', '1;']
    found = bench.rounds({
        'sql': lambda: bench.processor(bench.ours(['--sql'], php)),
        'php': lambda: bench.processor(php)}, 11)
    more = [a - b for a, b in zip(found['sql'], found['php'])]
    bench.line(median(more), 20, 'ms of CPU that xtrace --sql php -r 1 takes more',
               f'php {median(found["php"]):.1f} ms')


def whole(bench, command, options, target):
    """The CPU time of tracer and command from the start to the end, which is
    the time that passes if nothing else runs; beside ltrace and strace.
    """
    commands = {
        'ours': bench.ours(options, command),
        'ltrace': [bench.tool('ltrace'), '-o', bench.trace, '-e', 'getenv',
                   *command],
        'strace': [bench.tool('strace'), '-o', bench.trace, *command],
        'alone': command}
    found = bench.rounds({name: lambda c=given: bench.processor(c)
                          for name, given in commands.items()}, 11)
    others = ', '.join(f'{name} {median(found[name]):.1f} ms'
                       for name in ('ltrace', 'strace', 'alone'))
    said = ' '.join([*options, *command])
    bench.line(median(found['ours']), target, f'ms of CPU of xtrace {said}', others)


QUERIES = '''
import ctypes, glob, os, sqlite3, sys, time
held = []
for name in sorted(glob.glob('/usr/lib/python3*/lib-dynload/*.so')):
    try:
        __import__(os.path.basename(name).split('.')[0])
    except ImportError:
        pass
def modules():
    with open('/proc/self/maps') as maps:
        return len({line.split()[5] for line in maps if '.so' in line})
i = 0
while modules() < 150:
    held.append(ctypes.CDLL(f'%s/{i}.so'))
    i += 1
base = sqlite3.connect(':memory:', isolation_level=None)
print(modules(), flush=True)
sys.stdin.readline()
end = time.monotonic() + 1
while time.monotonic() < end:
    base.execute('SELECT 1 + 1').fetchall()
    time.sleep(0.001)
'''


@row
def attach(bench):
    script = bench.folder / 'queries.py'
    script.write_text(QUERIES % (bench.subjects / 'modules'))
    in_all, at_a_time, count = [], [], 0
    for _ in range(bench.runs):
        with Attached(bench, [PYTHON, script], ['--stats', '-x', 'sqlite3_*'],
                      greeting=True) as run:
            count = int(run.greeting)
            run.go()
        stats = stats_of(run.said)
        if stats['calls'] < 1000:
            raise Skip(f'only {stats["calls"]:.0f} calls were seen')
        in_all.append(stats['held'])
        at_a_time.append(stats['held at a time'])
    bench.line(median(in_all), 10, f'ms that python3 with {count} modules is '
               'held to be attached to', f'at most {max(in_all):.2f}')
    bench.line(median(at_a_time), 3, 'ms of them at a time',
               f'at most {max(at_a_time):.2f}')


# ---- memory ----------------------------------------------------------------------
def kilobytes(pid, key):
    with open(f'/proc/{pid}/status', encoding='ascii') as status:
        return int(re.search(rf'^{key}:\s+(\d+)', status.read(), re.M)[1])


def own(pid):
    """Private memory, exactly: /proc/PID/status uses counters per CPU, which
    are wrong by some dozens of pages.
    """
    with open(f'/proc/{pid}/smaps_rollup', encoding='ascii') as rollup:
        return int(re.search(r'^Anonymous:\s+(\d+)', rollup.read(), re.M)[1])


def while_it_calls(run):
    """The private memory of xtrace at several moments, from half a second after
    the first calls until the subject ends."""
    time.sleep(0.5)
    figures = []
    while run.subject.poll() is None:
        figures.append(own(run.tracer.pid))
        time.sleep(0.2)
    # The last figure may have been read after the subject had ended.
    return figures[:-1] or figures


@row
def memory(bench):
    script = bench.folder / 'idle.py'
    script.write_text('import sys\nprint("here", flush=True)\n'
                      'sys.stdin.readline()\n'
                      'sys.stdin.readline()\n')
    figures = []
    for _ in range(5):
        with Attached(bench, [PYTHON, script], ['-x', '*@libc.so.6'],
                      greeting=True) as run:
            run.subject.stdin.write('\n')
            run.subject.stdin.flush()
            wait_until(lambda r=run: os.path.getsize(bench.trace) > 0)
            figures.append(kilobytes(run.tracer.pid, 'VmHWM') / 1024)
            run.go()
    bench.line(median(figures), 40, 'MiB of xtrace for python3 with all of libc')
    grown = []
    on_one = ['taskset', '-c', CPU]
    for _ in range(3):
        with Attached(bench, [*on_one, *loop(bench, 'int', 1000000)],
                      ['-c', '-x', 'bench_int'], before=on_one) as run:
            run.tell()
            figures = while_it_calls(run)
            grown.append(max(figures) - figures[0])
            run.go()
    bench.line(max(grown), 0, 'KiB that a million calls add', form='{:.0f}')
