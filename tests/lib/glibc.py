# SPDX-License-Identifier: GPL-2.0-or-later
"""Other releases of glibc, for the cases of the loader.

Debian's libc6 and libc6-dev of another release are downloaded with an apt
whose state is in a folder of the tests, and unpacked there; nothing is
installed. If they are not available, the cases are skipped.
"""
import pathlib
import shutil
import subprocess

import debian
from debian import Unavailable

RELEASES = {'2.31': 'bullseye', '2.41': 'trixie'}


def fetch(release, folder):
    debian.fetch(RELEASES[release], folder, ['libc6', 'libc6-dev'])
    for name in ('etc', 'var', 'usr/share', 'usr/bin', 'usr/sbin'):
        shutil.rmtree(folder / name, ignore_errors=True)


class Tree:
    """A release of glibc, unpacked in a folder."""

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
        """The words before and after the source on gcc's command line."""
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
    """Returns the release, downloaded the first time; or raises Unavailable."""
    return Tree(debian.kept(pathlib.Path(folder) / release,
                            lambda work: fetch(release, work)))
