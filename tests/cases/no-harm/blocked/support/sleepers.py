# SPDX-License-Identifier: GPL-2.0-or-later
"""What the kernel says of threads that block."""
import pathlib
import time

import case

# At each signal to any thread of a process, and so at each trap, the kernel
# wakes the threads that read a signalfd (fs/signalfd.c). They sleep again.
ROUSED = 'read of signalf'
SAME, APART = 5, 0.05


def of(pid, omitted=''):
    """Returns {name: (call, context switches)} of each thread that blocks,
    without the main thread and the thread of the name in `omitted`."""
    found = {}
    for tid in case.child.threads(pid):
        base = f'/proc/{pid}/task/{tid}'
        try:
            call = pathlib.Path(base + '/syscall').read_text().strip()
            name = pathlib.Path(base + '/comm').read_text().strip()
        except OSError:
            continue
        if tid == pid or name == omitted or call == 'running':
            continue
        switches = [case.child.status_field(
            base + '/status', way + 'voluntary_ctxt_switches')
            for way in ('', 'non')]
        if None in switches:
            continue  # the thread has ended meanwhile
        found[f'{name} ({tid})'] = (call, switches if name != ROUSED else [])
    return found


def place(state):
    """The stack pointer and the pc of a state. They identify a call, also
    after its restart."""
    return state[0].split()[-2:]


def asleep(pid, wanted, omitted=''):
    """The states of the threads that block, once these no longer change and
    their number is `wanted`."""
    last, same, apart = None, 0, 0

    def unchanged():
        nonlocal last, same, apart
        if time.monotonic() < apart:
            return False
        apart = time.monotonic() + APART
        now = of(pid, omitted)
        same = same + 1 if now == last else 0
        last = now
        return same >= SAME and wanted(len(now))
    case.until(unchanged, 'the threads have come to rest')
    return last
