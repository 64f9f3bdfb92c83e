#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget with a real server, by a client library (MySQLdb) and by a client that
speaks the protocol itself (PyMySQL): two threads ask all the time. The text, the
rows and the failure of each query are right, and no query begins within a break.
The output of the program is as untraced.

NEEDS: mariadb
TIMEOUT: 60
"""
import collections
import json
import os
import re

import case

SCRIPT = '''
import os, sys, threading
import DRIVER as driver
over = False
done = []
def work():
    base = driver.connect(unix_socket=os.environ["MARIADB_SOCKET"],
                          user="root", db="xtrace")
    cursor = base.cursor()
    while not over:
        for many in range(2, 20):
            cursor.execute("select seq, 'x' from seq_1_to_100 "
                           f"where seq <= {many}")
            assert len(cursor.fetchall()) == many
            try:
                cursor.execute(f"selekt {many}")
            except driver.Error:
                continue
            assert False
    done.append(1)
threads = [threading.Thread(target=work) for _ in range(2)]
for thread in threads:
    thread.start()
print("ready", flush=True)
sys.stdin.readline()
over = True
for thread in threads:
    thread.join()
print("all right", len(done))
'''
BREAKS = 2
TEXT = re.compile(r"select seq, 'x' from seq_1_to_100 where seq <= (\d+)|"
                  r"selekt (\d+)")


def is_enough(path):
    text = path.read_bytes() if path.exists() else b''
    return (text.count(b'"out":false') >= BREAKS and b'<= ' in text and
            b'selekt' in text)


def run(driver):
    script = case.FOLDER / f'by-{driver}.py'
    script.write_text(SCRIPT.replace('DRIVER', driver))
    path = case.FOLDER / f'{driver}.json'
    subject = case.start(case.PYTHON, script, env={
        'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']})
    subject.wait_for('ready')
    tracer = case.Tracer(['--budget=2%', '--sql', '-q', f'--json={path}', '-p',
                          str(subject.pid)])
    case.until(lambda: is_enough(path), f'{driver}: {BREAKS} breaks')
    tracer.leave()
    case.same_text(subject.pid)
    subject.say('over')
    case.finish(subject)
    case.equal([subject.out, subject.err], ['ready\nall right 2\n', ''],
               'output')
    return [json.loads(line) for line in path.read_text().splitlines()]


def check_query(call, driver, seen):
    text = TEXT.search(json.dumps(call))
    case.true(text, f'{driver}: the text of {call}')
    if call.get('before') or call['end'] == 'unfinished':
        seen['partial'] += 1
        return
    if text[2]:
        case.true('failure' in call or 'error' in json.dumps(call),
                  f'{driver}: {call}')
    else:
        case.equal(call.get('rows'), int(text[1]), f'{driver}: {call}')
    seen['failed' if text[2] else 'rows'] += 1


def check(driver, events):
    told = [event for event in events if event['event'] == 'left-out']
    case.equal({event['function'] for event in told}, {'(queries)'}, 'left out')
    breaks = list(zip(told[:-1:2], told[1:-1:2]))
    seen = collections.Counter()
    for call in events:
        # What a driver asks when it connects does not count.
        if call['event'] != 'call' or 'autocommit' in json.dumps(call).lower():
            continue
        check_query(call, driver, seen)
        inside = [out for out, again in breaks
                  if out['time'] + 0.001 < call['time'] < again['time'] - 0.001]
        case.true(not inside, f'{driver}: {call} is within a break: {inside}')
    case.true(seen['failed'] and seen['rows'], f'{driver}: {seen}')
    # Each of the two threads has at most one query open when a window ends.
    case.true(seen['partial'] <= 2 * (len(told) + 1), f'{driver}: {seen}')


def test():
    for driver in 'MySQLdb', 'pymysql':
        check(driver, run(driver))


case.main(test)
