#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Whose prototype files are read, and which kinds of files. If root keeps the
HOME of another user (sudo -E), that user may have put there a FIFO, /dev/zero,
or a link to a secret. xtrace prints one line for each. The program is traced
as if the file did not exist, and ends as it does without xtrace.

NEEDS: root unshare
TIMEOUT: 120
"""
import contextlib
import os
import resource
import shutil
import socket
import stat

import case

NOBODY = 65534
SECRET = 'root:$6$salt$hash:19000:0:99999:7:::\n'
PROTOTYPE = 'int f(string text);\n'
MINE = f'set "a set";\n{PROTOTYPE}probe f {{ show text; }}\n'
TRACE = ['f("text") = 5', '+++ exited (status 3) +++']
GUESSED = ['f(%any) = 5', TRACE[1]]
OF_SET = ['%time f "text" = 5 <%dur>', '%time +++ exited (status 3) +++']
TIMED = ['%time f("text") = 5 <%dur>', '%time +++ exited (status 3) +++']
MEMORY = 2 << 30  # bytes: more than a trace needs, and soon used up
MOST = 16 << 20
XTRACE = case.FOLDER / 'bin/xtrace'
NOT_REGULAR = 'not a regular file'
TOO_LARGE = 'too large: 16 MiB or more'
OF_ANOTHER = f'not read: it belongs to user {NOBODY}, and xtrace runs as root'
HUSHED = ('not understood (its text is not shown: it, or a folder on its path, '
          "is another user's)")


def fresh(name, owner=0):
    """An empty folder that belongs to this user."""
    folder = case.FOLDER / name
    if folder.is_symlink():
        folder.unlink()
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    os.chown(folder, owner, owner)
    return folder


def put(path, text, owner=0, mode=0o644):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(mode)
    os.chown(path, owner, owner)
    return path


def bounded(user):
    def prepare():
        if not case.SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if user:
            os.setgroups([])
            os.setgid(user)
            os.setuid(user)
    return prepare


def xtrace(*options, home='none', user=0, env=None):
    """Runs xtrace to its end; returns its status and its messages."""
    env = {'HOME': str(case.FOLDER / home), **(env or {})}
    run = case.start(XTRACE, *options, env=env, preexec=bounded(user))
    return run.wait(), run.err.splitlines(), run


def listed(home, user=0):
    """Runs --set help. Returns the sets of the user, without the shipped ones,
    and the messages. The width of the columns depends on the shipped sets."""
    status, lines, run = xtrace('--set', 'help', home=home, user=user)
    case.equal(status, 0, f'status of --set help: {lines}')
    return [' '.join(line.split()) for line in run.out.splitlines()
            if 'mine' in line], lines


def check(program, said, *options, trace=TRACE, what='', **how):
    """The trace and the program are unchanged, and exactly these messages are
    printed.
    """
    output = case.FOLDER / 'output/trace'
    output.unlink(missing_ok=True)
    status, lines, run = xtrace('-o', output, *options, '-x', 'f', '--',
                                program, **how)
    case.same(lines, [f'xtrace: {line}' for line in said], f'said of {what}')
    case.equal(status, 3, f'status with {what}')
    case.equal(run.out, '5\n', f'output with {what}')
    case.same(output.read_text().splitlines(), trace, f'trace with {what}')


# ---- what may be where a file should be ------------------------------------


def fifo(path):
    os.mkfifo(path)


def zeros(path):
    path.symlink_to('/dev/zero')


def folder(path):
    path.mkdir()


def listening(path):
    with contextlib.closing(socket.socket(socket.AF_UNIX)) as server:
        here = os.getcwd()
        os.chdir(path.parent)  # because a socket's path must be short
        server.bind(path.name)
        os.chdir(here)


def device(path):
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 9))


def sparse(path):
    path.touch()
    os.truncate(path, MOST)


def endless(path):
    path.touch()
    os.truncate(path, 1 << 40)


def of_another(path):
    put(path, PROTOTYPE, NOBODY)


def link_to_another(path):
    path.symlink_to(put(fresh('theirs', NOBODY) / 'file', PROTOTYPE, NOBODY))


KINDS = [(fifo, NOT_REGULAR), (zeros, NOT_REGULAR), (folder, NOT_REGULAR),
         (listening, NOT_REGULAR), (device, NOT_REGULAR),
         (sparse, TOO_LARGE), (endless, TOO_LARGE)]
OWNERS = [(of_another, OF_ANOTHER), (link_to_another, OF_ANOTHER)]


# ---- files that xtrace finds -------------------------------------------------


def test_kinds(program):
    """Files of each kind in a folder of root's own, which xtrace would read at
    the start (xtrace.conf) or for a library (libc.so.conf).
    """
    for make, reason in KINDS + OWNERS:
        for name, home in (('libc.so.conf', 'HOME'), ('xtrace.conf', 'HOME'),
                           ('xtrace.conf', 'XDG_CONFIG_HOME')):
            config = fresh('home/.config/xtrace')
            put(config / 'libm.so.conf', PROTOTYPE)
            make(config / name)
            env = {home: str(config.parent if home != 'HOME'
                             else config.parent.parent)}
            check(program, [f'{config / name}: {reason}'], env=env,
                  what=f'{make.__name__} as {name} in {home}')


def test_just_below(program):
    config = fresh('home/.config/xtrace')
    put(config / 'xtrace.conf', PROTOTYPE.rjust(MOST - 1))
    check(program, [], home='home', what='16 MiB less one byte')


def test_imports(program):
    for make, reason in KINDS + OWNERS:
        if make is folder:
            continue  # the search for an import skips folders
        config = fresh('home/.config/xtrace')
        put(config / 'xtrace.conf', f'import "other";\n{PROTOTYPE}')
        make(config / 'other.conf')
        check(program,
              [f"{config}/xtrace.conf:1:8: 'other' cannot be imported: "
               f'{config}/other.conf: {reason}'],
              home='home', what=f'import of {make.__name__}')


def test_home_of_another(program):
    """Root reads no file in the HOME of another user, not even root's own."""
    secret = put(case.FOLDER / 'secret', SECRET, mode=0o600)
    config = fresh('theirs/.config/xtrace', NOBODY)
    put(config / 'xtrace.conf', 'int f(string theirs);\n', NOBODY)
    fifo(config / 'libc.so.conf')
    zeros(config / 'libm.so.conf')
    (config / 'owners.conf').symlink_to(secret)
    (config / 'sets').symlink_to(config)
    os.chown(config.parent, NOBODY, NOBODY)
    os.chown(config.parent.parent, NOBODY, NOBODY)
    said = [f'{config}: not read: {config.parent.parent} belongs to user '
            f'{NOBODY}, and xtrace runs as root']
    check(program, said, home='theirs', trace=GUESSED, what='HOME of another')
    check(program, said, '--sql', '-F', put(case.FOLDER / 'own.conf',
                                            PROTOTYPE),
          env={'XDG_CONFIG_HOME': str(config.parent)}, trace=TIMED,
          what='XDG_CONFIG_HOME of another')
    put(config / 'mine.conf', MINE, NOBODY)
    case.equal(listed('theirs'), ([], [f'xtrace: {said[0]}']), '--set help')
    # A folder of root's in the path does not make the file root's own.
    os.chown(config, 0, 0)
    check(program, said, home='theirs', trace=GUESSED, what='root below')
    shutil.rmtree(config)
    check(program, [], home='theirs', trace=GUESSED, what='no such folder')
    config.symlink_to(fresh('rooted'))
    put(case.FOLDER / 'rooted/xtrace.conf', SECRET)
    check(program, said, home='theirs', trace=GUESSED,
          what="a link to a folder of root's")


