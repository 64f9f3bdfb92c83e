# SPDX-License-Identifier: GPL-2.0-or-later
"""What the page of --live costs at 2000 queries a second: the CPU time of xtrace
with --live, less that with --summary, which counts the same queries but draws
nothing, as a share of one CPU. Both have a terminal.
"""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading
import time

from rows import PYTHON, row
from tools import median, wait_until

RATE = 2000
SECONDS = 8
# Each text has another name of its column, so each is a row of the table.
CLIENT = '''
import sqlite3, sys, time
rate, seconds, texts = map(int, sys.argv[1:])
base = sqlite3.connect(':memory:', isolation_level=None)
queries = [f'select 1 as c{i}' for i in range(texts)]
print('ready', flush=True)
sys.stdin.readline()
begun = time.monotonic()
for i in range(rate * seconds):
    base.execute(queries[i % texts]).fetchall()
    ahead = begun + i / rate - time.monotonic()
    if ahead > 0:
        time.sleep(ahead)
print(rate * seconds / (time.monotonic() - begun), flush=True)
'''


def drain(descriptor):
    """Reads what xtrace writes to the terminal, as a terminal does."""
    try:
        while os.read(descriptor, 65536):
            pass
    except OSError:  # the last program has closed the terminal
        pass


def shares(bench, option, texts):
    """Runs xtrace attached to a client: the share of a CPU that xtrace has used
    while the queries were made, and queries a second."""
    script = bench.folder / 'asking.py'
    script.write_text(CLIENT)
    client = subprocess.Popen(
        [PYTHON, script, str(RATE), str(SECONDS), str(texts)], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack('4H', 40, 120, 0, 0))
    try:
        client.stdout.readline()
        tracer = subprocess.Popen(
            [bench.xtrace, option, '--sql', '-p', str(client.pid)],
            stdin=theirs, stdout=theirs, stderr=theirs,
            env={**os.environ, 'TERM': 'xterm'}, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        os.close(theirs)
        reader = threading.Thread(target=drain, args=[ours])
        reader.start()
        wait_until(lambda: traced(client.pid))
        time.sleep(1)  # so that xtrace's beginning does not count
        begun = used(tracer.pid)
        client.stdin.write('\n')
        client.stdin.flush()
        rate = float(client.stdout.readline())
        spent = used(tracer.pid) - begun
        client.communicate()
        tracer.wait()
        reader.join()
    finally:
        client.kill()
        client.wait()
        os.close(ours)
    return spent / (RATE * SECONDS / rate), rate


def traced(pid):
    with open(f'/proc/{pid}/status', encoding='ascii') as status:
        return int(re.search(r'TracerPid:\s+(\d+)', status.read())[1]) != 0


def used(pid):
    """Seconds of CPU time of all threads of the process."""
    with open(f'/proc/{pid}/stat', encoding='ascii') as stat:
        words = stat.read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


@row
def live(bench):
    for texts in (20, 1000):
        costs, rates, whole = [], [], []
        for _ in range(min(bench.runs, 5)):
            without, _ = shares(bench, '--summary', texts)
            with_page, rate = shares(bench, '--live', texts)
            costs.append(100 * (with_page - without))
            whole.append(100 * with_page)
            rates.append(rate)
        bench.line(median(costs), 5, '% of a CPU for the page of --live, '
                   f'{texts} texts', f'at {median(rates):.0f} queries a second; '
                   f'all of xtrace {median(whole):.1f} %')
