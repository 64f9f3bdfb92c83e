#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In a new Debian 12 and a new Debian 13, with the packages that make names and
no others, xtrace is built without a warning, `make demo` shows a slow query
with its line, and the tests that need no other program pass.

SLOW: debootstrap, twice
NEEDS: root debootstrap
TIMEOUT: 1800
"""
import os
import re
import subprocess

import case

TREE = case.TESTS.parent
# The command of a new mount namespace, which ends with its last process.
ALONE = ('unshare', '--mount', '--pid', '--fork', '--kill-child')
COMES = '''
mount -t proc proc "$ROOT/proc" && mount --rbind /dev "$ROOT/dev" &&
exec chroot "$ROOT" /bin/sh -ec "$1"
'''
MAKE = '''
cd /xtrace
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 CI=true
apt-get update -q
apt-get install -y -q --no-install-recommends make
make deps-demo deps-unit
make -j2 WERROR=-Werror all units fuzzers
'''


def within(root, script):
    """Runs the script with `root` as its root folder. Returns its output."""
    done = subprocess.run([*ALONE, 'sh', '-c', COMES, 'sh', script],
                          env={'PATH': os.environ['PATH'], 'ROOT': str(root)},
                          text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    case.equal(done.returncode, 0, f'{script.strip()}\n'
               + '\n'.join(done.stdout.splitlines()[-30:]) + '\nstatus')
    return done.stdout


def copy_tree(target):
    """The files of the tree, without what is built."""
    target.mkdir()
    names = subprocess.run(
        ['git', '-C', TREE, 'ls-files', '-z', '--cached', '--others',
         '--exclude-standard'], stdout=subprocess.PIPE, check=True).stdout
    packed = subprocess.run(
        ['tar', '-C', TREE, '--null', '--ignore-failed-read', '-T', '-', '-c'],
        input=names, stdout=subprocess.PIPE, check=True).stdout
    subprocess.run(['tar', '-C', target, '-x'], input=packed, check=True)


def debian(suite):
    root = case.FOLDER / suite
    done = subprocess.run(
        [*ALONE, 'debootstrap', '--variant=minbase', suite, root], text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        case.skip(f'debootstrap {suite}: {done.stdout.splitlines()[-1]}')
    copy_tree(root / 'xtrace')
    within(root, MAKE)
    demo = within(root, 'cd /xtrace && make demo')
    case.true(re.search(r'sqlite3_step "WITH .*" = SQLITE_DONE '
                        r'\(first .*\) <\d+\.\d+>\n'
                        r' +\S*/demo/queries\.py:\d+ in report\n', demo),
              f'{suite}: a slow query with its line:\n{demo}')
    tests = within(root, 'cd /xtrace && tests/run unit fuzz layers')
    counts = re.search(r'^(\d+) passed, 0 failed, 0 skipped$', tests, re.M)
    case.true(counts and int(counts[1]) > 2000,
              f'{suite}: {tests.splitlines()[-1]}')
    subprocess.run(['rm', '-rf', '--one-file-system', root], check=True)


def test():
    for suite in ('bookworm', 'trixie'):
        debian(suite)


case.main(test)
