#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--slow-log: pt-query-digest and mysqldumpslow read the file, and find each
query of the trace with its time, rows and error, whatever its text is: lines
that look like a part of the log, NULs, escape sequences of terminals.
--min-time chooses the slow queries. The file also has queries of unknown text.
The client's output is as untraced.

NEEDS: mariadb postgresql pt-query-digest mysqldumpslow
TIMEOUT: 120
"""
import json
import re
import subprocess

import case
import matrix

PYTHON = r'''
import os
import pymysql
base = pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       database='xtrace', autocommit=True)
cursor = base.cursor()
def ask(text):
    try:
        cursor.execute(text)
        print(cursor.fetchall())
    except pymysql.Error as error:
        print(error.args[0])
for text in %s:
    ask(text)
'''
UNKNOWN = '''
require 'pg'
base = PG.connect
%w[mine yours].each { |name| base.prepare(name, 'SELECT 3') }
$stdout.sync = true
puts 'ready'
$stdin.gets
%w[mine yours mine].each { |name| base.exec_prepared(name) }
'''
# Texts that a reader may take for a part of the log.
FORGED = [
    'select 11;\n# Time: 010101  1:01:01\n# User@Host: a[a] @ b []\n'
    '# Query_time: 99.000000  Lock_time: 1.0  Rows_sent: 7  Rows_examined: 7\n'
    'select 12',
    '# Query_time: 98.000000  Lock_time: 0.0  Rows_sent: 7  Rows_examined: 7\n'
    'select 13, "a"',
    '#c\nselect 13, "a", "b"',
    'use xtrace',
    'SET timestamp=5',
    'SET timestamp=default',
    'select 14,\n"\nuse other;\n# administrator command: Quit;\n#"',
    'select 15, "\n/usr/sbin/mysqld, Version: 1. started with:\n'
    'Tcp port: 0  Unix socket: x\nTime Id Command    Argument\n"',
    "select 16 -- the end\n;",
    '\n# Query_time: 97.000000\n\nselect 17, 17, "x"',
]
PLAIN = [
    'select sleep(0.12)',
    *(f'select {number}, "{"x" * number}"' for number in range(3)),
    'drop table if exists slow',
    'create table slow(a int, b varchar(90))',
    'insert into slow values (1, "a"), (2, "b"), (3, "c\0\x1b[31m\\d")',
    'select a, b from slow order by a',
    'update slow set a = a + 1 where a > 1',
    'selekt 3',
    'select "\tä\u202ex"',
    'drop table slow',
]
TEXTS = PLAIN + FORGED
OPENING = ('/usr/bin/xtrace, not mysqld, Version: xtrace. started with:\n'
           'Tcp port: 0  Unix socket: unknown\n'
           'Time\t\t    Id Command\tArgument\n')
ENTRY = re.compile(
    r'# Time: \d{6} [ \d]\d:\d\d:\d\d\n'
    r'# User@Host: unknown\[unknown\] @ unknown \[\]  Id: +(?P<id>\d+)\n'
    r'# Query_time: (?P<took>\d+\.\d{6})  Lock_time: 0\.000000'
    r'  Rows_sent: (?P<sent>\d+)  Rows_examined: 0'
    r'(?:  Rows_affected: (?P<changed>\d+))?(?:  Bytes_sent: (?P<bytes>\d+))?'
    r'(?:  Errno: (?P<code>\d+))?(?:  Sqlstate: (?P<state>\w+))?'
    r'(?:  Where: (?P<where>\S+))?\n'
    r'SET timestamp=(?P<began>\d+);\n'
    r'(?P<text>(?:.|\n)*?);\n(?=# Time: |\Z)')


def entries():
    text = (case.FOLDER / 'slow.log').read_text()
    found = list(ENTRY.finditer(text))
    case.equal(OPENING + ''.join(row[0] for row in found), text,
               'all of the log')
    return found


def calls():
    rows = [json.loads(line) for line in
            (case.FOLDER / 'out.json').read_text().splitlines()]
    return [row for row in rows
            if row['event'] == 'call' and row['arguments'][0]['type'] != '?']


def micros(call):
    """Times are cut to microseconds, not rounded."""
    return int(f'{call["duration"]:.9f}'.replace('.', '')[:-3])


def traced(command, *options):
    untraced = case.untraced(*command, env=matrix.env())
    tracer = case.trace('--slow-log', 'slow.log', '--json=out.json', *options,
                        command=command, env=matrix.env())
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err),
               untraced, 'as untraced')
    return untraced[1]


def digest():
    """Returns {fingerprint: its object in the JSON of pt-query-digest}."""
    done = subprocess.run(['pt-query-digest', '--output', 'json', '--limit',
                           '100%', '--no-version-check', 'slow.log'],
                          cwd=case.FOLDER, capture_output=True, text=True,
                          env={'PATH': '/usr/bin:/bin', 'LC_ALL': 'C'})
    case.equal((done.returncode, done.stderr), (0, ''), 'pt-query-digest')
    return {row['fingerprint']: row
            for row in json.loads(done.stdout)['classes']}


def sums(row, name):
    return row['metrics'][name]['sum']


def check_digest(seen):
    classes = digest().values()
    case.equal(sum(row['query_count'] for row in classes), len(seen),
               'queries of pt-query-digest')
    took = sum(round(float(sums(row, 'Query_time')) * 1e6) for row in classes)
    case.equal(took, sum(map(micros, seen)), 'their microseconds')
    rows = sum(call.get('rows', 0) for call in seen)
    told = sum(int(sums(row, name)) for row in classes
               for name in ('Rows_sent', 'Rows_affected')
               if name in row['metrics'])
    case.equal(told, rows, 'their rows')
    slept, = [row for row in classes if row['fingerprint'] ==
              'select sleep(?)']
    case.equal(slept['metrics']['Where']['value'].rpartition('/')[2],
               'client.py:9', f'the line of {slept}')


def check_dump(seen):
    """mysqldumpslow prints: Count: 1  Time=0.12s (0s)  Lock=0.00s (0s)  ..."""
    done = subprocess.run(['mysqldumpslow', '-a', '-s', 't', 'slow.log'],
                          cwd=case.FOLDER, capture_output=True)
    out = done.stdout.decode(errors='replace')
    case.equal(done.returncode, 0, 'mysqldumpslow')
    found = re.findall(r'^Count: (\d+)  Time=(\d+\.\d+)s .*?'
                       r'unknown\[unknown\]@unknown\n  (.*)$', out, re.M)
    case.equal(sum(int(row[0]) for row in found), len(seen),
               f'queries of mysqldumpslow in {out}')
    times = {row[2]: row[1] for row in found}
    slept, = [call for call in seen if 'sleep' in text_of(call)]
    case.equal(times['select sleep(0.12)'], f'{micros(slept) / 1e6:.2f}',
               'the time of one')
    case.true(all(float(told) < 90 for told in times.values()), f'{times}')


def text_of(call):
    value = call['arguments'][0]['value']
    return value if isinstance(value, str) else value['$bytes']


def plain(text):
    """The text without the characters that the log writes in another way:
    blanks, control characters and bytes that are not ASCII, and their
    escapes."""
    return re.sub(r'\s|[^\x20-\x7e]|\\\d+|\\v', '', text)


def check_entries(seen):
    found = entries()
    case.equal([plain(row['text']) for row in found],
               [plain(text_of(call)) for call in seen], 'texts')
    for row, call in zip(found, seen):
        seconds, fraction = row['took'].split('.')
        case.equal(int(seconds + fraction), micros(call), f'time of {row[0]}')
        case.equal(int(row['id']), call['tid'], 'the thread')
        case.equal(int(row['began']), int(call['time']), 'when it began')
        case.equal(int(row['changed'] or row['sent']), call.get('rows', 0),
                   f'rows of {row[0]}')
        case.equal(bool(row['changed']), plain(row['text']).startswith(
            ('insert', 'update')), f'{row[0]}: changes')
        code = call.get('failure', {}).get('code')
        case.equal(row['code'] and int(row['code']), code, 'the error')
        case.equal(row['where'].rpartition('/')[2], 'client.py:9', 'the line')
    text = (case.FOLDER / 'slow.log').read_text()
    bad = [c for c in text if c < ' ' and c not in '\n\t' or c == '\u202e']
    case.equal(bad, [], 'what a terminal would obey')
    case.true(r'"\tä' not in text and '"\tä' in text, 'a tab, and letters')


def client(texts):
    path = case.FOLDER / 'client.py'
    path.write_text(PYTHON % ascii(texts))
    return [case.PYTHON, path]


def all_texts():
    traced(client(TEXTS), '-s', '100000')
    seen = calls()
    asked = [text_of(call) for call in seen]
    case.true([text for text in TEXTS if text.strip() not in
               [told.strip() for told in asked]] == [], 'all were seen')
    check_entries(seen)
    check_digest(seen)
    check_dump(seen)


def brief_ones_are_left_out():
    traced(client(PLAIN), '--min-time', '100ms')
    seen = calls()
    case.equal([plain(row['text']) for row in entries()],
               [plain(text_of(call)) for call in seen], 'slow ones')
    case.true('select sleep(0.12)' in [text_of(call) for call in seen],
              'the slow one')


def unknown_texts():
    """Statements that were prepared before xtrace attached."""
    subject = case.start('/usr/bin/ruby', '-e', UNKNOWN, env=matrix.env())
    subject.wait_for('ready')
    tracer = case.attach(subject, '--slow-log', 'slow.log', '--json=out.json')
    subject.say()
    case.finish(subject)
    tracer.wait(0)
    found = entries()
    case.equal([re.sub('0x[0-9a-f]+', 'X', row['text']) for row in found],
               ['? X "mine"', '? X "yours"', '? X "mine"'], 'unknown texts')
    classes = digest().values()
    case.equal(sum(row['query_count'] for row in classes), 3, f'{classes}')
    done = subprocess.run(['mysqldumpslow', '-a', 'slow.log'],
                          cwd=case.FOLDER, capture_output=True, text=True)
    case.equal(sum(map(int, re.findall(r'^Count: (\d+) ', done.stdout, re.M))),
               3, done.stdout)


def test():
    all_texts()
    brief_ones_are_left_out()
    unknown_texts()


case.main(test)
