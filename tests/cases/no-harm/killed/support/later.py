# SPDX-License-Identifier: GPL-2.0-or-later
"""A later xtrace, which traces the function f."""
import time

import case
import torture

# Seconds. Leaving takes 1.5 to restore the threads, 0.5 to unmap, and 10 ms for
# each thread. If it takes longer, memory stays mapped (docs/SURVIVAL.md).
IN_TIME = 2


def attach(pid):
    return case.Tracer(['-x', 'f', '-p', str(pid)])


def leave(tracer, pid):
    """Lets the xtrace leave when it has traced a call. On a machine so busy that
    there was no time to unmap, one more xtrace does it."""
    while True:
        case.until(lambda: torture.lines_of(tracer) or
                   not tracer.child.alive(), 'something is traced')
        begun = time.monotonic()
        tracer.leave()
        took = time.monotonic() - begun
        if took < IN_TIME:
            return
        print(f'xtrace needed {took:.2f} s to leave')
        tracer = attach(pid)
