# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs a harness that is a case, but is also run alone for a long time.

    sys.path.insert(0, TESTS/lib)
    import alone
    with alone.environment(xtrace, seconds):
        import case
        ...

The `with` block gives the harness what tests/run gives a script: a folder, a
time limit, a cache. At its end, processes that are left over are ended and
printed.
"""
import contextlib
import os
import pathlib
import shutil
import signal
import sys
import tempfile

TESTS = pathlib.Path(__file__).resolve().parent.parent


def hear_signals():
    """A shell starts background jobs with some signals ignored, and nohup
    ignores SIGHUP; an xtrace that should leave by such a signal would ignore
    it, too. SIGTERM makes the harness exit, so that it still cleans up.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) == signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def environment(xtrace, seconds, keep=False):
    hear_signals()
    top = TESTS.parent
    folder = pathlib.Path(tempfile.mkdtemp(prefix='xtrace-tests.'))
    os.environ.update(
        CASE_DIR=str(folder), CASES=str(TESTS / 'cases'), TESTS=str(TESTS),
        XTRACE=str(pathlib.Path(xtrace).resolve()), SANITIZED='',
        BUILD_CACHE=str(top / 'build' / 'tests' / 'subjects'),
        CASE_LIMIT=str(seconds / 0.7), ASAN_OPTIONS='', UBSAN_OPTIONS='')
    import child
    try:
        yield folder
    finally:
        for pid, line in child.end_strays(folder):
            print(f'left behind: {pid} {line}', file=sys.stderr)
        if keep:
            print(f'kept: {folder}')
        else:
            shutil.rmtree(folder, ignore_errors=True)
