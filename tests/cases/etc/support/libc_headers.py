# SPDX-License-Identifier: GPL-2.0-or-later
"""The libraries and the headers of glibc, for libc.py and narrow.py."""
LIBRARIES = ['libc.so.6', 'libm.so.6', 'libresolv.so.2', 'libcrypt.so.1',
             'librt.so.1', 'libpthread.so.0', 'libdl.so.2', 'libutil.so.1',
             'libanl.so.1', 'ld-linux-x86-64.so.2']

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
SOURCE = FIRST + ''.join(f'#include <{name}.h>\n' for name in HEADERS.split())
