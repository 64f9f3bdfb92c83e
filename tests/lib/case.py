# SPDX-License-Identifier: GPL-2.0-or-later
"""What a case that is a script of its own works with.

    import case
    program = case.build('loop.c')          # a companion beside the script
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    subject.say('go')
    ...
    case.same(tracer.lines(), ['f(1) = 2'])
"""
import os
import pathlib
import re
import signal
import struct
import sys

import build as builder
import child
import expect
from child import Child, Failure
from page import Page
from runpage import messages

FOLDER = pathlib.Path(os.environ['CASE_DIR'])
HERE = pathlib.Path(os.environ['CASES'])
SUPPORT = HERE / 'support'  # programs, modules and data that are no cases
TESTS = pathlib.Path(os.environ['TESTS'])
XTRACE = os.environ['XTRACE']
SANITIZED = bool(os.environ['SANITIZED'])
PYTHON = '/usr/bin/python3'
AREA_MARK_MAGIC = 0x7874726163656472  # as in breakpoints/outlive/area.h
LIMIT = 0.7 * float(os.environ['CASE_LIMIT'])  # ends before the runner's
# The system calls in which programs wait for input: read, poll, select,
# pselect6, ppoll.
INPUT = {'0', '7', '23', '270', '271'}
ASAN = {name: os.environ[name] for name in ('ASAN_OPTIONS', 'UBSAN_OPTIONS')}


def until(condition, what, limit=LIMIT):
    """Waits for a state, as child.until does."""
    return child.until(condition, what, limit, FOLDER)


def fail(*lines):
    raise Failure('\n'.join(str(line) for line in lines))


def skip(reason):
    print(reason)
    sys.exit(77)


def need_root():
    if os.getuid():
        skip('needs root')


def build(name, folder=None, variant='', glibc=None):
    """Builds a program of support/, or the subject of another case in this
    folder, according to its header; returns the path of the program. glibc: a
    release of glibc that it runs with instead of the system's; raises
    glibc.Unavailable if it cannot be downloaded.
    """
    page = Page(SUPPORT / name if (SUPPORT / name).exists() else HERE / name)
    kind = builder.variants(page)[0]
    for row in page.all('VARIANT'):
        if variant and row.split()[0] == variant:
            kind = builder.Variant(row, kind.cc)
    if glibc:
        kind = builder.Variant('', kind.cc, glibc)
    folder = pathlib.Path(folder or FOLDER / pathlib.Path(name).stem)
    folder.mkdir(parents=True, exist_ok=True)
    return builder.make(page, kind, folder,
                        pathlib.Path(os.environ['BUILD_CACHE']))


def start(*command, env=None, limit=None, preexec=None):
    """Starts a program whose input and output the case controls."""
    return Child(command, FOLDER, {**ASAN, **(env or {})}, limit or LIMIT,
                 preexec)


class Tracer:
    """A running xtrace with its own trace."""
    count = 0

    def __init__(self, options, command=(), env=None, limit=None, to_file=True,
                 program=None, preexec=None):
        Tracer.count += 1
        self.path = FOLDER / f'trace.{Tracer.count}'
        self.to_file = to_file
        words = [program or XTRACE]
        if to_file:
            words += ['-o', self.path]
        words += options
        if command:
            words += ['--', *command]
        self.child = start(*words, env=env, limit=limit, preexec=preexec)
        self.pid = self.child.pid

    def lines(self):
        """The lines so far. As long as xtrace runs, the last line may be
        incomplete, and an incomplete line is left out."""
        if not self.to_file:
            return self.err().splitlines()
        alive = self.child.alive()
        if not self.path.exists():
            return []
        text = self.path.read_text(errors='replace')
        if alive and not text.endswith('\n'):
            text = text[:text.rfind('\n') + 1]
        return text.splitlines()

    def calls(self):
        """The lines without the thread column and without starts and ends."""
        out = []
        for line in self.lines():
            line = re.sub(r'^(\[pid +)?\d+\]? +', '', line)
            if not line.startswith(('+++', '---')):
                out.append(expect.normal(line))
        return out

    def says(self):
        return messages(self.child.err, True)[0]

    def err(self):
        return messages(self.child.err, True)[1]

    def send(self, number):
        self.child.signal(number)

    def wait(self, status=None):
        got = self.child.wait()
        if status is not None and got != status:
            fail(f'xtrace ended with {got}, not {status}', self.child.err,
                 *expect.clipped(self.lines(), 20))
        return got

    def leave(self, number=signal.SIGINT, status=0):
        """Makes xtrace leave, as ^C does, and waits for its end."""
        self.send(number)
        return self.wait(status)


