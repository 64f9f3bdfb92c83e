# SPDX-License-Identifier: GPL-2.0-or-later
"""Other releases of glibc, for the cases of the loader.

Debian's libc6 and libc6-dev of another release are fetched with an apt whose
state is all in a folder of ours, and unpacked there; nothing is installed.
Where they cannot be had the cases are skipped.
"""
import os
import pathlib
import shutil
import subprocess
import threading

from child import CLEAN

RELEASES = {'2.31': 'bullseye', '2.41': 'trixie'}
KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
LOCK = threading.Lock()
failed = {}


class Unavailable(Exception):
    pass


def mirror():
    """Where this machine's own packages come from."""
    done = subprocess.run(
        ['apt-get', 'indextargets', '--format', '$(SITE)',
         'Created-By: Packages'], capture_output=True, text=True)
    for site in done.stdout.split():
        if site.rstrip('/').endswith('/debian'):
            return site
    raise Unavailable('no Debian mirror in the sources of apt')


def fetch(release, folder):
    state = folder / 'apt'
    for name in ('lists/partial', 'cache/archives/partial', 'etc'):
        (state / name).mkdir(parents=True)
    (state / 'status').touch()
    (state / 'etc/list').write_text(
        f'deb [signed-by={KEYS}] {mirror()} {RELEASES[release]} main\n')
    options = [f'Dir::State::lists={state}/lists',
               f'Dir::State::status={state}/status',
               f'Dir::Cache={state}/cache',
               f'Dir::Etc::sourcelist={state}/etc/list',
               f'Dir::Etc::sourceparts={state}/etc/none',
               f'Dir::Etc::preferencesparts={state}/etc/none',
               'Acquire::Languages=none', 'Acquire::Retries=1',
               'Acquire::http::Timeout=20', 'APT::Sandbox::User=root']
    apt = ['apt-get', '-q']
    for option in options:
        apt += ['-o', option]
    for command in ([*apt, 'update'],
                    [*apt, 'download', 'libc6', 'libc6-dev']):
        done = subprocess.run(command, cwd=folder, text=True,
                              capture_output=True, timeout=300,
                              env={**os.environ, **CLEAN})
        if done.returncode:
            raise Unavailable((done.stdout + done.stderr)[-300:])
    packages = sorted(folder.glob('*.deb'))
    if len(packages) != 2:
        raise Unavailable('apt brought no packages')
    for package in packages:
        subprocess.run(['dpkg-deb', '-x', package, folder], check=True)
        package.unlink()
    for name in ('apt', 'etc', 'var', 'usr/share', 'usr/bin', 'usr/sbin'):
        shutil.rmtree(folder / name, ignore_errors=True)
    for path in list(folder.glob('**/*.d')):  # make's name for dependencies
        shutil.rmtree(path)


class Tree:
    """One unpacked release."""

    def __init__(self, folder):
        loader = sorted(folder.glob('**/x86_64-linux-gnu/ld-linux-x86-64.so.2')
                        ) or sorted(folder.glob('**/ld-linux-x86-64.so.2'))
        libc = sorted(folder.glob('**/x86_64-linux-gnu/libc.so.6'))
        if not loader or not libc:
            raise Unavailable(f'no C library in {folder}')
        self.loader = loader[0]
        self.run = libc[0].parent
        self.dev = folder / 'usr/lib/x86_64-linux-gnu'

    def link(self, cc, shared):
        """What goes before and after the source on gcc's command line."""
        def of_gcc(name):
            return subprocess.run([cc, f'-print-file-name={name}'], text=True,
                                  capture_output=True).stdout.strip()
        before = ['-nostdlib', f'-Wl,-rpath,{self.run}',
                  str(self.dev / 'crti.o'), of_gcc('crtbeginS.o')]
        if not shared:
            before += [f'-Wl,--dynamic-linker={self.loader}',
                       str(self.dev / 'Scrt1.o')]
        after = [str(self.run / name) for name in
                 ('libdl.so.2', 'libpthread.so.0', 'libc.so.6')]
        after += [str(self.dev / 'libc_nonshared.a'), str(self.loader),
                  '-lgcc', of_gcc('crtendS.o'), str(self.dev / 'crtn.o')]
        return before, ['-Wl,--as-needed', *after]


def tree(release, folder):
    """The release, fetched at the first time; Unavailable otherwise."""
    with LOCK:
        kept = pathlib.Path(folder) / release
        if release in failed:
            raise Unavailable(failed[release])
        if not kept.is_dir():
            work = kept.with_name(f'{release}.{os.getpid()}')
            shutil.rmtree(work, ignore_errors=True)
            work.mkdir(parents=True)
            try:
                fetch(release, work)
                work.rename(kept)
            except (Unavailable, OSError, subprocess.SubprocessError) as why:
                shutil.rmtree(work, ignore_errors=True)
                failed[release] = ' '.join(str(why).split())[-200:]
                raise Unavailable(failed[release]) from why
        return Tree(kept)
