/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calls of common.c on files and folders, and what all of its calls use. */
#ifndef SYSTEM_CALLS_COMMON_FILES_H
#define SYSTEM_CALLS_COMMON_FILES_H

#include <fcntl.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

#define DO(name, ...) syscall(SYS_##name, ##__VA_ARGS__)

static char buffer[4096];
static struct stat status;

static void
files(void)
{
	struct iovec pieces[2] = { { "hello ", 6 }, { "world\n", 6 } };
	struct iovec room[2] = { { buffer, 4 }, { buffer + 8, 100 } };
	struct open_how how = { .flags = O_RDONLY | O_CLOEXEC,
				.resolve = RESOLVE_BENEATH };
	struct flock lock = { .l_type = F_WRLCK,
			      .l_whence = SEEK_SET,
			      .l_len = 10 };
	struct statx more;
	loff_t from = 0;
	int fd, other, copy;

	fd = DO(openat, AT_FDCWD, "file", O_RDWR | O_CREAT | O_TRUNC, 0644);
	DO(openat, AT_FDCWD, "missing", O_RDONLY | O_CLOEXEC);
	DO(openat, AT_FDCWD, ".", O_WRONLY | O_TMPFILE | O_EXCL, 0600);
	other = DO(open, "file", O_RDONLY | O_NOFOLLOW);
	DO(open, "file", O_WRONLY | O_CREAT | O_EXCL, 0666);
	DO(close, syscall(SYS_creat, "created", 0600));
	DO(close, syscall(SYS_openat2, AT_FDCWD, "file", &how, sizeof(how)));
	DO(write, fd, "hello\tworld\n\1\377\"quoted\"", 22);
	DO(write, fd, "0123456789012345678901234567890123456789", 40);
	DO(write, -1, "x", 1);
	DO(pwrite64, fd, "pwrite", 6, 100);
	DO(writev, fd, pieces, 2);
	DO(pwritev, fd, pieces, 2, 200, 0);
	DO(lseek, fd, 0, SEEK_SET);
	DO(lseek, fd, -1, SEEK_SET);
	DO(lseek, fd, 0, SEEK_END);
	DO(lseek, fd, 0, SEEK_DATA);
	DO(read, fd, buffer, 6);
	DO(read, fd, buffer, sizeof(buffer));
	DO(read, fd, buffer, sizeof(buffer));
	DO(read, -1, buffer, sizeof(buffer));
	DO(pread64, fd, buffer, 5, 1);
	DO(readv, other, room, 2);
	DO(lseek, other, 0, SEEK_SET);
	DO(readv, other, room, 1);
	DO(preadv, other, room, 2, 0, 0);
	DO(preadv2, other, room, 2, 0, 0, RWF_HIPRI);
	DO(stat, "file", &status);
	DO(stat, "missing", &status);
	DO(lstat, "file", &status);
	DO(fstat, fd, &status);
	DO(newfstatat, AT_FDCWD, "file", &status, AT_SYMLINK_NOFOLLOW);
	DO(newfstatat, fd, "", &status, AT_EMPTY_PATH);
	DO(statx, AT_FDCWD, "file", AT_STATX_SYNC_AS_STAT, STATX_BASIC_STATS,
	   &more);
	DO(access, "file", R_OK | W_OK);
	DO(access, "missing", F_OK);
	DO(faccessat, AT_FDCWD, "file", X_OK);
	DO(faccessat2, AT_FDCWD, "file", R_OK, AT_EACCESS);
	copy = DO(dup, fd);
	DO(dup2, fd, copy);
	DO(dup3, fd, copy, O_CLOEXEC);
	DO(fcntl, fd, F_GETFL);
	DO(fcntl, fd, F_SETFL, O_RDWR | O_APPEND | O_NONBLOCK);
	DO(fcntl, fd, F_SETFL, O_RDWR);
	DO(fcntl, copy, F_GETFD);
	DO(fcntl, copy, F_SETFD, FD_CLOEXEC);
	DO(close, syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, 20));
	DO(close, syscall(SYS_fcntl, fd, F_DUPFD, 3));
	DO(fcntl, fd, F_SETLK, &lock);
	DO(fcntl, fd, F_GETLK, &lock);
	DO(fcntl, fd, F_GETPIPE_SZ);
	DO(flock, fd, LOCK_EX | LOCK_NB);
	DO(fsync, fd);
	DO(fdatasync, fd);
	DO(sync_file_range, fd, 0, 10, SYNC_FILE_RANGE_WRITE);
	DO(truncate, "file", 50);
	DO(ftruncate, fd, 300);
	DO(fallocate, fd, FALLOC_FL_KEEP_SIZE, 0, 1000);
	DO(fadvise64, fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	DO(sendfile, copy, other, &from, 5);
	DO(copy_file_range, other, NULL, copy, NULL, 5, 0);
	DO(fchmod, fd, 0640);
	DO(fchown, fd, -1, -1);
	DO(close, copy);
	DO(close_range, 30, ~0U, 0);
	DO(close_range, 30, 40, CLOSE_RANGE_CLOEXEC);
	DO(close, other);
	DO(close, fd);
	DO(close, fd);
}