def test_link_of_another(program):
    """A link that another user made, in root's own folder."""
    config = fresh('home/.config/xtrace')
    config.rmdir()
    config.symlink_to(fresh('rooted'))
    put(case.FOLDER / 'rooted/xtrace.conf', PROTOTYPE)
    check(program, [], home='home', what="root's own link")
    os.chown(config, NOBODY, NOBODY, follow_symlinks=False)
    check(program,
          [f'{config}: not read: it belongs to user {NOBODY}, and xtrace runs '
           f'as root'], home='home', trace=GUESSED, what="another's link")


def test_folder_below(program):
    """A folder of another user inside a folder of root's own."""
    fresh('home/.config/xtrace')
    sets = fresh('home/.config/xtrace/sets', NOBODY)
    put(sets / 'mine.conf', MINE)
    case.equal(listed('home'),
               ([], [f'xtrace: {sets}/mine.conf: not read: {sets} belongs to '
                     f'user {NOBODY}, and xtrace runs as root']),
               '--set help')
    os.chown(sets, 0, 0)
    case.equal(listed('home'), (['mine a set'], []), '--set help, own')
    check(program, [], '--set', 'mine', home='home', trace=OF_SET,
          what='a set of root')


def test_attached(_program):
    """A FIFO in place of a prototype file does not make a running program
    wait."""
    config = fresh('home/.config/xtrace')
    fifo(config / 'libc.so.conf')
    subject = case.start('/bin/sh', '-c', 'echo ready; read l; exit 4')
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'read',
                         env={'HOME': str(case.FOLDER / 'home')})
    case.finish(subject, 4)
    tracer.wait(0)
    case.same(tracer.says(),
              [f'xtrace: {config}/libc.so.conf: {NOT_REGULAR}'], 'said')