def attach(subject, *options, env=None, limit=None, to_file=True):
    """Attaches to a running Child; returns when it is attached."""
    tracer = Tracer([*options, '-p', str(subject.pid)], env=env, limit=limit,
                    to_file=to_file)
    child.wait_attached(subject.pid, tracer.child, LIMIT)
    return tracer


def calls_of(pid):
    """thread id -> the number of the system call in which the thread blocks, or
    'running', or '-1' if it blocks outside of a system call; proc(5)."""
    found = {}
    for tid in child.threads(pid):
        try:
            with open(f'/proc/{pid}/task/{tid}/syscall') as file:
                found[tid] = file.read().split()[0]
        except OSError:
            pass  # the thread has ended meanwhile
    return found


def wait_for_input(pid):
    """Waits until the first thread of pid waits for input and no other thread
    runs. A program that has just printed a line does not wait for input yet,
    and may need long until then if it has to wait for a CPU."""
    def waits():
        calls = calls_of(pid)
        return calls.get(pid) in INPUT and \
            not {'running', '-1'} & set(calls.values())
    until(waits, f'{pid} waits for input')


def come_and_leave(subject, rounds):
    """Attaches to a running Child for some milliseconds, several times."""
    for number in range(rounds):
        tracer = Tracer(['-x', 'f', '-c', '--duration', f'{number % 6 + 1}ms',
                         '-p', str(subject.pid)])
        tracer.wait()
        true(subject.alive(), f'it lives, {number} times left')


def trace(*options, command=(), env=None, limit=None, to_file=True,
          preexec=None):
    """Starts a command under xtrace."""
    return Tracer(list(options), command, env, limit, to_file,
                  preexec=preexec)


def untraced(*command, env=None, feed=()):
    """Runs a program without xtrace: its status, stdout and stderr."""
    run = start(*command, env=env)
    for line in feed:
        run.say(line)
    status = run.wait()
    return status, run.out, run.err


def same(got, wanted, what='trace'):
    """Compares lines with expected lines (see expect.py)."""
    faults = expect.exact(list(wanted), list(got))
    if faults:
        fail(f'{what}:', *faults)


def contains(got, *wanted):
    faults = expect.contains(list(wanted), list(got))
    if faults:
        fail(*faults)


def equal(got, wanted, what):
    if got != wanted:
        fail(f'{what}: got {got!r}, expected {wanted!r}')


def true(condition, what):
    if not condition:
        fail(f'not true: {what}')


def count(got, wanted):
    return expect.count(wanted, got)


def finish(subject, status=0):
    """Waits for the subject's end, with the expected status."""
    got = subject.wait()
    if got != status:
        fail(f'the subject ended with {got}, not {status}', subject.out,
             subject.err)


def text_of(file):
    """(begin, end) in the ELF file of each executable segment; elf(5)."""
    file.seek(0)
    data = file.read(4096)
    wide = data[4] == 2  # EI_CLASS
    first, = struct.unpack_from('<Q' if wide else '<I', data, 32 if wide else 28)
    size, count = struct.unpack_from('<2H', data, 54 if wide else 42)
    out = []
    for at in range(first, first + count * size, size):
        if wide:
            kind, flags, begin, _, _, length = struct.unpack_from(
                '<2I4Q', data, at)
        else:
            kind, begin, _, _, length, _, flags = struct.unpack_from(
                '<7I', data, at)
        if kind == 1 and flags & 1:
            out.append((begin, begin + length))
    return out


