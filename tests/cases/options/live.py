#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--live: the screen of a real terminal while a client of SQLite works; its
keys. However xtrace ends, the settings of the terminal are restored, and the
output and the status of the client are as untraced.

TIMEOUT: 60
"""
import json
import os
import re
import signal
from xml.etree import ElementTree

import case
from screen import Screen

CLIENT = [case.PYTHON, case.SUPPORT / 'asking.py']
SHOWN = r'"t\033[2J\n\033]0;x\a"'
# A client whose query and script have hostile bytes in their names.
HOSTILE = r'''
import sqlite3
base = sqlite3.connect(':memory:', isolation_level=None)
base.execute('CREATE TABLE "t\x1b[2J\n\x1b]0;x\x07"(a)')
print('ready', flush=True)
input()
base.execute('SELECT * FROM "t\x1b[2J\n\x1b]0;x\x07" -- \nforged').fetchall()
print('done', flush=True)
input()
'''
# A client that asks all the time.
HOT = '''
import sqlite3, sys, threading
base = sqlite3.connect(':memory:')
listener = threading.Thread(target=sys.stdin.readline)
listener.start()
print('ready', flush=True)
while listener.is_alive():
    base.execute('SELECT 1').fetchall()
'''
FEED = ['20', 'fail', 'wait', 'go', '7']


def begin():
    subject = case.start(*CLIENT)
    subject.wait_for('ready')
    return subject


def live(subject, *options, **terminal):
    words = ' '.join(['--live', '--sql', *options, '-p', str(subject.pid)])
    return Screen(f'{case.XTRACE} {words}', **terminal)


def tracer_of(subject):
    """The tid of the thread of xtrace that traces the subject."""
    with open(f'/proc/{subject.pid}/status') as file:
        tracer = re.search(r'^TracerPid:\t(\d+)', file.read(), re.M).group(1)
    return int(tracer)


def done(subject, word):
    subject.say(word)
    subject.wait_for('done')


def same_as_untraced(subject):
    wanted = case.untraced(*CLIENT, feed=FEED)
    subject.say('')
    case.equal((subject.wait(), subject.out, subject.err), wanted,
               'status and output')


def row(lines, name):
    """The numbers of a row of the table, as words."""
    for line in lines[3:]:
        if name in line:
            return line.split(name)[0].split()
    return []


def test_keys():
    subject = begin()
    screen = live(subject)
    lines = screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    case.true(str(case.SUPPORT / 'asking.py')[:40] in lines[0], lines[0])
    case.equal(lines[2].split(), ['>total', 'calls', '/s', 'p95', 'errors',
                                  'rows', 'query'], 'titles')
    done(subject, '20')
    done(subject, 'fail')
    subject.say('wait')
    subject.wait_for('waits')
    line = screen.until_line('SELECT wait()')
    case.true(re.match(rf' *{subject.pid} +[\d.]+\w+ .*asking.py:24 in wait  '
                       r'SELECT wait\(\)', line), line)
    lines = screen.until(lambda lines: row(lines, 'insert into')[1:2] == ['20']
                         and row(lines, 'select nothing')[-1:] == ['1'],
                         'twenty calls, and an error')
    case.true(re.search(r'^21 calls, .* 1 error, .* 1 in flight', lines[1]),
              lines[1])
    screen.keys('s')
    screen.until_line('>calls')
    screen.keys('g')
    screen.until(lambda lines: row(lines, 'asking.py:12 in ask')[1:2] == ['20'],
                 'rows by line')
    screen.keys('/', 'f', 'a', 'i')
    lines = screen.until(lambda lines: lines[-1] == 'filter: fai', 'a filter')
    case.equal((row(lines, 'in ask'), len(row(lines, 'in fail'))), ([], 6),
               'one row')
    screen.keys('Enter', 'Escape')
    screen.until(lambda lines: row(lines, 'in ask'), 'all rows')
    details_and_json(screen)
    screen.resize(100, 12)
    screen.until(lambda lines: len(lines) == 12 and 'cannot be' in lines[11]
                 and 'SELECT wait()' in lines[10], 'a smaller page')
    screen.keys('?')
    screen.until_line('Keys of xtrace --live')
    screen.keys('x', 'p')
    screen.until_line('PAUSED')
    subject.say('go')
    subject.wait_for('done')
    done(subject, '7')
    screen.keys('p')
    screen.until(lambda lines: row(lines, 'in ask')[1:2] == ['27'], '27 calls')
    screen.keys('r')
    screen.until(lambda lines: lines[1].startswith('0 calls'), 'a reset')
    screen.keys('q')
    screen.ended(0)
    case.same_text(subject.pid)
    same_as_untraced(subject)


def details_and_json(screen):
    """The details of the row of the INSERTs, and the table in a file."""
    screen.keys('g', 'g', 's')
    screen.until(lambda lines: lines[2].endswith('query')
                 and '>/s' in lines[2], 'queries')
    screen.keys('s', 's', 's', 's', '/', 'i', 'n', 's')
    screen.until(lambda lines: lines[-1] == 'filter: ins' and
                 row(lines, 'insert into') and not row(lines, 'select nothing'),
                 'the INSERTs alone')
    screen.keys('Enter', 'Enter')
    lines = screen.until(lambda lines: lines[0] == 'insert into t values(?+)',
                         'details')
    case.contains(lines, '20 calls, total %any', '0 errors%any',
                  'The slowest call, of %any:', '  INSERT INTO t VALUES(?)',
                  '%anyasking.py:%num in <module>', 'By line:')
    case.true(re.search(r'[um]s in 20 calls \S*asking\.py:12', ''.join(lines)),
              lines)
    screen.keys('NPage')
    screen.until_line('Nanoseconds of a call:')
    screen.keys('Escape', 'Escape', 'w', 'o', 'u', 't')
    screen.until_line('write JSON into: out')
    screen.keys('Enter')
    screen.until_line('xtrace: out: written')
    with open(case.FOLDER / 'out', encoding='utf-8') as file:
        found = [json.loads(line) for line in file]
    case.equal({each['name']: each['calls'] for each in found[:-1]},
               {'insert into t values(?+)': 20, 'select nothing': 1}, 'JSON')
    saved_flames(screen)
    screen.keys('w', 'o', 'u', 't', 'Enter')
    screen.until_line('xtrace: out: cannot be written: File exists')
    screen.keys('g')
    screen.until(lambda lines: lines[2].endswith('where'), 'rows by line')


def test_hostile():
    """The texts of queries do not move the cursor, and are not taken for other
    lines of the page."""
    subject = case.start(case.PYTHON, '-c', HOSTILE)
    subject.wait_for('ready')
    screen = live(subject, width=120)
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    done(subject, '')
    lines = screen.until(lambda lines: row(lines, 'select * from'), 'a row')
    name = f'select * from {SHOWN} forged'
    case.true(lines[3].endswith(name), lines)
    screen.keys('Enter')
    lines = screen.until(lambda lines: lines[0] == name, 'details')
    case.contains(lines, r'  SELECT * FROM "t\033[2J', r'  \033]0;x\a" --',
                  '  forged')
    screen.keys('q')
    screen.ended(0)
    subject.say('')
    case.finish(subject)


def saved_flames(screen):
    """The flame graph in a file: the queries below the lines that ask."""
    for name in ('f.svg', 'f.html'):
        screen.keys('f', *name)
        screen.until_line(f'write the flame graph into: {name}')
        screen.keys('Enter')
        screen.until_line(f'xtrace: {name}: written')
    text = (case.FOLDER / 'f.svg').read_text()
    ElementTree.fromstring(text)
    titles = re.findall(r'<title>([^<]*)</title>', text)
    names = [title.split('\n')[0] for title in titles]
    at = names.index('insert into t values(?+)')
    case.true(re.match(r'ask \(.*asking\.py:12\)', names[at - 1]),
              f'INSERTs below their line: {titles}')
    case.true('select nothing' in names, f'{titles}')
    page = (case.FOLDER / 'f.html').read_text()
    case.true(page.startswith('<!DOCTYPE html>') and
              'insert into t values' in page, 'a page of HTML')


def leave_by(number):
    """A signal ends xtrace, and the client runs on and is unchanged."""
    subject = begin()
    screen = live(subject)
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    for word in ('20', 'fail'):
        done(subject, word)
    subject.say('wait')
    subject.wait_for('waits')
    screen.until_line('SELECT wait()')
    if number == signal.SIGINT:
        screen.keys('C-c')
    else:
        os.kill(tracer_of(subject), number)
    if number == signal.SIGKILL:
        screen.killed()  # the shell restores the settings of the terminal
    else:
        screen.ended(0)
    subject.say('go')
    subject.wait_for('done')
    done(subject, '7')
    case.until(lambda: not case.text_changes(subject.pid), 'no trap is left')
    same_as_untraced(subject)


def test_end_of_client():
    """The page ends with the client, and the table of --summary follows."""
    subject = begin()
    screen = live(subject, env='NO_COLOR=1')
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    done(subject, 'fail')
    screen.until(lambda lines: row(lines, 'select nothing')[-1:] == ['1'],
                 'an error')
    case.true(not [line for line in screen.lines(True)
                   if '\033[31m' in line], 'no red with NO_COLOR')
    subject.say('')
    lines = screen.ended(0)
    case.contains(lines, 'began', '%any total %any share %any query',
                  '%any select nothing', '2 calls of 2 queries, %any')
    case.finish(subject, 3)


def test_colors():
    subject = begin()
    screen = live(subject)
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    done(subject, 'fail')
    screen.until(lambda lines: row(lines, 'select nothing')[-1:] == ['1'],
                 'an error')
    case.true([line for line in screen.lines(True) if '\033[31m' in line],
              'errors are red')
    os.kill(tracer_of(subject), signal.SIGTERM)
    screen.ended(0)
    subject.say('')
    case.finish(subject, 3)


def begin_burning():
    subject = case.start(case.PYTHON, case.SUPPORT / 'burning.py')
    subject.wait_for('ready')
    return subject


def end_burning(subject):
    subject.say('')
    case.finish(subject, 3)
    case.equal(subject.out.split(), ['ready', 'done'], 'output')


def samples_of(lines, name):
    return int((row(lines, name) or ['', '0'])[1])


def test_samples():
    """--live --sample: a page of samples by line, function and thread."""
    subject = begin_burning()
    # The table at the end has room, so that the screen does not scroll.
    screen = Screen(f'{case.XTRACE} --live --sample=500 -p {subject.pid}',
                    width=160, height=60)
    lines = screen.until(lambda lines: samples_of(lines, 'burning.py:15 in long') > 5,
                         'samples of a line')
    case.equal(lines[2].split(), ['>total', 'samples', '/s', 'where'], 'titles')
    case.true(re.match(r'\d+ samples, [\d.]+/s, [\d.]+\w+ in them, 0 in flight',
                       lines[1]), lines[1])
    screen.keys('g')
    lines = screen.until(lambda lines: samples_of(lines, 'long (') > 5,
                         'samples of a function')
    case.equal((lines[2].split()[-1], len(row(lines, 'long ('))),
               ('function', 3), 'no percentile, errors and rows')
    screen.keys('f', *'s.svg', 'Enter')
    screen.until_line('xtrace: s.svg: written')
    case.true('>long (' in (case.FOLDER / 's.svg').read_text(), 'a picture')
    screen.keys('q')
    lines = screen.ended(0)
    case.contains(lines, '%any self/s %any total/s %any where',
                  '%anyburning.py:15 in long')
    end_burning(subject)


def test_left_out():
    """--live --budget: the page says so as long as it shows the counts, also
    beside a message."""
    subject = case.start(case.PYTHON, '-c', HOT)
    subject.wait_for('ready')
    screen = live(subject, '--budget=1', width=160)
    screen.until_line('left out for the rest (--budget)')
    screen.keys('w', *'hot.json', 'Enter')
    lines = screen.until(lambda lines: 'hot.json: written' in lines[-1],
                         'a message')
    case.true(lines[1].endswith(' in flight, not all (--budget)'), lines[1])
    screen.keys('q')
    screen.ended(0)
    subject.say('')
    case.finish(subject)


def test_samples_and_calls():
    """If calls are traced, too, their groups precede the groups of samples."""
    subject = begin()
    screen = live(subject, '--sample')
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    done(subject, '20')
    lines = screen.until(lambda lines: row(lines, 'insert into')[1:2] == ['20'],
                         'twenty calls')
    case.equal(lines[2].split()[1], 'calls', 'titles')
    for title in ('where', 'function'):
        screen.keys('g')
        screen.until(lambda lines, title=title: lines[2].endswith(title) and
                     'calls' in lines[2], title)
    for title in ('where', 'function'):
        screen.keys('g')
        screen.until(lambda lines, title=title: lines[2].endswith(title) and
                     'samples' in lines[2], f'samples by {title}')
    screen.keys('q')
    screen.ended(0)
    subject.say('')
    case.finish(subject, 3)


def test_group_by():
    """The groups of --group-by come first, of calls as of samples; the table at
    the end has the first one. No more groups are possible than these."""
    subject = begin()
    screen = live(subject, '--sample', '--group-by', 'thread',
                  '--requests=requests')
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    done(subject, '20')
    for kind, titles in (
            ('calls', ('thread', 'query', 'where', 'request', 'function')),
            ('samples', ('thread', 'where', 'function'))):
        for title in titles:
            screen.until(lambda lines, kind=kind, title=title:
                         kind in lines[2].split() and
                         lines[2].endswith(title), f'{kind} by {title}')
            screen.keys('g')
    screen.until(lambda lines: row(lines, f'{subject.pid}')[1:2] == ['20'],
                 'the calls of the thread')
    screen.keys('q')
    case.contains(screen.ended(0), '20 calls in 1 group by thread, %any')
    subject.say('')
    case.finish(subject, 3)


def test_command():
    """xtrace starts a command. After the key q, it waits for the command."""
    os.mkfifo(case.FOLDER / 'input')
    client = ' '.join(map(str, CLIENT))
    screen = Screen(f'{case.XTRACE} --live --sql -o table -- {client} '
                    '<input >output 2>&1')
    with open(case.FOLDER / 'input', 'w', encoding='ascii') as words:
        words.write('20\nfail\nwait\n')
        words.flush()
        screen.until_line('SELECT wait()')
        screen.keys('q')
        screen.until(lambda lines: lines[0] == 'began', 'the old screen')
        words.write('go\n7\n\n')
    screen.ended(3)
    case.contains((case.FOLDER / 'table').read_text().splitlines(),
                  '%any select wait()', '%num calls of 4 queries, %any')
    case.equal((case.FOLDER / 'output').read_text(),
               case.untraced(*CLIENT, feed=FEED)[1], 'output')


def refused(line, says, **terminal):
    """xtrace prints one message, has status 2, and traces nothing."""
    screen = Screen(line, width=200, **terminal)
    lines = screen.ended(2)
    case.same([line for line in lines if line.startswith('xtrace: ')],
              [f'xtrace: {says}'], line)


def test_refused():
    subject = begin()
    run = case.start(case.XTRACE, '--live', '--sql', '-o', 'made', '-p',
                     str(subject.pid))
    case.equal((run.wait(), run.out, run.err),
               (2, '', 'xtrace: --live needs a terminal\n'), 'no terminal')
    words = f'{case.XTRACE} --live --sql -o made -p {subject.pid}'
    refused(f'{words} </dev/null', '--live needs a terminal, but standard '
            'input or output is not one')
    refused(f'{words} >/dev/null', '--live needs a terminal, but standard '
            'input or output is not one')
    refused(words, "--live needs a terminal that can move its cursor, and TERM "
            "is 'dumb'", env='TERM=dumb')
    refused(f'{case.XTRACE} --live -o made -x f true',
            '--live and the command cannot share the terminal: redirect the '
            'command (</dev/null >FILE 2>&1), or attach to it with -p')
    case.true(not (case.FOLDER / 'made').exists(), 'no file was made')
    case.equal(tracer_of(subject), 0, 'nothing is attached')
    subject.say('')
    case.finish(subject, 3)


def test():
    test_keys()
    test_hostile()
    leave_by(signal.SIGINT)
    leave_by(signal.SIGKILL)
    test_end_of_client()
    test_colors()
    test_samples()
    test_left_out()
    test_samples_and_calls()
    test_group_by()
    test_command()
    test_refused()


case.main(test)
