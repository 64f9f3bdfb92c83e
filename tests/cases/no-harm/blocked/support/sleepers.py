# SPDX-License-Identifier: GPL-2.0-or-later
"""What threads that block do, as the kernel has it."""
import pathlib
import time

import case

# The kernel wakes those who read a signalfd at each signal to any thread of
# theirs (fs/signalfd.c), so at each trap too, and they sleep on.
ROUSED = 'read of signalf'
LOOKS, LOOKS_APART = 5, 0.05


def of(pid, but=''):
    """Each thread that blocks, by its name: its call, and how often it has
    given up its CPU. Without the main thread, and the one named but."""
    found = {}
    for tid in case.child.threads(pid):
        base = f'/proc/{pid}/task/{tid}'
        try:
            call = pathlib.Path(base + '/syscall').read_text().strip()
            name = pathlib.Path(base + '/comm').read_text().strip()
        except OSError:
            continue
        if tid == pid or name == but or call == 'running':
            continue
        switches = [case.child.status_field(
            base + '/status', way + 'voluntary_ctxt_switches')
            for way in ('', 'non')]
        if None in switches:
            continue  # it has ended meanwhile
        found[f'{name} ({tid})'] = (call, switches if name != ROUSED else [])
    return found


def place(state):
    """Stack pointer and pc: those of one call, also when it was restarted."""
    return state[0].split()[-2:]


def asleep(pid, wanted, but=''):
    """What they do when they have come to rest, and are as many as wanted."""
    last, same, apart = None, 0, 0

    def settled():
        nonlocal last, same, apart
        if time.monotonic() < apart:
            return False
        apart = time.monotonic() + LOOKS_APART
        now = of(pid, but)
        same = same + 1 if now == last else 0
        last = now
        return same >= LOOKS and wanted(len(now))
    case.until(settled, 'the threads have come to rest')
    return last
