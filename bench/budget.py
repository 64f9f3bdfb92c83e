# SPDX-License-Identifier: GPL-2.0-or-later
"""What --budget 2% leaves of a program's requests per second: the row `budget`.

Each program answers requests as fast as it can, in one thread, and counts them
by its own clock, after a first second. By turns, it runs alone, traced with the
budget, and traced without a budget; xtrace attaches to it. The last line of a
program tells what the stops have cost, as xtrace says.
"""
import os
import re
import statistics

from rows import PYTHON, row
import fetching
from tools import Attached

BUDGET = 2
PROGRAM = '''
import os, sys, time
%s
def measured(seconds):
    done, end = 0, time.perf_counter() + seconds
    while time.perf_counter() < end:
        request()
        done += 1
    return done / seconds
request()
print('ready', flush=True)
sys.stdin.readline()
measured(1)
print(measured(float(sys.argv[1])))
'''
# A request of some milliseconds. Its memory is from malloc().
MALLOC = '''
def request():
    kept = [bytearray(600 + i %% 50) for i in range(3000)]
    return len(kept)
'''
SQLITE = '''
import sqlite3
base = sqlite3.connect(':memory:')
base.execute('create table t(a, b)')
base.executemany('insert into t values (?, ?)', [(i, 'x') for i in range(40)])
def request():
    for i in range(10):
        base.execute('select a, b from t where a < ?', (i,)).fetchall()
    sum(i * i for i in range(5000))
'''
MARIADB = '''
import MySQLdb
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       database='xtrace')
cursor = base.cursor()
def request():
    for i in range(1, 6):
        cursor.execute(f'select seq from seq_1_to_100 where seq <= {i}')
        cursor.fetchall()
    sum(i * i for i in range(5000))
'''
SECONDS, SECONDS_WITHOUT = 9, 2
SAID = re.compile(r'the stops have cost the threads ([\d.]+) % of their time')
# For each program: its text, what is traced, and the least part of the requests
# that must be left with the budget.
PROGRAMS = {
    'malloc() and free() of Python': (MALLOC, ['-c', '-x', 'malloc+free'],
                                      0.97),
    'sqlite3': (SQLITE, ['--sql', '--summary'], 0.97),
    'MySQLdb': (MARIADB, ['--sql', '--summary'], 0.97),
}


def compare(bench, name, text, options, target):
    script = bench.folder / 'requests.py'
    script.write_text(PROGRAM % text.replace('%%', '%'))
    alone = [PYTHON, script, SECONDS]
    costs = []

    def attached(command, more):
        with Attached(bench, command, [*options, *more],
                      greeting=True) as both:
            both.go()
        return both

    def with_budget():
        both = attached(alone, ['--stats', f'--budget={BUDGET}'])
        costs.append(float(SAID.search(both.said)[1]))
        return float(both.heard)

    found = bench.rounds({
        'with --budget 2%': with_budget,
        'alone': lambda: float(bench.run(alone).stdout.split()[1]),
        'without': lambda: float(attached(
            [PYTHON, script, SECONDS_WITHOUT], []).heard)})
    for above, least in (('with --budget 2%', ('>=', target)),
                         ('without', None)):
        bench.ratio(found, above, 'alone', least,
                    f'requests, {name}', scale=1, unit='a second')
    bench.line(statistics.median(costs), BUDGET,
               f'% of its time, {name}, as xtrace says')


@row
def budget(bench):
    running = fetching.servers.Servers(bench.folder / 'servers',
                                       bench.folder / 'templates')
    try:
        os.environ.update(running.need('mariadb'))
        for name, (text, options, target) in PROGRAMS.items():
            compare(bench, name, text, options, target)
    finally:
        running.stop()
