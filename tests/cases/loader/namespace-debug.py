#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A stripped program in a root of its own, for example in a container. Its
separate debug file is in that root.

NEEDS: root chroot
"""
import re
import subprocess

import case

SOURCE = '''
static __attribute__((noinline)) int secret(int x) { return x + 1; }
int main(int argc, char **argv) { (void)argv; return secret(argc) - 2; }
'''


def run(*words):
    return subprocess.run(words, cwd=case.FOLDER, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def test():
    (case.FOLDER / 's.c').write_text(SOURCE)
    run('gcc', '-static', '-O1', '-Wl,--build-id', '-o', 's', 's.c')
    notes = run('readelf', '-n', 's')
    build_id = re.search('Build ID: ([0-9a-f]+)', notes)[1]
    place = case.FOLDER / 'root/usr/lib/debug/.build-id' / build_id[:2]
    place.mkdir(parents=True)
    run('objcopy', '--only-keep-debug', 's', place / f'{build_id[2:]}.debug')
    run('strip', '-o', 'root/s', 's')
    tracer = case.trace('-x', 'secret',
                        command=['chroot', case.FOLDER / 'root', '/s'])
    tracer.wait(0)
    case.equal(case.count(tracer.calls(), 'secret(1%any) = 2'), 1,
               f'calls: {tracer.lines()} {tracer.says()}')


case.main(test)
