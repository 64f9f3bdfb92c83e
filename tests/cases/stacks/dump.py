#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace --dump prints the stack of every thread, once. Threads that block in
a system call which the kernel would not restart are not stopped, and no thread
notices anything.

TIMEOUT: 90
"""
import json
import pathlib
import re
import signal

import jsonschema

import case

HEAD = re.compile(r'thread (\d+)(?: of (\d+))? \((.*)\), (\w+)$')
PARTIAL = '<cannot be read further>'
SCRIPT = '''
import select, sys, threading, time
def sleeper():
    time.sleep(100000)
def poller():
    select.epoll().poll(100000)
def looper():
    while not done:
        pass
done = False
for function in (sleeper, poller, looper):
    threading.Thread(target=function, daemon=True).start()
print('ready', flush=True)
sys.stdin.readline()
done = True
print('over')
'''

# Only rbp leads out of libffi's frames, and /proc does not show rbp.
FOREIGN = '''
import ctypes, socket, sys, threading
libc = ctypes.CDLL(None)
mine, other = socket.socketpair()
byte = ctypes.create_string_buffer(1)
def asker():
    libc.syscall(45, mine.fileno(), byte, 1, 0, None, None)
thread = threading.Thread(target=asker)
thread.start()
print('ready', flush=True)
sys.stdin.readline()
other.send(b'x')
thread.join()
print(byte.raw)
'''


def dump(pid, *options, status=0):
    run = case.start(case.XTRACE, '--dump', '-p', str(pid), *options)
    case.equal(run.wait(), status, f'--dump: {run.err}')
    case.equal(run.err, '', 'what xtrace says')
    return run.out


def threads_of(text):
    """Returns {thread's name: (state, frames)}; the leader is 'main'."""
    threads, frames = {}, None
    for line in text.splitlines():
        head = HEAD.match(line)
        if head:
            name = head[3] if head[2] else 'main'
            frames = []
            case.true(name not in threads, f'{name} is there once')
            threads[name] = (head[4], frames)
        else:
            case.true(frames is not None and line.startswith('    '), line)
            frames.append(line.strip())
    return threads


def names(frames):
    """Returns the functions of the frames, without their modules and without
    offsets.
    """
    out = []
    for frame in frames:
        function = frame.split(' in ')[-1].split('@')[0].split('+')[0]
        out.append(function)
    return out


def tasks(pid):
    return sorted(pathlib.Path(f'/proc/{pid}/task').iterdir())


def field(task, key):
    for line in (task / 'status').read_text().splitlines():
        if line.startswith(key + ':'):
            return line.split(':')[1].strip()
    return ''


def wait_blocked(pid, running):
    """Waits until all threads block, except those with names in `running`."""
    def test():
        # -1: it blocks outside of a system call, for a page of a file.
        return all((task / 'syscall').read_text().split()[0]
                   not in ('running', '-1')
                   or (task / 'comm').read_text().strip() in running
                   for task in tasks(pid))
    case.until(test, f'the threads of {pid} block')


def switches(pid, without=()):
    return {task.name: (field(task, 'voluntary_ctxt_switches'),
                        field(task, 'nonvoluntary_ctxt_switches'))
            for task in tasks(pid)
            if (task / 'comm').read_text().strip() not in without}


def test_kinds():
    subject = case.start(case.build('dump_subject.c'))
    subject.wait_for('ready')
    wait_blocked(subject.pid, ['circles'])
    stopped = ('circles', 'read', 'futex', 't')
    before = switches(subject.pid, stopped)
    case.equal(len(before), 2, 'threads that must not be stopped')
    threads = threads_of(dump(subject.pid, '--stack=native'))
    case.equal(switches(subject.pid, stopped), before,
               'how often they ran')
    case.equal(sorted(threads), ['circles', 'epoll', 'futex', 'main', 'read',
                                 'recv'], 'threads')
    for name in ('read', 'futex', 'circles'):
        state, frames = threads[name]
        case.equal(state, 'running' if name == 'circles' else 'blocked', name)
        got = [function for function in names(frames)
               if function in (f'in_{name}', 'begin', 'thread')]
        case.equal(got, [f'in_{name}', 'begin', 'thread'], name)
        case.true(PARTIAL not in frames, f'{name} is whole: {frames}')
    # The trace shows the callers of these functions, and says that more frames
    # exist.
    for name in ('recv', 'epoll'):
        state, frames = threads[name]
        case.equal(state, 'blocked', name)
        case.true(f'in_{name}' in names(frames), f'{name}: {frames}')
        case.equal(frames[-1], PARTIAL, name)
    case.contains(names(threads['main'][1]), 'main')
    for task in tasks(subject.pid):
        case.equal(field(task, 'TracerPid'), '0', 'nobody traces')
    case.same_text(subject.pid)
    subject.say('go')
    case.finish(subject)
    case.equal(subject.out, 'ready\n', 'what the subject says')


def test_stopped():
    subject = case.start(case.build('dump_subject.c'))
    subject.wait_for('ready')
    wait_blocked(subject.pid, ['circles'])
    subject.signal(signal.SIGSTOP)
    case.until(lambda: all(field(task, 'State')[0] == 'T'
                           for task in tasks(subject.pid)), 'it is stopped')
    threads = threads_of(dump(subject.pid, '-w', '3'))
    for name in ('read', 'circles'):
        case.equal(threads[name][0], 'stopped', name)
        case.true(f'in_{name}' in names(threads[name][1]), name)
        case.true(len(threads[name][1]) <= 3, 'as many as were asked for')
    # Each thread goes from the stop of ptrace into the group-stop, which takes
    # a moment.
    case.until(lambda: all(field(task, 'State')[0] == 'T'
                           for task in tasks(subject.pid)),
               'it is stopped still')
    subject.signal(signal.SIGCONT)
    subject.say('go')
    # The two system calls that SIGSTOP itself interrupts: signal(7).
    case.finish(subject, 2)


def test_script():
    subject = case.start(case.PYTHON, '-c', SCRIPT)
    subject.wait_for('ready')
    case.until(lambda: len(tasks(subject.pid)) == 4, 'four threads')

    def seen():
        """Waits until each thread is in the state in which it stays."""
        text = dump(subject.pid)
        return text if all(f' in {name}' in text for name in
                           ('sleeper', 'poller', 'looper')) else ''
    case.until(seen, 'all functions are on the stacks')
    text = dump(subject.pid)
    heads = [HEAD.match(line)[4] for line in text.splitlines()
             if HEAD.match(line)]
    case.equal(len(heads), 4, 'threads')
    case.contains(text.splitlines(), '    <string>:%num in <module>',
                  'thread %num of %num (%any', '    <string>:4 in sleeper',
                  '    %any in run', '    %any in _bootstrap',
                  '    <string>:6 in poller', '    <string>:%num in looper')
    script = dump(subject.pid, '--stack=script')
    case.true('@' not in script, 'no native frames')
    case.equal(script.count(' in _bootstrap\n'), 3, 'threads of the script')
    schema = json.loads((case.TESTS.parent / 'docs' /
                         'json-schema.json').read_text())
    events = [json.loads(line)
              for line in dump(subject.pid, '--json').splitlines()]
    for event in events:
        jsonschema.Draft202012Validator(schema).validate(event)
    case.equal(sorted(event['tid'] for event in events),
               sorted(int(task.name) for task in tasks(subject.pid)), 'JSON')
    case.true(all(event['event'] == 'stack' and event['frames']
                  for event in events), 'frames in JSON')
    subject.say('go')
    case.finish(subject)
    case.equal(subject.out, 'ready\nover\n', 'what the subject says')


def test_foreign():
    subject = case.start(case.PYTHON, '-c', FOREIGN)
    subject.wait_for('ready')
    asker, = (task.name for task in tasks(subject.pid)
              if task.name != str(subject.pid))
    where = pathlib.Path(f'/proc/{subject.pid}/task/{asker}/syscall')
    case.until(lambda: where.read_text().startswith('45 '), 'it asks')
    before = switches(subject.pid)
    text = dump(subject.pid, '--stack=merged')
    case.equal(switches(subject.pid)[asker], before[asker], 'how often it ran')
    frames = text.split(f'thread {asker} of ')[1].splitlines()[1:]
    case.true(PARTIAL not in text, f'the stacks are whole: {text}')
    case.contains(frames, '%any in syscall@libc%any', '%any@libffi%any',
                  '    <string>:7 in asker', '%any in _bootstrap',
                  '%anystart_thread%any')
    subject.say('go')
    case.finish(subject)
    case.equal(subject.out, "ready\nb'x'\n", 'what the subject says')


def test():
    test_kinds()
    test_foreign()
    test_stopped()
    test_script()


case.main(test)