def text_changes(pid, within=False):
    """Where the executable file mappings of pid differ from their files. Raises
    OSError if the process has ended.

    within: without the bytes between the end of a text and the end of its page.
    xtrace puts the code of an injected call there, and the code stays if xtrace
    is killed meanwhile (docs/SURVIVAL.md, "What a SIGKILL leaves").
    """
    out = []
    base = f'/proc/{pid}'
    with open(f'{base}/maps') as file:
        rows = [row.split(None, 5) for row in file]
    with open(f'{base}/mem', 'rb', buffering=0) as memory:
        for row in rows:
            if 'x' not in row[1] or len(row) < 6 or row[5][0] != '/':
                continue
            begin, end = (int(part, 16) for part in row[0].split('-'))
            offset = int(row[2], 16)
            with open(f'{base}/map_files/{begin:x}-{end:x}', 'rb') as file:
                file.seek(offset)
                there = file.read(end - begin)
                text = text_of(file) if within else [(0, 1 << 64)]
            memory.seek(begin)
            have = memory.read(len(there))
            if len(have) < len(there):
                raise ProcessLookupError(f'{pid} has ended, or its mapping of '
                                         f'{row[5].strip()}')
            for page in range(0, len(there), 4096):
                ours, theirs = (b[page:page + 4096] for b in (have, there))
                if ours == theirs:
                    continue
                out += [f'{row[5].strip()}+{place:#x}: '
                        f'{theirs[at]:02x} became {ours[at]:02x}'
                        for at, place in enumerate(
                            range(offset + page, offset + page + len(theirs)))
                        if theirs[at] != ours[at] and
                        any(first <= place < last for first, last in text)]
    return out


def wait_planted(pid, tracer, path=''):
    """Waits until a trap is in the text of pid, in the file with this path. The
    first trap is that in the dynamic linker; those of the program's own
    functions may come later."""
    until(lambda: any(change.startswith(str(path))
                      for change in text_changes(pid, within=True)) or
          not tracer.child.alive(), f'something is planted in {pid}')


def same_text(pid):
    """Checks that every byte of the program's text is the original one."""
    changes = text_changes(pid)
    if changes:
        fail('text differs from the file:', *expect.clipped(changes, 10))


def own_memory(pid):
    """Executable memory of pid that is not from a file: xtrace's, in most
    subjects.
    """
    with open(f'/proc/{pid}/maps') as file:
        rows = [row.split() for row in file]
    return [' '.join(row) for row in rows if 'x' in row[1] and len(row) < 6]


def data_areas(pid):
    """The addresses in pid at which memory of xtrace for data begins:
    anonymous memory with a mark at the end of a page
    (breakpoints/outlive/area.h).
    """
    found = set()
    with open(f'/proc/{pid}/maps') as file:
        rows = [row.split() for row in file]
    with open(f'/proc/{pid}/mem', 'rb', 0) as memory:
        for row in rows:
            begin, end = (int(part, 16) for part in row[0].split('-'))
            if len(row) >= 6 or row[1] != 'rw-p':
                continue
            for page in range(begin, end, 4096):
                memory.seek(page + 4080)
                try:
                    mark, start = struct.unpack('QQ', memory.read(16))
                except OSError:
                    break  # the memory was unmapped meanwhile
                if mark == AREA_MARK_MAGIC and begin <= start <= page:
                    found.add(start)
    return found


def end_children():
    """Ends our own processes; what is left after that is an error."""
    for pid, _ in child.strays(FOLDER):
        parent = child.status_field(f'/proc/{pid}/status', 'PPid')
        if parent == str(os.getpid()):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def main(test):
    """Runs test(); a Failure is printed, and nothing is left running."""
    status = 0
    try:
        test()
    except Failure as fault:
        print(fault)
        status = 1
    finally:
        end_children()
    # The runner does not know the sessions that this script has begun.
    left = child.end_strays(FOLDER)
    for pid, line in left:
        print(f'left behind: {pid} {line}')
    sys.exit(status or bool(left))