static void
folders(void)
{
	struct timespec times[2] = { { 1000000000, 5 }, { 0, UTIME_NOW } };
	struct utimbuf seconds = { 1000000000, 1000000001 };
	struct timeval moments[2] = { { 1000000000, 7 }, { 1000000001, 8 } };
	struct statfs system;
	int fd, watch;

	DO(umask, 022);
	DO(getcwd, buffer, sizeof(buffer));
	DO(mkdir, "folder", 0755);
	DO(mkdir, "folder", 0755);
	DO(mkdirat, AT_FDCWD, "folder/inner", 0700);
	fd = DO(openat, AT_FDCWD, "folder", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DO(getdents64, fd, buffer, sizeof(buffer));
	DO(getdents64, fd, buffer, sizeof(buffer));
	DO(fchdir, fd);
	DO(chdir, "..");
	DO(chdir, "missing");
	DO(link, "file", "linked");
	DO(linkat, AT_FDCWD, "file", AT_FDCWD, "other", AT_SYMLINK_FOLLOW);
	DO(symlink, "file", "soft");
	DO(symlinkat, "../file", fd, "soft");
	DO(readlink, "soft", buffer, sizeof(buffer));
	DO(readlink, "file", buffer, sizeof(buffer));
	DO(readlinkat, fd, "soft", buffer, sizeof(buffer));
	DO(rename, "linked", "renamed");
	DO(renameat, AT_FDCWD, "renamed", fd, "renamed");
	DO(renameat2, fd, "renamed", AT_FDCWD, "linked", RENAME_NOREPLACE);
	DO(chmod, "file", 0600);
	DO(chmod, "file", 04755);
	DO(fchmodat, AT_FDCWD, "file", 0644);
	DO(chown, "file", -1, 0);
	DO(lchown, "soft", 0, -1);
	DO(fchownat, AT_FDCWD, "soft", -1, -1, AT_SYMLINK_NOFOLLOW);
	DO(mknod, "fifo", S_IFIFO | 0600, 0);
	DO(mknodat, AT_FDCWD, "fifo", S_IFIFO | 0600, 0);
	DO(utimensat, AT_FDCWD, "file", times, AT_SYMLINK_NOFOLLOW);
	DO(utimensat, AT_FDCWD, "file", NULL, 0);
	DO(utime, "file", &seconds);
	DO(utimes, "file", moments);
	DO(statfs, "/proc", &system);
	DO(fstatfs, fd, &system);
	DO(setxattr, "file", "user.color", "blue", 4, XATTR_CREATE);
	DO(getxattr, "file", "user.color", buffer, 100);
	DO(getxattr, "file", "user.none", buffer, 100);
	DO(lgetxattr, "file", "user.color", buffer, 100);
	DO(listxattr, "file", buffer, 100);
	DO(removexattr, "file", "user.color");
	watch = DO(inotify_init1, IN_CLOEXEC | IN_NONBLOCK);
	DO(inotify_add_watch, watch, ".", IN_CREATE | IN_DELETE);
	DO(inotify_rm_watch, watch, 1);
	DO(close, watch);
	DO(unlink, "missing");
	DO(unlink, "file");
	DO(unlink, "created");
	DO(unlink, "linked");
	DO(unlink, "other");
	DO(unlink, "soft");
	DO(unlink, "fifo");
	DO(unlinkat, fd, "soft", 0);
	DO(unlinkat, AT_FDCWD, "folder/inner", AT_REMOVEDIR);
	DO(rmdir, "folder");
	DO(close, fd);
}

#endif
