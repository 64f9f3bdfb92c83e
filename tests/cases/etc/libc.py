#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prototypes of libc and libm, checked as prototypes.py describes. Of the
functions in the SYNOPSIS of the manual's sections 2 and 3 that the libraries
still export, at least nine of ten have a prototype.

NEEDS: /usr/share/man/man3/printf.3.gz
TIMEOUT: 120
"""
import gzip
import pathlib
import re

import case
import prototypes
from prototypes import Set

LIBRARIES = ['libc.so.6', 'libm.so.6', 'libresolv.so.2', 'libcrypt.so.1',
             'librt.so.1', 'libpthread.so.0', 'libdl.so.2', 'libutil.so.1',
             'libanl.so.1', 'ld-linux-x86-64.so.2']
MANUAL = pathlib.Path('/usr/share/man')
LEAST = 90  # per cent, at least

HEADERS = '''aio alloca argp argz arpa/inet arpa/nameser byteswap complex crypt
ctype dirent dlfcn endian envz err errno error execinfo fcntl fenv fmtmsg
fnmatch fstab fts ftw getopt glob grp gshadow iconv ifaddrs inttypes langinfo
libgen libintl link limits locale malloc math mcheck mntent monetary mqueue
net/if netdb netinet/ether netinet/in netinet/tcp nl_types nss obstack poll
printf proc_service pthread pty pwd re_comp regex resolv rpc/netdb sched search
semaphore setjmp shadow signal spawn stdio stdio_ext stdlib string strings
sys/acct sys/auxv sys/epoll sys/eventfd sys/fanotify sys/file sys/fsuid sys/gmon
sys/inotify sys/io sys/ioctl sys/ipc sys/klog sys/mman sys/mount sys/msg
sys/param sys/personality sys/pidfd sys/platform/x86 sys/poll sys/prctl
sys/profil sys/ptrace sys/quota sys/random sys/reboot sys/resource sys/select
sys/sem sys/sendfile sys/shm sys/signalfd sys/socket sys/stat sys/statfs
sys/statvfs sys/swap sys/syscall sys/sysinfo sys/syslog sys/sysmacros sys/time
sys/timeb sys/timerfd sys/times sys/timex sys/uio sys/un sys/utsname sys/vlimit
sys/wait sys/xattr syslog termios threads time ttyent uchar ucontext ulimit
unistd utime utmp utmpx wchar wctype wordexp asm/prctl linux/fs linux/magic
linux/sockios linux/futex aliases'''

FIRST = '''#define _GNU_SOURCE
#define _LARGEFILE64_SOURCE 1
#include <sys/types.h>
'''


def synopses():
    """The names in these SYNOPSIS sections that look like functions."""
    names = set()
    for page in MANUAL.glob('man[23]/*.gz'):
        text = gzip.open(page, 'rt', errors='replace').read()
        part = re.search(r'\.SH SYNOPSIS(.*?)\n\.SH ', text, re.S)
        if part:
            plain = re.sub(r'\\f.|\\&|"', '', part[1])
            names |= set(re.findall(r'\b([A-Za-z_]\w*)\s*\(', plain))
    return names


def test():
    source = FIRST + ''.join(f'#include <{name}.h>\n'
                             for name in HEADERS.split())
    files = ['libc.so.6.conf', 'libm.so.conf', 'libcrypt.so.conf']
    faults, figure, model, _ = prototypes.check(
        prototypes.model_program(),
        Set('libc, libm', files, LIBRARIES, source, []),
        prototypes.elsewhere())
    exported = set()
    for library in LIBRARIES[:2]:
        exported |= prototypes.exports(prototypes.LIBRARIES / library)
    asked = synopses() & exported
    covered = asked & set(model.protos)
    share = 100 * len(covered) / len(asked)
    figures = [figure, f'manual: {len(covered)} of {len(asked)} functions of '
               f'sections 2 and 3 ({share:.1f} %)']
    if share < LEAST:
        faults.append(figures[-1] + ', without ' +
                      ' '.join(sorted(asked - covered)))
    prototypes.finish('libc', faults, figures)


case.main(test)
