#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""dpkg-buildpackage makes the Debian package, apt could install it, and the
programs in it run.

NEEDS: plain dpkg-buildpackage gzip
SLOW: it builds everything once more
TIMEOUT: 300
"""
import re
import subprocess

import case

TOP = case.TESTS.parent


def run(*command, cwd=None):
    done = subprocess.run([str(word) for word in command], cwd=cwd, text=True,
                          capture_output=True)
    case.equal(done.returncode, 0, f'{command}: {done.stdout}{done.stderr}')
    return done.stdout + done.stderr


def source():
    """A copy of the sources, as they are now, without what was built."""
    place = case.FOLDER / 'source' / 'xtrace'
    place.mkdir(parents=True)
    files = run('git', '-c', f'safe.directory={TOP}', '-C', TOP, 'ls-files',
                '-co', '--exclude-standard') if (TOP / '.git').exists() else \
        run('find', '.', '-name', 'build', '-prune', '-o', '-type', 'f',
            '-print', cwd=TOP)
    names = [name for name in files.splitlines() if (TOP / name).exists()]
    (case.FOLDER / 'names').write_text('\n'.join(names))
    run('tar', '-C', TOP, '-cf', case.FOLDER / 'tar', '-T',
        case.FOLDER / 'names')
    run('tar', '-C', place, '-xf', case.FOLDER / 'tar')
    return place


def test_needs():
    """`make deps` installs the packages that the Debian package needs to be
    built.
    """
    text = (TOP / 'make' / 'deps.mk').read_text().replace('\\\n', ' ')
    ours = set(re.search(r'^DEPS_BUILD := (.*)$', text, re.M).group(1).split())
    control = (TOP / 'debian' / 'control').read_text()
    theirs = re.search(r'^Build-Depends: ((?:.*\n )*.*)$', control, re.M)
    case.equal(set(re.findall(r'[a-z0-9-]+', theirs.group(1))),
               ours - {'make', 'gcc', 'libc6-dev'}, 'Build-Depends')


def test():
    test_needs()
    place = source()
    said = run('dpkg-buildpackage', '-b', '-us', '-uc', cwd=place)
    case.true('warning' not in said, f'no warnings: {said}')
    package, = place.parent.glob('xtrace_*.deb')
    names = run('dpkg-deb', '--contents', package)
    for name in ('usr/bin/xtrace', 'usr/lib/systemd/system/xtrace@.service',
                 'usr/share/man/man1/xtrace.1.gz',
                 'usr/share/bash-completion/completions/xtrace',
                 'usr/share/zsh/vendor-completions/_xtrace',
                 'usr/share/fish/vendor_completions.d/xtrace.fish',
                 'usr/share/xtrace/libc.so.6.conf',
                 'usr/share/xtrace/aliases',
                 'usr/share/xtrace/parts/libc-memory.conf',
                 'usr/share/xtrace/sets/sql.conf',
                 'usr/share/doc/xtrace/DRIVERS.md',
                 'usr/share/doc/xtrace/copyright',
                 'usr/share/doc/xtrace/changelog.gz'):
        case.true(f'./{name}\n' in names, f'{name} is in {names}')
    fields = run('dpkg-deb', '--field', package)
    case.true('libcapstone4' in fields, fields)
    case.true('Inst xtrace ' in run('apt-get', 'install', '-s', package),
              'apt would install it')
    run('dpkg-deb', '--extract', package, case.FOLDER / 'root')
    program = case.FOLDER / 'root/usr/bin/xtrace'
    case.same(run(program, '--version').splitlines(), ['xtrace %any'], 'it')
    case.true('usr/share/xtrace/' in run(program, '--show-prototype',
                                         'malloc'), 'its prototypes')
    case.contains(run(program, '-x', 'malloc', '/bin/ls').splitlines(),
                  'malloc(%num) = %hex', '+++ exited (status 0) +++')
    run('debian/rules', 'clean', cwd=place)
    case.true(not (place / 'debian/xtrace').exists(), 'clean cleans')


case.main(test)