def test_system(program):
    """/etc/xtrace.conf, in a separate mount namespace."""
    for make, reason in ((fifo, NOT_REGULAR), (of_another, OF_ANOTHER)):
        etc = fresh('etc')
        make(etc / 'xtrace.conf')
        run = case.start('unshare', '-m', '/bin/sh', '-ec',
                         f'mount --bind {etc} /etc && exec "$@"', 'sh',
                         XTRACE, '-o', 'output/trace', '-x', 'f', '--',
                         program, preexec=bounded(0))
        case.equal(run.wait(), 3, f'status: {run.err}')
        case.equal(run.err, f'xtrace: /etc/xtrace.conf: {reason}\n', 'said')


def test_installed(program):
    """A file beside the program: of root, or of a user who could replace the
    file.
    """
    share = fresh('share/xtrace')
    path = put(share / 'libc.so.conf', PROTOTYPE, NOBODY)
    check(program, [f'{path}: {OF_ANOTHER}'], trace=GUESSED,
          what='installed by another')
    os.chown(XTRACE.parent, NOBODY, NOBODY)
    check(program, [], what='the program and its files of another')
    os.chown(XTRACE.parent, 0, 0)
    shutil.rmtree(share.parent)


# ---- whose words are shown ------------------------------------------------


def test_words(program):
    """Only the owner of a file sees the words in it that fail to parse, even
    if others may read the file.
    """
    fresh('open')
    bad = put(case.FOLDER / 'open/bad.conf', SECRET)
    position = f'{bad}:1:%num: '
    for owner, user, sentence in ((0, 0, "%any'root'"), (NOBODY, 0, HUSHED),
                                  (0, NOBODY, HUSHED),
                                  (NOBODY, NOBODY, "%any'root'")):
        os.chown(bad, owner, owner)
        what = f'words of {owner} for {user}'
        _, lines, run = xtrace('-F', bad, '-x', 'f', '--', program, user=user)
        said = [line for line in lines if line.startswith('xtrace:')]
        case.contains(said, f'xtrace: {position}{sentence}')
        status, lines, run = xtrace('--check-config', bad, user=user)
        case.equal(status, 1, what)
        case.contains(lines, f'{position}{sentence}')
        case.equal(SECRET.rstrip() in run.err, owner == user, what)
        case.equal('hash' in run.err, owner == user, what)


