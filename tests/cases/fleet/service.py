#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--service: the service manager is told READY, RELOADING and STOPPING. SIGHUP
makes xtrace read options, sets and prototypes again, and open its files anew,
while a client of SQLite with two threads is under load: what the client counts
equals its database, no query is in the files twice, and each query between two
reloads is in one. A mistake in a file does not end xtrace. It writes nothing to
a terminal, and refuses options that a service cannot have.

TIMEOUT: 60
"""
import configparser
import json
import re

import case
from manager import Service

CLIENT = [case.PYTHON, case.SUPPORT / 'steady_client.py']
RELOADS = 4


def write(name, text):
    path = case.FOLDER / name
    path.write_text(text)
    return path


def calls(name):
    return [row for row in map(json.loads, (case.FOLDER / name).read_text()
                               .splitlines()) if row['event'] == 'call']


def numbers(name):
    """The numbers that the queries of the file have in them."""
    found = [re.search(r'VALUES \((\d+)\)', row['arguments'][0]['value'])
             for row in calls(name) if row['name'] == 'sqlite3_step']
    return [int(match[1]) for match in found if match]


def ask(subject, word):
    """The numbers that the client has used for a word of its input."""
    subject.say(word)
    subject.wait_for(f'did {word}')
    first, last = re.search(rf'did {word} (\d+) (\d+)', subject.out).groups()
    return list(range(int(first), int(last)))


def under_load():
    options = write('service.options', f"""
# The options of the service.
--attach-name '*{CLIENT[1]}*' --follow-new
--set ./own.conf -s 200 --json=log
""")
    own = (case.TESTS.parent / 'etc/sets/sql.conf').read_text().replace(
        '"../', f'"{case.TESTS.parent}/etc/')
    write('own.conf', own)
    subject = case.start(*CLIENT)
    subject.wait_for('ready')
    service = Service(f'--service={options}')
    asked = ask(subject, 'before')
    subject.say('load')
    log = case.FOLDER / 'log'
    for number in range(RELOADS):
        case.until(lambda: log.stat().st_size > 20000, 'events under load')
        log.rename(case.FOLDER / f'log.{number}')
        service.reload()
    case.until(lambda: log.stat().st_size > 20000, 'events under load')
    subject.say('rest')
    subject.wait_for('rests')
    # The set and the options that were changed are read again.
    write('own.conf', own + '\nprobe sqlite3_changes {\n\tshow db;\n}\n')
    write('service.options', options.read_text().replace(
        '--set', '-x sqlite3_last_insert_rowid --set'))
    service.reload()
    after = ask(subject, 'after')
    service.stop()
    subject.say('end')
    case.finish(subject, 5)
    case.equal(service.xtrace.err, '', 'nothing is said')
    count, rows = re.search(r'count (\d+), rows (\d+)', subject.out).groups()
    case.equal(count, rows, 'what the client counts')
    names = [*(f'log.{number}' for number in range(RELOADS)), 'log']
    seen = [number for name in names for number in numbers(name)]
    case.equal(len(seen), len(set(seen)), 'each query once')
    case.true(set(seen) <= set(range(int(count))), 'no other queries')
    for name in names:
        case.true(len(numbers(name)) > 10, f'{name} has queries')
    case.equal([number for number in seen if number in set(asked)], asked,
               'all before the load')
    case.equal([number for number in seen if number in set(after)], after,
               'all after the load')
    for function in 'sqlite3_changes', 'sqlite3_last_insert_rowid':
        found = [name for name in names
                 if function in {row['name'] for row in calls(name)}]
        case.equal(found, ['log'], f'where {function} is traced')


# A mistake that is added to the options, and the message of xtrace about it.
MISTAKES = [
    ('--nonsense', "DIR/bad.options:3: unknown option '--nonsense'; --help "
     "lists them"),
    ("--if 'nosuch == 3'", "--if: no function that may be traced has 'nosuch' "
     "in its prototype"),
    ('--summary=table --group-by nosuch', "--group-by: 'nosuch' is not query, "
     "where, request, transaction, function, caller, thread, process or text, "
     "and no function that may be traced has an argument of that name"),
]
KEPT = 'the service is not reloaded, and traces as before'


def mistakes():
    """xtrace reports each mistake, and continues with the former options."""
    subject = case.start(*CLIENT)
    subject.wait_for('ready')
    words = f'--attach-name *{CLIENT[1]}*\n--set ./own.conf -s 200\n'
    options = write('bad.options', words + '-o lines\n')
    service = Service(f'--service={options}', abstract=True)
    wanted = {'lines.before': ask(subject, 'before')}
    lines = case.FOLDER / 'lines'
    for number, (mistake, _) in enumerate(MISTAKES):
        name = list(wanted)[-1]
        lines.rename(case.FOLDER / name)
        options.write_text(words + f'-o lines {mistake}\n')
        service.reload()
        case.until(lines.exists, 'the file is opened anew')
        wanted[f'lines.{number}'] = ask(subject, f'after-{number}')
    lines.rename(case.FOLDER / list(wanted)[-1])
    service.stop()
    said = service.xtrace.err.replace(str(case.FOLDER), 'DIR')
    case.equal([line for line in said.splitlines() if line[0] != ' '],
               [f'xtrace: {line}' for _, mistake in MISTAKES
                for line in (mistake, KEPT)], 'what is said')
    for name, numbers_asked in wanted.items():
        text = (case.FOLDER / name).read_text()
        case.equal([int(number) for number in
                    re.findall(r'VALUES \((\d+)\)', text)], numbers_asked,
                   name)
    subject.say('end')
    case.finish(subject, 5)


def refused():
    for options, says in (
            (['-o', 'x', '/bin/true'],
             '--service traces running processes, and no command'),
            (['-p', '1'], '--service writes no trace to stderr: give -o FILE, '
             'or a format with a file'),
            (['-p', '1', '--sql', '--live'],
             '--service has no terminal, which --live needs'),
            (['-p', '1', '-ff', '-o', 'x'],
             '--service and -ff cannot be used together')):
        run = case.start(case.XTRACE, '--service', *options)
        case.equal((run.wait(), run.err), (2, f'xtrace: {says}\n'), 'refused')
    run = case.start(case.XTRACE, '--service=nowhere', '-p', '1')
    case.equal((run.wait(), run.err),
               (1, 'xtrace: nowhere: there is no such file\n'), 'no file')


def unit_file():
    """The systemd unit has type notify, and runs xtrace --service."""
    parser = configparser.ConfigParser(strict=False, interpolation=None)
    parser.optionxform = str
    parser.read(case.TESTS.parent / 'debian' / 'xtrace@.service')
    service = parser['Service']
    case.equal((service['Type'], service['ExecStart'], service['ExecReload']),
               ('notify', '/usr/bin/xtrace --service=/etc/xtrace/%i.options',
                '/bin/kill -HUP $MAINPID'), 'the unit')


def test():
    under_load()
    mistakes()
    refused()
    unit_file()


case.main(test)
