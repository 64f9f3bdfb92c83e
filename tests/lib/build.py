# SPDX-License-Identifier: GPL-2.0-or-later
"""Compiles subjects, once for each text and set of flags.

Results are in CACHE/<hash of all inputs>/ and are copied to the folder of each
case, so that a case may delete or replace them. Programs and libraries find
each other through $ORIGIN.
"""
import functools
import hashlib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

import glibc
from child import CLEAN, Failure

LIB = pathlib.Path(__file__).resolve().parent
COMMON = ['-O1', '-g0', f'-I{LIB}']
LINK = ['-L.', '-Wl,--no-as-needed', '-Wl,-rpath,$ORIGIN']


class Variant:
    """One way to build a page: with its own compiler and flags."""

    def __init__(self, text='', cc='', glibc=None):
        self.cc = cc
        self.name = ''
        self.glibc = glibc  # a release of glibc, or None: the system's
        words = shlex.split(text)
        if words:
            self.name = words.pop(0)
        if words and words[0].startswith('CC='):
            self.cc = words.pop(0)[3:]
        self.flags = words


@functools.cache
def has_libc_32(cc):
    """Does the compiler find a C library for -m32? If not, it prints the bare
    name.
    """
    run = subprocess.run([cc, '-m32', '-print-file-name=libc.so.6'],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         text=True, check=False)
    path = pathlib.Path(run.stdout.strip())
    return path.is_absolute() and path.exists()


def variants(page):
    cc = page.value('CC') or ('g++' if page.suffix == '.cc' else 'gcc')
    rows = page.all('VARIANT') or ['']
    return [Variant(row, cc) for row in rows] + \
        [Variant(f'glibc-{release}', cc, release)
         for release in page.words('GLIBC')]


def commands(page, variant, source, tree=None):
    """The commands that make the libraries and then the program %t."""
    default = 'g++' if page.suffix == '.cc' else 'gcc'
    out = [['/bin/bash', '-ec', row] for row in page.all('BEFORE')]
    for row in page.all('LIB'):
        name, *flags = shlex.split(row)
        cc = default
        if flags and flags[0].startswith('CC='):
            cc = flags.pop(0)[3:]
        before, after = tree.link(cc, True) if tree else ([], [])
        out.append([cc, *COMMON, '-shared', '-fPIC', *LINK, *before,
                    f'-Wl,-soname,{name}', '-o', name, source,
                    *flags, *after])
    flags = [*page.words('CFLAGS'), *variant.flags]
    # A static-pie with a RUNPATH does not start.
    link = [] if any(flag.startswith('-static') for flag in flags) else LINK
    before, after = tree.link(variant.cc, False) if tree else ([], [])
    out.append([variant.cc, *COMMON, *flags, *link, *before, '-o', 't',
                source, *page.words('LDFLAGS'), *after])
    for row in page.all('POST'):
        out.append(['/bin/bash', '-ec', row])
    return out


def digest(page, variant, lines):
    text = page.path.read_bytes()
    state = hashlib.sha256(text)
    for name in re.findall(rb'#include "([\w.-]+)"', text):
        path = page.path.with_name(name.decode())
        if path.exists():
            state.update(path.read_bytes())
    for helper in sorted(LIB.glob('*')):
        if helper.is_file() and helper.suffix not in ('.py', '.pyc'):
            state.update(helper.read_bytes())
    for line in lines:
        state.update('\0'.join(line).encode())
    state.update(variant.cc.encode())
    return state.hexdigest()[:24]


def make(page, variant, folder, cache):
    """Builds the page into folder; returns the path of the program."""
    source = str(page.path.resolve())
    tree = glibc.tree(variant.glibc, cache.parent / 'glibc') \
        if variant.glibc else None
    lines = commands(page, variant, source, tree)
    kept = cache / digest(page, variant, lines)
    if not kept.is_dir():
        cache.mkdir(parents=True, exist_ok=True)
        fresh = pathlib.Path(tempfile.mkdtemp(dir=cache))
        env = {**CLEAN, 'LIB': str(LIB), 'SOURCE': source,
               'HOME': os.environ.get('HOME', '/')}
        for line in lines:
            done = subprocess.run(line, cwd=fresh, env=env, text=True,
                                  capture_output=True)
            if done.returncode:
                shutil.rmtree(fresh)
                raise Failure(f'does not build: {shlex.join(line)}\n'
                              f'{done.stdout}{done.stderr}')
        try:
            fresh.rename(kept)
        except OSError:  # another job has built the same page first
            shutil.rmtree(fresh, ignore_errors=True)
    shutil.copytree(kept, folder, dirs_exist_ok=True)
    return folder / 't'
