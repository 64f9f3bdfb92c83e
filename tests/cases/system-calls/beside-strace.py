#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-S beside strace: support/common.c makes some 200 of the commonest system
calls, and both tools trace it. Their lines are compared after the numbers that
change from run to run are replaced. STYLE has the differences that all calls
have. Where the lines differ nevertheless, MEANT has what xtrace means to show,
and POORER what it shows where strace shows more. Every other difference is a
failure, and so is a row of these tables that is not needed.

NEEDS: strace gcc
TIMEOUT: 60
"""
import re
import subprocess

import case

ETC = case.TESTS.parent / 'etc'
FIRST, CALLS = 'getpgid', 200

# Differences that all calls have: patterns in strace's text, and what xtrace
# writes in their place.
STYLE = [
    (r' ?/\* .*? \*/', ''),                         # comments: dates, counts
    (r' \(\d{4}-\d\d-\d\dT\S+\)$', ''),
    (r'\bNULL\b', 'nil'),
    (r'inet_pton\(AF_INET6, "(.*?)", &\w+\)', r'\1'),
    (r'sin6_flowinfo=htonl\(0\), |, sin6_scope_id=0', ''),
    (r'(?<![\w"])[a-z_][a-z0-9_]*=(?!=)', ''),      # names: only with --names
    (r'htons\((\d+)\)', r'\1'),
    (r'inet_addr\("(.*?)"\)', r'\1'),
    (r'~\[\]', 'ALL'),                              # the set of all signals
    (r'~\[([A-Z0-9 ]+)\]', lambda m: f'~<{m[1].replace(" ", "|")}>'),
    (r'\[([A-Z]+[0-9]?(?: [A-Z]+[0-9]?)*)\]',
     lambda m: m[1].replace(' ', '|')),
    (r'= \d+ \((SIG\w+|SCHED_\w+)\)$', r'= \1'),    # the name without number
    (r'= 0 \(Timeout\)$', '= 0'),
    (r' => ', ' -> '),
    (r'\) = \?$', ' <no return ...>'),
    (r'WIFEXITED\(s\) && WEXITSTATUS\(s\) == (\d+)', r'WIFEXITED, \1'),
    (r'\[\{WIFSIGNALED\(s\) && WTERMSIG\(s\) == (\w+)\}\]', r'\1'),
    (r'\(To be restarted if no handler\)', '(restarts if no handler runs)'),
]
# Replacements in both texts: after them, two forms of the same thing are equal.
ALIKE = [
    (r'0x[0-9a-f]{6,}', 'ADDRESS'),
    (r'(?<!\\)\\([0-7]{1,2})(?![0-7])',
     lambda m: f'\\{int(m[1], 8):03o}'),
    (r'\w+(?:\|\w+)+', lambda m: '|'.join(sorted(m[0].split('|')))),
    (r'\bST_\w+(?:\|ST_\w+)*', 'FLAGS'),           # how it is mounted
    (r'\[([^][,]+)\]', r'\1'),                      # an array of one value
    *2 * [(r'\[(\{(?:(?!\}, \{)[^][])*\})\]', r'\1')],
]
# Calls with numbers of the moment or of the machine: all numbers become N.
CHANGING = set('''stat lstat fstat newfstatat statx statfs fstatfs sysinfo uname
    clock_gettime gettimeofday time times getrusage timer_gettime
    timerfd_gettime getcpu getsockname getpeername accept4 connect shmget shmat
    shmctl semget semctl getpid getppid gettid getpgid getpgrp getsid fork clone
    clone3 wait4 waitid kill tgkill tkill getgroups brk select setitimer
    rt_sigtimedwait getuid geteuid getgid getegid getresuid getresgid setuid
    setreuid alarm set_tid_address vfork'''.split())

# Arguments, or whole lines, that xtrace means to show in its own way.
MEANT = {
    'a struct as programs look at it: its usual fields, in their order': '''
        stat("file", {N, N, N|S_IFREG, N, N, N, {N, N}}
        lstat("file", {N, N, N|S_IFREG, N, N, N, {N, N}}
        fstat(N, {N, N, N|S_IFREG, N, N, N, {N, N}}
        newfstatat(AT_FDCWD, "file", {N, N, N|S_IFREG, N, N, N, {N, N}}, AT_SYMLINK_NOFOLLOW
        newfstatat(N, "", {N, N, N|S_IFREG, N, N, N, {N, N}}, AT_EMPTY_PATH
        statx(AT_FDCWD, "file", AT_STATX_SYNC_AS_STAT, STATX_BASIC_STATS, {N, N, N, N|S_IFREG, N, N, {N, N}}
        getrusage(RUSAGE_SELF, {{N, N}, {N, N}, N}
        wait4(N, {WIFEXITED, N}, __WALL, {{N, N}, {N, N}, N}
        waitid(P_PID, N, {SIGCHLD, CLD_EXITED, N, N, N}, WEXITED|WNOWAIT, nil
        rt_sigaction(SIGUSR1, {ADDRESS, SA_RESTART|SA_RESTORER, USR2}, nil, 8
        rt_sigaction(SIGUSR1, nil, {ADDRESS, SA_RESTART|SA_RESTORER, USR2}, 8
        clone3({N, nil, nil, nil, SIGCHLD, nil, N, nil}, N
        openat2(AT_FDCWD, "file", {O_CLOEXEC|O_RDONLY, 0, RESOLVE_BENEATH}, 24
        fcntl(3, F_SETLK, {F_WRLCK, SEEK_SET, 0, 10, 0}
        utimensat(AT_FDCWD, "file", [{1000000000, 5}, {0, UTIME_NOW}], AT_SYMLINK_NOFOLLOW
        sendmsg(3, {nil, 0, {"piece", 5}, 1, nil, 0, 0}, MSG_NOSIGNAL
        recvmsg(4, {nil, 0, {"piece", 100}, 1, nil, 0, 0}, 0
        sched_getparam(0, {0}
        statfs("/proc", {PROC_SUPER_MAGIC, N, N, N, N, N, N, N, N, FLAGS}
        fstatfs(N, {FILESYSTEM, N, N, N, N, N, N, N, N, FLAGS}
        recvmmsg(4, {{nil, 0, {"piece", 100}, 1, nil, 0, 0}, 5}, 1, MSG_DONTWAIT, nil
        ''',
    'a result by its name alone': '''
        fcntl(3, F_GETFL) = O_LARGEFILE|O_RDWR
        fcntl(6, F_GETFD) = FD_CLOEXEC
        personality(ADDRESS) = PER_LINUX
        ''',
    'what it was before the call and what it is after it': '''
        fcntl(3, F_GETLK, {F_WRLCK, SEEK_SET, 0, 10, 0} -> {F_UNLCK, SEEK_SET, 0, 10, 0}
        poll({6, POLLIN, 0}, 1, 0
        poll([{6, POLLIN, 0}, {7, POLLOUT, 0}] -> [{6, POLLIN, 0}, {7, POLLOUT, POLLOUT}], 2, -1) = 1
        poll({6, POLLIN, 0} -> {6, POLLIN, POLLIN}, 1, 1000) = 1
        ppoll([{6, POLLIN, POLLIN}, {7, POLLOUT, POLLOUT}], 2, {0, 0}, CHLD|USR1, 8) = 2
        select(N, <N>, nil, nil, {N, N} -> {N, N}) = N
        select(N, <N> -> <>, nil, nil, {N, N} -> {N, N}) = N
        pselect6(7, <6>, nil, nil, {0, 0}, {CHLD|USR1, 8}) = 1
        ''',
    'a number as a number': '''
        epoll_ctl(8, EPOLL_CTL_ADD, 6, {EPOLLET|EPOLLIN, 0x7}
        epoll_ctl(8, EPOLL_CTL_MOD, 6, {EPOLLIN|EPOLLRDHUP, 0x7}
        epoll_wait(8, {EPOLLIN, 0x7}, 1, -1
        epoll_pwait(8, {EPOLLIN, 0x7}, 1, 0, nil, 8
        madvise(ADDRESS, 1, -1
        ioctl(3, 0x1234, 0x5
        rseq(nil, 32, 0, ADDRESS
        ''',
    'one name, and the names of the C library': '''
        ioctl(3, TCGETS, {ICRNL|IXON, ONLCR|OPOST, B38400|CREAD|CS8, ECHO|ECHOCTL|ECHOE|ECHOK|ECHOKE|ICANON|IEXTEN|ISIG}
        ioctl(3, TCSETS, {ICRNL|IXON, ONLCR|OPOST, B38400|CREAD|CS8, ECHO|ECHOCTL|ECHOE|ECHOK|ECHOKE|ICANON|IEXTEN|ISIG}
        ioctl(3, TCSETSW, {ICRNL|IXON, ONLCR|OPOST, B38400|CREAD|CS8, ECHO|ECHOCTL|ECHOE|ECHOK|ECHOKE|ICANON|IEXTEN|ISIG}
        setsockopt(5, SOL_SOCKET, SO_RCVTIMEO, {5, 0}, 16
        ''',
    'no argument without a meaning': '''
        prctl(PR_SET_NO_NEW_PRIVS, 1
        semctl(N, N, IPC_RMID
        getcpu(N, N
        gettimeofday({N, N}
        ''',
    'the arguments in the kernel\'s order': '''
        clone(SIGCHLD, nil
        ''',
    'an environment by its size': '''
        execve("missing", ["missing", "-x"], /* 1 var */
        execveat(AT_FDCWD, "missing", ["missing", "-x"], /* 1 var */, AT_SYMLINK_NOFOLLOW
        ''',
    'of a failed call, the address': '''
        recvmsg(4, ADDRESS, MSG_DONTWAIT
        ''',
    'messages as they are at the entry': '''
        sendmmsg(3, [{{nil, 0, {"piece", 5}, 1, nil, 0, 0}, 0}, {{nil, 0, {"piece", 5}, 1, nil, 0, 0}, 0}], 2, 0
        ''',
}
POORER = {
    'results without names': '''
        prctl(PR_GET_DUMPABLE) = 1
        ''',
    'no arguments from the stack': '''
        rt_sigreturn(
        rt_sigreturn() = -1 EINTR (Interrupted system call)
        ''',
}


def apply(rules, text):
    for pattern, new in rules:
        text = re.sub(pattern, new, text)
    return text


def normal(line, strace):
    """A line in the form that is compared, without numbers that change."""
    line = re.sub(r'^(\w+)@SYS\(', r'\1(', line)
    line = re.sub(r'\) +=( -?\w|\s\?)', r') =\1', line)
    name = line.split('(')[0]
    line = apply((STYLE if strace else []) + ALIKE, line)
    if name == 'capget':
        return 'capget(' + ' '.join(sorted(re.findall(r'CAP_\w+|= .*', line)))
    if re.match('rt_sig|sig', name):
        line = line.replace('[]', '0')
    if name in CHANGING:
        line = re.sub(r'(?<![\w.])-?(\d+|0x[0-9a-f]+)(?![\w.])', 'N', line)
    line = re.sub(r'getcwd\(".*"(\.\.\.)?', 'getcwd("FOLDER"', line)
    line = re.sub(r'(?<=etaffinity\(0, )(\d+), .*\)', r'\1, CPUS)', line)
    line = re.sub(r'getrandom\(".*?(?<!\\)"', 'getrandom("BYTES"', line)
    line = re.sub(r'"Linux", .*\}', '"Linux", TEXT}', line)
    line = re.sub(r'(?<=TIOCGPTN, )\d+', 'NUMBER', line)
    line = re.sub(r'(?<=STACK, \{)[^}]*', 'LIMIT, LIMIT', line)
    # The number of a new terminal depends on the others of this machine.
    line = re.sub(r'(?<=TIOCGPTN, )\d+', 'N', line)
    return re.sub(r'(?<=fstatfs\(N, \{)\w+', 'FILESYSTEM', line)


def lines_of(path, strace):
    """The calls from FIRST on. Lines of signals are not compared."""
    lines = [line for line in path.read_text().splitlines()
             if re.match(r'\w+(@SYS)?\(', line)]
    first = next(i for i, line in enumerate(lines) if line.startswith(FIRST))
    return [normal(line, strace) for line in lines[first:]]


def trace(name, *command):
    folder = case.FOLDER / f'in-{name}'
    folder.mkdir()
    output = case.FOLDER / f'{name}.trace'
    program = case.build('common.c')
    subprocess.run([*command, '-o', output, program], cwd=folder, check=True,
                   timeout=case.LIMIT)
    case.equal(list(folder.iterdir()), [], f'files that are left by {name}')
    return lines_of(output, name == 'strace')


def rows(table):
    return {line.strip() for text in table.values()
            for line in text.splitlines() if line.strip()}


def row_of(ours, theirs, known):
    """The row for a line of xtrace: the whole line, or its arguments, if both
    tools have the same result."""
    if ours in known:
        return ours
    arguments, _, result = ours.rpartition(') = ')
    return arguments if arguments in known and \
        theirs.rpartition(') = ')[2] == result else None


def compare(ours, theirs):
    counts = {'equal': 0, 'meant': 0, 'poorer': 0}
    tables = {'meant': rows(MEANT), 'poorer': rows(POORER)}
    unused, wrong = tables['meant'] | tables['poorer'], []
    for mine, other in zip(ours, theirs):
        if mine == other:
            counts['equal'] += 1
            continue
        for kind, known in tables.items():
            row = row_of(mine, other, known)
            if row is not None:
                counts[kind] += 1
                unused.discard(row)
                break
        else:
            wrong += [f'strace: {other}', f'xtrace: {mine}']
    print(f'{len(ours)} lines:', counts)
    return wrong, sorted(unused)


def verdicts():
    """For tests/beside-strace: call -> how its lines differ, or "same"."""
    theirs = trace('strace', 'strace')
    ours = trace('xtrace', case.XTRACE, '-F', ETC, '-LS')
    reasons = {row.strip(): f'differs: {kind}{reason}'
               for kind, table in (('', MEANT), ('less, ', POORER))
               for reason, lines in table.items()
               for row in lines.splitlines() if row.strip()}
    found = {}
    for mine, other in zip(ours, theirs):
        row = row_of(mine, other, reasons)
        how = reasons[row] if row else 'differs' if mine != other else 'same'
        of_call = found.setdefault(re.match(r'\w+', mine)[0], [])
        if how not in of_call:
            of_call.append(how)
    return {name: [how for how in of_call if how != 'same'] or ['same']
            for name, of_call in found.items()}


def test():
    theirs = trace('strace', 'strace')
    ours = trace('xtrace', case.XTRACE, '-F', ETC, '-LS')
    names = [[line.split('(')[0].split(' ')[0] for line in lines]
             for lines in (ours, theirs)]
    case.equal(names[0], names[1], 'the calls')
    case.true(len(set(names[0])) >= CALLS, f'{len(set(names[0]))} calls')
    wrong, unused = compare(ours, theirs)
    if wrong:
        case.fail('they differ:', *wrong)
    if unused:
        case.fail('rows that no line needs:', *unused)


if __name__ == '__main__':
    case.main(test)
