#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-f -p takes a process's existing descendants and those born later. -p may be
given many times, with several pids, and with a name. A process that is named
twice is traced once. All of them run on when xtrace leaves, also those born
meanwhile.

TIMEOUT: 120
"""
import os
import re
import signal

import case


def workers(server, count):
    rows = re.findall(r'worker (\d+) is (\d+)\n', server.out)
    server._pump(0)
    return dict((int(number), int(pid)) for number, pid in rows) \
        if len(rows) >= count else None


def seen(tracer):
    """Returns {pid: the arguments of the calls that are shown for it}."""
    found = {}
    for row in tracer.lines():
        match = re.match(r'(\d+) f\((\d+)\) += \d+', row)
        if match:
            found.setdefault(int(match[1]), set()).add(int(match[2]))
    return found


def expect_calls(tracer, numbers):
    case.until(lambda: len(seen(tracer)) >= len(numbers),
               f'calls of {numbers}, only of {seen(tracer)}')
    case.equal(seen(tracer), {pid: {number} for number, pid in
                              numbers.items()}, 'who called with what')


def test():
    program = case.build('server.c')
    conf = case.FOLDER / 'p.conf'
    conf.write_text('int f(int);\n')
    look = ['-F', str(conf), '-x', 'f']
    # Another run of this case on this machine has another name.
    name = f'xt-{os.getpid()}'
    server = case.start(program, name)
    there = case.until(lambda: workers(server, 3), 'three workers')

    # Without -f, xtrace traces only the master, which makes no call.
    tracer = case.attach(server, *look)
    case.same_text(there[1])
    tracer.leave()
    case.equal(seen(tracer), {}, 'calls of a master without children')

    # With -f, xtrace traces all processes, and a worker that is born later.
    tracer = case.Tracer(['-f', *look, '-p', str(server.pid)])
    expect_calls(tracer, there)
    server.say('more')
    there = case.until(lambda: workers(server, 4), 'a fourth worker')
    expect_calls(tracer, there)
    tracer.leave()
    for pid in there.values():
        case.same_text(pid)

    # xtrace attaches to many pids, one of them twice, in one argument.
    tracer = case.Tracer([*look, '-p', str(there[1]), '-p', str(there[1]),
                          '-p', f'{there[2]} {there[30]}'])
    expect_calls(tracer, {key: there[key] for key in (1, 2, 30)})
    tracer.leave()

    # xtrace attaches by the name of a program.
    tracer = case.Tracer([*look, '--attach-name', name])
    expect_calls(tracer, {30: there[30]})
    tracer.leave(signal.SIGTERM)
    for pid in there.values():
        case.same_text(pid)

    # The processes end one by one while they are traced.
    tracer = case.Tracer(['-f', *look, '-p', str(server.pid)])
    expect_calls(tracer, there)
    server.close_input()
    server.wait()
    tracer.wait(0)


case.main(test)
