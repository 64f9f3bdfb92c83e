# SPDX-License-Identifier: GPL-2.0-or-later
"""Packages of other Debian releases, and sources, downloaded with an apt whose
state is in a folder of the tests. Nothing is installed, and no package's
scripts are run.
"""
import os
import pathlib
import shutil
import subprocess
import threading

from child import CLEAN

KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg'
LOCK = threading.Lock()
MERGED = ('bin', 'sbin', 'lib', 'lib64')
failed = {}


class Unavailable(Exception):
    pass


def mirror():
    """The source of this machine's own packages."""
    done = subprocess.run(
        ['apt-get', 'indextargets', '--format', '$(SITE)',
         'Created-By: Packages'], capture_output=True, text=True)
    for site in done.stdout.split():
        if site.rstrip('/').endswith('/debian'):
            return site
    raise Unavailable('no Debian mirror in the sources of apt')


def apt_of(release, folder, kind='deb'):
    """The first words of the apt command for a release. kind is apt's word for
    a source: deb or deb-src."""
    state = folder / 'apt'
    for name in ('lists/partial', 'cache/archives/partial', 'etc/none'):
        (state / name).mkdir(parents=True)
    (state / 'status').touch()
    # experimental is used in addition to sid.
    releases = [release] if release != 'experimental' else [release, 'sid']
    (state / 'etc/list').write_text(''.join(
        f'{kind} [signed-by={KEYS}] {mirror()} {name} main\n'
        for name in releases))
    apt = ['apt-get', '-q', '-y']
    for option in (f'Dir::State::lists={state}/lists',
                   f'Dir::State::status={state}/status',
                   f'Dir::Cache={state}/cache',
                   f'Dir::Etc::sourcelist={state}/etc/list',
                   f'Dir::Etc::sourceparts={state}/etc/none',
                   f'Dir::Etc::preferencesparts={state}/etc/none',
                   'Acquire::Languages=none', 'Acquire::Retries=1',
                   'Acquire::http::Timeout=20', 'APT::Sandbox::User=root',
                   'APT::Install-Recommends=false', 'Debug::NoLocking=true'):
        apt += ['-o', option]
    return apt


def bring(apt, folder, *words):
    for command in ([*apt, 'update'], [*apt, *words]):
        done = subprocess.run(command, cwd=folder, text=True,
                              capture_output=True, timeout=300,
                              env={**os.environ, **CLEAN})
        if done.returncode:
            raise Unavailable((done.stdout + done.stderr)[-300:])


def fetch(release, folder, packages, needed=False):
    """Downloads packages and unpacks them into folder. If `needed` is true,
    their dependencies, too."""
    how = ['install', '--download-only'] if needed else ['download']
    bring(apt_of(release, folder), folder, *how, *packages)
    files = sorted(folder.glob('*.deb')) or \
        sorted(folder.glob('apt/cache/archives/*.deb'))
    if len(files) < len(packages):
        raise Unavailable('apt brought no packages')
    for file in files:
        subprocess.run(['dpkg-deb', '-x', file, folder], check=True)
        file.unlink()
    shutil.rmtree(folder / 'apt')
    # make looks for files of dependencies, *.d, in this folder.
    for path, folders, names in os.walk(folder):
        for name in [name for name in folders if name.endswith('.d')]:
            shutil.rmtree(pathlib.Path(path) / name)
            folders.remove(name)
        for name in names:
            if name.endswith('.d'):
                (pathlib.Path(path) / name).unlink()


def kept(folder, make):
    """Returns the folder. At the first call, make(folder) fills it. If that
    has failed, raises Unavailable.
    """
    folder = pathlib.Path(folder)
    with LOCK:
        if str(folder) in failed:
            raise Unavailable(failed[str(folder)])
        if folder.is_dir():
            return folder
        work = folder.with_name(f'{folder.name}.{os.getpid()}')
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir(parents=True)
        try:
            make(work)
            work.rename(folder)
        except (Unavailable, OSError, subprocess.SubprocessError) as why:
            shutil.rmtree(work, ignore_errors=True)
            failed[str(folder)] = ' '.join(str(why).split())[-200:]
            raise Unavailable(failed[str(folder)]) from why
        return folder


def source(folder, release, package, *parts):
    """A folder with these parts of a package's upstream source."""
    def make(work):
        bring(apt_of(release, work, 'deb-src'), work, 'source',
              '--download-only', '--tar-only', package)
        archive, = work.glob('*.orig.tar.*')
        subprocess.run(['tar', 'xf', archive, '--strip=1', '--wildcards',
                        '--no-wildcards-match-slash',
                        *(f'*/{part}' for part in parts)],
                       cwd=work, check=True)
        for file in work.glob('*.tar.*'):
            file.unlink()
        shutil.rmtree(work / 'apt')
    return kept(folder, make)


def chroot(release, folder, packages):
    """A folder that programs of the release can use as their root."""
    def make(work):
        for name in MERGED:
            (work / 'usr' / name).mkdir(parents=True)
            (work / name).symlink_to(f'usr/{name}')
        (work / 'dev').mkdir()
        os.mknod(work / 'dev/null', 0o020666, os.makedev(1, 3))
        fetch(release, work, packages, needed=True)
    return kept(folder, make)
