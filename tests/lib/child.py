# SPDX-License-Identifier: GPL-2.0-or-later
"""Programs that a test starts: with a time limit, and none left behind.

Every program of a case has XTRACE_CASE=FOLDER in its environment, which
identifies it wherever it is. A program that writes its own title over its
environment (starman, php-fpm) is identified by its session, which begins with a
Child, or by its current folder. Nothing here sleeps for a fixed time: tests wait
for a line of output or for a state, with a limit after which they fail.
"""
import os
import pathlib
import selectors
import signal
import subprocess
import time

import hung

MARK = 'XTRACE_CASE'
CLEAN = {'PATH': '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
         'LC_ALL': 'C.UTF-8', 'HOME': '/nonexistent', 'TZ': 'UTC'}
WAITS = {'61', '247'}  # system calls wait4 and waitid
WAITID, ONE_ONLY = '247', '0x1'  # waitid(P_PID): attach awaits one thread
# A tracer is at rest if ten looks in a row find it so, or at least three looks
# that have taken more than a second.
LOOKS, LOOKS_LEAST, LOOKED_LONG = 10, 3, 1
# The clock of xtrace wakes its threads each second, also at rest. This causes
# at most so many context switches.
SWITCHES_A_SECOND = 4
# Seconds in which processes that are about to end must have ended, if no thread
# of the machine waits for a CPU.
STRAYS_LIMIT = 3


# Of the programs that we started: {session id: (case folder, subprocess.Popen)}
SESSIONS = {}


class Failure(Exception):
    pass


def environment(folder, extra=None):
    env = dict(CLEAN)
    for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS', 'LSAN_OPTIONS'):
        if name in os.environ:
            env[name] = os.environ[name]
    env[MARK] = str(folder)
    env['TMPDIR'] = str(folder)
    env.update(extra or {})
    return env


def shell_status(code):
    return 128 - code if code < 0 else code


class Child:
    """A program whose output is collected while it runs."""

    def __init__(self, command, folder, env=None, limit=20, preexec=None):
        self.command = [str(word) for word in command]
        self.folder = folder
        self.deadline = time.monotonic() + limit
        self.output = {'out': b'', 'err': b''}
        self.seen = 0
        self.popen = subprocess.Popen(
            self.command, cwd=folder, env=environment(folder, env),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
            preexec_fn=preexec)
        self.pid = self.popen.pid
        SESSIONS[self.pid] = str(folder), self.popen
        self.selector = selectors.DefaultSelector()
        for name in ('out', 'err'):
            stream = getattr(self.popen, 'std' + name)
            os.set_blocking(stream.fileno(), False)
            self.selector.register(stream, selectors.EVENT_READ, name)

    def _pump(self, wait):
        for key, _ in self.selector.select(wait):
            data = os.read(key.fd, 1 << 16)
            if data:
                self.output[key.data] += data
            else:
                self.selector.unregister(key.fileobj)

    @property
    def out(self):
        return self.output['out'].decode(errors='replace')

    @property
    def err(self):
        return self.output['err'].decode(errors='replace')

    def alive(self):
        return self.popen.poll() is None

    def _late(self, doing):
        if time.monotonic() < self.deadline:
            return
        where = processes_of(self.folder)
        self.kill()
        self.popen.wait()
        raise Failure(f'time is up {doing}: {" ".join(self.command)}\n{where}\n'
                      f'stdout so far:\n{self.out[-1500:]}\n'
                      f'stderr so far:\n{self.err[-1500:]}')

    def wait_for(self, text, stream='out'):
        """Waits for a new complete line of the stream that contains text;
        returns it.
        """
        while True:
            data = self.output[stream]
            end = data.find(b'\n', self.seen)
            while end >= 0:
                line = data[self.seen:end].decode(errors='replace')
                self.seen = end + 1
                if text in line:
                    return line
                end = data.find(b'\n', self.seen)
            if not self.selector.get_map():
                # The program may have ended although its pipe has not: a
                # grandchild may hold the pipe.
                if self.output[stream] == data:
                    raise Failure(f'{self.command[0]} ended before it said '
                                  f'{text!r}:\n{self.out}{self.err}')
            self._late(f'waiting for {text!r}')
            self._pump(0.05)

    def say(self, line='go'):
        try:
            self.popen.stdin.write(line.encode() + b'\n')
            self.popen.stdin.flush()
        except BrokenPipeError:
            pass

    def close_input(self):
        try:
            self.popen.stdin.close()
        except BrokenPipeError:
            pass

    def signal(self, number):
        os.kill(self.pid, number)

    def kill(self):
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def wait(self):
        """Waits for the program's end; returns its status as a shell does."""
        self.close_input()
        while self.alive():
            self._pump(0.02)
            self._late('waiting for its end')
        # A grandchild may hold the pipes: read what is there, and no more.
        while True:
            before = sum(map(len, self.output.values()))
            self._pump(0)
            if not self.selector.get_map() \
                    or sum(map(len, self.output.values())) == before:
                break
        for stream in (self.popen.stdout, self.popen.stderr):
            stream.close()
        self.selector.close()
        return shell_status(self.popen.returncode)


def until(condition, what, limit=20, folder=None):
    """Waits for a state; the time is only a limit. folder: of the case, to tell
    where its processes are if the state does not come."""
    deadline = time.monotonic() + limit
    while True:
        got = condition()
        if got:
            return got
        if time.monotonic() > deadline:
            where = processes_of(folder) if folder else ''
            raise Failure(f'never came true: {what}\n{where}'.rstrip())
        time.sleep(0.005)


