#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""capture.py TOOL FILE COMMAND...: an image of a subject of this folder.

TOOL is what `make capture` makes. The command runs a subject, which says where
it is and waits; its youngest thread is captured, and what the walk finds must
be what the subject says. Subjects lie in /tmp, so that no image has a path of
the machine it was made on:

    cp tests/unit/stacks/capture/subject.py /tmp
    capture.py build/tests/capture tests/fuzz/corpus/stack/python-3.11 \\
        /usr/bin/python3 /tmp/subject.py
"""
import os
import subprocess
import sys


def last_thread(pid):
    return max(int(tid) for tid in os.listdir(f'/proc/{pid}/task'))


def main():
    tool, path, *command = sys.argv[1:]
    subject = subprocess.Popen(command, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    said = subject.stdout.readline().strip(b'\n')
    while True:
        tid = last_thread(subject.pid)
        with open(f'/proc/{subject.pid}/task/{tid}/syscall', 'rb') as file:
            if file.read().startswith(b'0 0x0 '):  # it waits in read(0, ...)
                break
    found = subprocess.run([tool, str(tid), path], stdout=subprocess.PIPE,
                           check=True).stdout.strip(b'\t\n')
    subject.stdin.write(b'\n')
    subject.stdin.close()
    subject.wait()
    if found != said:
        print(f'the subject says {said}\nthe walk says    {found}')
        return 1
    return 0


if __name__ == '__main__':
    sys.exit(main())
