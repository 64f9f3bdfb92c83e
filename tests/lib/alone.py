# SPDX-License-Identifier: GPL-2.0-or-later
"""For a harness that is a case, and that is also run by itself for long.

    sys.path.insert(0, TESTS/lib)
    import alone
    with alone.environment(xtrace, seconds):
        import case
        ...

gives it what tests/run gives to a script: a folder, a limit, a cache. What
is left in the folder's name when it ends is ended, and named.
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
    """A shell's background job and nohup have some ignored, and so would every
    xtrace that is told by one of them to leave. Told to end we tidy up."""
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