def status_fields(path, *names):
    """The values of a status file, read once; None if it does not exist. The
    name of a process may be any bytes."""
    try:
        text = pathlib.Path(path).read_text(errors='replace')
    except OSError:
        return [None] * len(names)
    fields = dict(line.partition(':')[::2] for line in text.splitlines())
    return [fields[name].strip() if name in fields else None
            for name in names]


def status_field(path, name):
    return status_fields(path, name)[0]


def threads(pid):
    try:
        return sorted(int(name) for name in os.listdir(f'/proc/{pid}/task'))
    except OSError:
        return []


def children(pid):
    """The children of all threads of a process. The process, its threads and
    its children may end meanwhile."""
    found = []
    for tid in threads(pid):
        try:
            found += map(int, pathlib.Path(
                f'/proc/{pid}/task/{tid}/children').read_text().split())
        except OSError:
            pass
    return found


def _quiet(pid, tracer):
    """The state of an attached tracer at rest, or None: the call in which each
    of its threads is, and the number of their context switches.

    At rest, every thread is traced and none is stopped, and the tracing thread
    is in its wait. The switches tell the caller whether that thread was in
    its wait all the time between two calls of this function.
    """
    tracing = {str(tid) for tid in threads(tracer)}
    for tid in threads(pid):
        by, state = status_fields(f'/proc/{pid}/task/{tid}/status',
                                  'TracerPid', 'State')
        if by not in tracing or (state or 't')[0] in 'tT':
            return None
    calls, switches = {}, 0
    for tid in tracing:
        base = f'/proc/{tracer}/task/{tid}'
        try:
            call, *rest = pathlib.Path(base + '/syscall').read_text().split()
        except OSError:
            return None
        if call == 'running' or (call == WAITID and rest[0] == ONE_ONLY):
            return None
        calls[tid] = call
        switches += int(status_field(base + '/status',
                                     'voluntary_ctxt_switches') or 0)
    return (calls, switches) if WAITS & set(calls.values()) else None


def _of_clock(seconds):
    """The most context switches that the clock of xtrace causes in this time.
    In a time of up to 0.5 s none is allowed, so that brief looks are strict."""
    return SWITCHES_A_SECOND * (int(seconds) + 1) if seconds > 0.5 else 0


def wait_attached(pid, tracer, limit=20):
    """Waits until the tracer (a Child) is attached to pid and at rest. With
    many threads the looks take longer than a second, and xtrace's clock wakes
    xtrace in this time."""
    first, since, looks = None, 0, 0

    def at_rest():
        nonlocal first, since, looks
        tracer._pump(0)
        if not tracer.alive():
            raise Failure('the tracer ended while attaching:\n'
                          f'{tracer.out}{tracer.err}')
        state, now = _quiet(pid, tracer.pid), time.monotonic()
        if not state or not first or state[0] != first[0] or \
                state[1] - first[1] > _of_clock(now - since):
            first, since, looks = state, now, 0
            return False
        looks += 1
        return looks >= LOOKS or \
            (looks >= LOOKS_LEAST and now - since > LOOKED_LONG)
    until(at_rest, f'{" ".join(tracer.command)} is attached to {pid}', limit,
          tracer.folder)


def session(pid):
    """The id of the session; proc(5)."""
    text = pathlib.Path(f'/proc/{pid}/stat').read_bytes()
    return int(text.rpartition(b')')[2].split()[3])


def _in_our_session(pid, folder):
    """Is the process in the session of a program that we started for the case?
    When the last process of a session has ended, its number may be given to
    another program. Then a process has this number, after our program has ended.
    """
    number = session(pid)
    case, popen = SESSIONS.get(number, (None, None))
    return case == str(folder) and \
        (popen.returncode is None or not os.path.exists(f'/proc/{number}'))


def _belongs(pid, folder):
    mark = f'{MARK}={folder}'.encode()
    env = pathlib.Path(f'/proc/{pid}/environ').read_bytes()
    if mark in env.split(b'\0') or _in_our_session(pid, folder):
        return True
    here = pathlib.Path(os.readlink(f'/proc/{pid}/cwd'))
    return pathlib.Path(folder) in (here, *here.parents)


def strays(folder):
    """Processes that a case has left behind: pid and command line."""
    found = []
    for name in os.listdir('/proc'):
        if not name.isdigit() or int(name) == os.getpid():
            continue
        try:
            if not _belongs(int(name), folder):
                continue
            state = status_field(f'/proc/{name}/status', 'State') or 'Z'
            if state[0] == 'Z':
                continue
            line = pathlib.Path(f'/proc/{name}/cmdline').read_bytes()
        except OSError:
            continue
        found.append((int(name), line.replace(b'\0', b' ').decode(
            errors='replace').strip()))
    return found


def processes_of(folder):
    """Where the processes of a case are."""
    return '\n'.join(hung.tell(pid for pid, _ in strays(folder)))


def end_strays(folder, limit=STRAYS_LIMIT):
    """Ends the programs that were left behind. Returns their pids and
    commands.

    A process that is about to end (xtrace's watcher) gets time for it, and
    more if threads wait for the CPUs.
    """
    waiting = max(1, os.getloadavg()[0] / os.cpu_count())
    try:
        until(lambda: not strays(folder), 'nothing is left', limit * waiting)
        return []
    except Failure:
        left = strays(folder)
    for pid, _ in left:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    return left
