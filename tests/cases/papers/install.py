#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make install, into DESTDIR and under PREFIX, and make uninstall.

NEEDS: plain make
TIMEOUT: 60
"""
import subprocess

import case

TOP = case.TESTS.parent


def make(target, place):
    done = subprocess.run(['make', '-s', '-C', TOP, '-o', 'all', target,
                           f'DESTDIR={place}', 'PREFIX=/opt'],
                          capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stdout + done.stderr)


def test():
    place = case.FOLDER / 'place'
    (place / 'opt/share/man/man1').mkdir(parents=True)
    other = place / 'opt/share/man/man1/other.1'
    other.touch()
    make('install', place)
    share = place / 'opt/share'
    wanted = [place / 'opt/bin/xtrace',
              share / 'bash-completion/completions/xtrace',
              share / 'zsh/site-functions/_xtrace',
              share / 'fish/vendor_completions.d/xtrace.fish',
              share / 'doc/xtrace/JSON.md', share / 'doc/xtrace/DRIVERS.md']
    for page in (TOP / 'docs').glob('*.[15]'):
        wanted.append(share / f'man/man{page.suffix[1:]}' / page.name)
    for conf in [*(TOP / 'etc').rglob('*.conf'), TOP / 'etc/aliases']:
        wanted.append(share / 'xtrace' / conf.relative_to(TOP / 'etc'))
    for name in wanted:
        case.true(name.is_file(), f'{name} is installed')
    run = case.start(place / 'opt/bin/xtrace', '-x', 'nothing*', '--',
                     '/bin/true')
    case.equal(run.wait(), 0, run.err)
    run = case.start(place / 'opt/bin/xtrace', '--show-prototype', 'malloc')
    case.equal(run.wait(), 0, run.err)
    case.true(run.out.startswith(f'{share}/xtrace/parts/libc'), run.out)
    make('uninstall', place)
    case.equal([path for path in place.rglob('*') if path.is_file()], [other],
               'what is left')


case.main(test)
