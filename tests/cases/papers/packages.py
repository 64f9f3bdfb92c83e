#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If packages are missing, make prints one line to run, before anything is
compiled, and plain make installs nothing. The compiler, dpkg-query, apt-get
and id are replaced by tools of the case.

NEEDS: plain make
TIMEOUT: 60
"""
import os
import re
import subprocess

import case

TOP = case.TESTS.parent
TOOLS = case.FOLDER / 'tools'
LINE = 'apt-get update && apt-get install -y --no-install-recommends '
PACKAGES = re.search(r'^DEPS_BUILD := ((?:.*\\\n)*.*)',
                     (TOP / 'make/deps.mk').read_text(), re.M) \
    .group(1).replace('\\\n', ' ').split()


def tool(name, script):
    """A tool that notes how it was called, and then runs these lines."""
    path = TOOLS / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" >>{case.FOLDER}/calls\n'
                    f'{script}\n')
    path.chmod(0o755)


def make(*words, path=f'{TOOLS}:/usr/bin:/bin'):
    (case.FOLDER / 'calls').write_text('')
    done = subprocess.run(
        ['/usr/bin/make', '-C', TOP, '--no-print-directory',
         f'O={case.FOLDER}/out', *words], text=True, capture_output=True,
        env={'PATH': path, 'LC_ALL': 'C'}, check=False)
    calls = (case.FOLDER / 'calls').read_text().splitlines()
    # With -j2, make may print that it waits for its second job, when the first
    # job has failed.
    said = [line for line in done.stderr.splitlines()
            if line != 'make: *** Waiting for unfinished jobs....']
    return done.returncode, said, done.stdout, calls


def installed(*names):
    """A dpkg-query that knows exactly these packages."""
    tool('dpkg-query', '\n'.join(f'echo "installed {name}"' for name in names))


def without(*missing):
    installed(*[name for name in PACKAGES if name not in missing])


def test_plain(uid):
    """Also as root, plain make compiles and installs nothing."""
    tool('cc', 'echo "x.c:1: fatal error: no capstone.h" >&2; exit 1')
    tool('id', f'echo {uid}')
    without('libcapstone-dev', 'libdw-dev')
    for words in ([], ['-j2'], ['all']):
        status, said, out, calls = make(*words)
        case.equal(status, 2, f'status of make {words}')
        case.same(said[:2], ['xtrace: packages are missing; as root, run:',
                             f'{LINE}libcapstone-dev libdw-dev'], 'said')
        case.contains(said, 'make: *** %any Error 1')
        case.equal(len(said), 3, f'lines of {said}')
        case.equal(out, '', 'printed')
        case.equal([call for call in calls if ' -c ' in call], [], 'compiled')
        case.true(not any(call.startswith('apt-get') for call in calls),
                  f'nothing is installed: {calls}')


def test_other_reason():
    """No package is missing, but the compiler does not find a library."""
    without()
    status, said, _, _ = make()
    case.equal(status, 2, 'status')
    case.same(said[:2],
              ['xtrace: the packages are installed, but cannot be used:',
               'x.c:1: fatal error: no capstone.h'], 'said')


def test_no_debian():
    (TOOLS / 'dpkg-query').unlink()
    for name in ('sh', 'bash', 'mkdir', 'cat', 'find', 'dirname', 'tr'):
        (TOOLS / name).symlink_to(f'/usr/bin/{name}')
    status, said, _, _ = make(path=str(TOOLS))
    case.equal(status, 2, 'status')
    case.same(said[:2], ['xtrace: this is no Debian; please install by hand: ' +
                         ' '.join(PACKAGES),
                         'x.c:1: fatal error: no capstone.h'], 'said')


def test_make_deps():
    """make demo and make check install the missing packages, which needs root."""
    tool('id', 'echo 1000')
    without('libdw-dev')
    status, said, _, calls = make('deps-build')
    case.equal(status, 2, 'status')
    case.same(said[:2], ['xtrace: packages are missing; as root, run:',
                         f'{LINE}libdw-dev'], 'said')
    case.true(not any(call.startswith('apt-get') for call in calls),
              f'nothing is installed: {calls}')
    without()
    status, said, _, _ = make('deps-build')
    case.equal((status, said), (0, []), 'with nothing missing')


def test_demo():
    """make says that it builds. It uses all CPUs, or as many as -j says."""
    tool('nproc', 'echo 7')
    tool('cc', f'echo "flags $MAKEFLAGS" >>{case.FOLDER}/calls; exit 1')
    installed(*PACKAGES, 'python3')
    for words, how, flag in (([], ' with 7 CPUs', '-j7'), (['-j3'], '', '-j3')):
        _, _, out, calls = make('demo', *words)
        case.equal(out, f'xtrace: building {case.FOLDER}/out/xtrace{how}; this '
                        'is done once\n', 'printed')
        case.contains(calls, f'flags %any{flag} %any')


def test_once():
    """If all packages are installed, make checks that once and prints nothing."""
    (TOOLS / 'cc').unlink()
    tool('cc', 'exec /usr/bin/cc "$@"')
    target = f'{case.FOLDER}/out/base/err.o'
    status, said, _, calls = make(target, 'base/err.c')
    case.equal((status, said), (0, []), 'compiled')
    first = len(calls)
    case.true(first >= 3, f'looked, and compiled: {calls}')
    os.unlink(target)
    status, said, _, calls = make(target)
    case.equal((status, said, len(calls)), (0, [], 1), f'once more: {calls}')


def test():
    TOOLS.mkdir()
    tool('apt-get', 'exit 1')
    for uid in (1000, 0):
        test_plain(uid)
    test_other_reason()
    test_no_debian()
    for path in TOOLS.iterdir():
        if path.is_symlink():
            path.unlink()
    test_make_deps()
    test_demo()
    test_once()


case.main(test)
