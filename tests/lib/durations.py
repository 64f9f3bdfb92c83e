# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks a duration that xtrace reports, on a machine of any load.

A client measures with its own clock how long a call took, and the call sleeps
for a known time. The reported duration lies between the two:

    slept  <=  reported  <=  measured by the client around the call

On a busy machine the client waits for a CPU before the call, after it, and
whenever xtrace stops it. The client's time then becomes longer by any amount,
so no constant can say how far the two clocks may differ. The sleep is the
control: what the client measured beyond the sleep is what was lost in this
very call, to the scheduler and to xtrace. The reported duration may be shorter
than the client's by that amount and no more. On an idle machine the amount is
a fraction of a millisecond.

The bounds do not depend on how long xtrace held the thread: they are right for
a duration that includes this time and for one that does not.

A call that does not sleep has only the upper bound. mixed() therefore mixes
calls with a long sleep, a brief one and none. A duration of 0, of a part of
the call, of another call or of two calls breaks a bound of some of them.
"""
from child import Failure

LONG = (0.04, 0.05, 0.06, 0.07, 0.08, 0.09)
# A query without a sleep takes about as long as the shortest sleep.
BRIEF = (0.0002, 0.001, 0.003)
# Each number is printed in microseconds.
ROUNDING = 0.000001


def mixed():
    """Seconds to sleep, call by call. There is no sleep before and after a
    long one.
    """
    spans = []
    for at, long in enumerate(LONG):
        one, other = BRIEF[at % 3], BRIEF[(at + 1) % 3]
        spans += [0, one, 0, long, 0, 0, other]
    return spans


def check(what, reported, measured, slept=0):
    """reported: the duration of the call, or a list of the durations of the
    calls that the client measured as one. All times are in seconds."""
    reported = reported if isinstance(reported, list) else [reported]
    total = sum(reported)
    # The comparison is written so that a NaN, for a missing duration, fails.
    if not total >= slept:
        raise Failure(f'{what}: {total:.6f} s, but it sleeps for {slept} s')
    if not total <= measured + ROUNDING * len(reported):
        raise Failure(f'{what}: {total:.6f} s, but the client measured '
                      f'{measured:.6f} s')