def test_words_by_a_link(program):
    """Another user's link to a file of root's does not make xtrace print words
    of that file.
    """
    secret = put(case.FOLDER / 'secret', SECRET, mode=0o600)
    theirs = fresh('theirs', NOBODY)
    (theirs / 'x.conf').symlink_to(secret)
    put(theirs / 'import.conf', 'import "x";\n' + PROTOTYPE, NOBODY)
    for name in ('x.conf', 'import.conf'):
        for options in (['-F', theirs / name, '-x', 'f', '--', program],
                        ['--check-config', theirs / name],
                        ['-F', theirs / name, '--show-prototype', 'g']):
            _, lines, run = xtrace(*options)
            case.contains(lines, f'%any{theirs}/x.conf:1:%num: {HUSHED}')
            case.true('hash' not in run.err + run.out, f'{options}: {run.err}')
    # Another user has made a link to root's secret file in a folder of root's:
    # no message has a word of the file.
    link = fresh('open') / 'x.conf'
    link.symlink_to(secret)
    os.chown(link, NOBODY, NOBODY, follow_symlinks=False)
    _, lines, run = xtrace('--check-config', link)
    case.contains(lines, f'{link}:1:%num: {HUSHED}')
    case.true('hash' not in run.err, run.err)
    # A file imports another one, and the import's name is a word of the secret
    # file.
    put(link.parent / 'names.conf', 'import "a-secret-name";\n', NOBODY)
    _, lines, run = xtrace('--check-config', link.parent / 'names.conf')
    case.same(lines, [f'{link.parent}/names.conf:1:8: {HUSHED}'], 'import')


def test_named(program):
    """-F names the file to read. Its owner does not matter, if it is a regular
    file and not too large.
    """
    theirs = fresh('theirs', NOBODY)
    path = put(theirs / 'good.conf', PROTOTYPE, NOBODY)
    check(program, [], '-F', path, what='-F of another')
    check(program, [], '-F', theirs, '-F', path, what='-F, a folder too')
    for make, reason in KINDS:
        if make is folder:
            continue
        path = fresh('theirs', NOBODY) / 'x.conf'
        make(path)
        for options in (['-F', path, '-x', 'f', '--', program],
                        ['--set', path, '--', program],
                        ['-F', path, '--show-prototype', 'f']):
            status, lines, run = xtrace(*options)
            case.equal((status, lines, run.out),
                       (1, [f'xtrace: {path}: {reason}'], ''), f'{options}')
        status, lines, _ = xtrace('--check-config', path)
        case.equal((status, lines), (1, [f'{path}: {reason}']),
                   f'--check-config, {make.__name__}')


# ---- and as before -----------------------------------------------------------


def test_own(program):
    """Root's own home, and the home of a plain user with every kind of file in
    it.
    """
    for user in (0, NOBODY):
        config = fresh('home/.config/xtrace', user)
        put(config / 'xtrace.conf', 'import "x-types";\n' + PROTOTYPE, user)
        put(config / 'x-types.conf', 'typedef x = int;\n', user)
        put(config / 'sets/mine.conf', MINE, user)
        for path in (config.parent, config.parent.parent, config / 'sets'):
            os.chown(path, user, user)
        check(program, [], home='home', user=user, what=f"{user}'s own home")
        check(program, [], '--set', 'mine', home='home', user=user,
              trace=OF_SET, what=f"{user}'s own set")
        case.equal(listed('home', user), (['mine a set'], []),
                   f"{user}'s own sets")
    # A plain user may read the files of other users, for example those of the
    # system.
    config = fresh('home/.config/xtrace')
    put(config / 'xtrace.conf', PROTOTYPE)
    check(program, [], home='home', user=NOBODY, what="root's, read by nobody")


def test_plain_user(program):
    """If a plain user's prototype file is a FIFO or a device, xtrace does not
    wait for it."""
    for make, reason in KINDS:
        config = fresh('home/.config/xtrace')
        put(config / 'libm.so.conf', PROTOTYPE)
        make(config / 'libc.so.conf')
        check(program, [f'{config}/libc.so.conf: {reason}'], home='home',
              user=NOBODY, what=f'{make.__name__} for nobody')


def test():
    case.FOLDER.chmod(0o755)
    (case.FOLDER / 'output').mkdir()
    (case.FOLDER / 'output').chmod(0o777)
    (case.FOLDER / 'bin').mkdir()
    shutil.copy(case.XTRACE, XTRACE)
    program = shutil.copy(case.build('owners.c'), XTRACE.parent / 'owners')
    for one in (test_kinds, test_just_below, test_imports,
                test_home_of_another, test_link_of_another, test_folder_below,
                test_attached, test_system, test_installed, test_words,
                test_words_by_a_link, test_named, test_own, test_plain_user):
        one(program)


case.main(test)
