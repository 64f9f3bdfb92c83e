#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--redact: no output has a literal of a query, whatever encloses it: not in
texts, samples, values of statements, messages of errors, or arguments of
functions. The same run without the option has them, and the client's output is
the same. --bind and --query-strings are refused beside it.

NEEDS: mariadb postgresql tmux
TIMEOUT: 60
"""
import gzip
import os

import case
from screen import Screen

CLIENT = [case.PYTHON, case.SUPPORT / 'secrets_client.py']
SECRETS = (b'geheim', b'47110815234')
# Output -> whether it has literals without --redact. Outputs for other machines
# never have literals. The server decides whether a text in double quotes is a
# string; tables take some of these texts for names.
OUTPUTS = {'lines.txt': True, 'out.json': True, 'summary.txt': True,
           'slow.log': True, 'chrome.json': True, 'requests.txt': False,
           'transactions.txt': True, 'metrics.prom': False,
           'spans.json': False, 'stacks.folded': True, 'flame.html': True,
           'speedscope.json': True, 'callgrind.out': True,
           'stacks.pb.gz': True}
OPTIONS = ['--sql', '--set=connections', '--set=wire-redis', '--in-flight=1ms',
           '-s1000', '-w3', '-olines.txt', '--json=out.json',
           '--summary=summary.txt', '--slow-log=slow.log',
           '--requests=requests.txt', '--transactions=transactions.txt',
           '--prometheus=metrics.prom', '--otlp=spans.json',
           '--folded=stacks.folded', '--flame=flame.html',
           '--format=chrome:chrome.json', '--format=speedscope:speedscope.json',
           '--format=callgrind:callgrind.out', '--format=pprof:stacks.pb.gz']
FUNCTIONS = ('mysql_real_query+sqlite3_prepare_v2+sqlite3_bind_text+'
             'sqlite3_bind_int64+PQexec+send+write')


def env():
    return {name: value for name, value in os.environ.items()
            if name.startswith(('PG', 'MARIADB'))}


def found(name):
    """Which secrets the file has."""
    data = (case.FOLDER / name).read_bytes()
    case.true(len(data) > 20, f'{name} is written')
    if name.endswith('.gz'):
        data = gzip.decompress(data)
    return [secret for secret in SECRETS if secret in data]


def run(*options, untraced):
    tracer = case.trace(*options, command=CLIENT, env=env(), to_file=False)
    case.equal((tracer.wait(), tracer.child.out), untraced[:2],
               f'as untraced: {tracer.child.err}')
    return tracer.child.err


def all_outputs(untraced):
    said = run(*OPTIONS, untraced=untraced)
    case.equal({name: bool(found(name)) for name in OUTPUTS}, OUTPUTS,
               'outputs with literals')
    for name in OUTPUTS:
        (case.FOLDER / name).unlink()
    said = run('--redact', *OPTIONS, untraced=untraced)
    case.equal({name: found(name) for name in OUTPUTS},
               {name: [] for name in OUTPUTS}, 'redacted outputs')
    case.true(not any(secret.decode() in said for secret in SECRETS), said)
    lines = (case.FOLDER / 'lines.txt').read_text()
    for wanted in ('mysql_real_query "select ?, ? from dual where ? = ? or ? '
                   '> ?" = 0',
                   'sqlite3_step "insert into t values(?+)" = SQLITE_DONE',
                   'PQexec "select \\"a\\", ? from (select ? as \\"a\\") b',
                   'PQexec "select ?"... = PGRES_TUPLES_OK',
                   ' = -1 ERROR 1062 (23000)', ' = 1 ERROR 1062 (23000)',
                   'redis "SET ?" = ?'):
        case.true(wanted in lines, f'{wanted} in {lines}')


def other_tables(untraced):
    for options in (['--summary', '--group-by=text'],
                    ['--summary', '--group-by=value'], ['-S', '-s1000']):
        said = run('--redact', *options, '-F', case.TESTS.parent / 'etc', '-x',
                   FUNCTIONS, untraced=untraced)
        case.true(len(said) > 20, f'{options}: {said}')
        case.true(not any(secret.decode() in said for secret in SECRETS),
                  f'{options}: {said}')


def live_screen():
    subject = case.start(*CLIENT, 'wait', env=env())
    subject.wait_for('ready')
    screen = Screen(f'{case.XTRACE} --redact --sql --live -p {subject.pid}')
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    subject.say()
    subject.wait_for('done')
    pages = [screen.until(lambda lines: any('insert into t' in line
                                            for line in lines), 'the queries')]
    screen.keys('Enter')
    pages.append(screen.until(lambda lines: any('p99' in line
                                                for line in lines), 'a row'))
    for lines in pages:
        case.true(not any(secret.decode() in line for line in lines
                          for secret in SECRETS), f'{lines}')
    screen.keys('q', 'q')
    subject.say()
    case.finish(subject)
    screen.close()


def refused():
    for option in ('--bind', '--query-strings'):
        tracer = case.trace('--redact', '--sql', option, command=['/bin/true'],
                            to_file=False)
        case.equal((tracer.wait(), tracer.child.err),
                   (2, f'xtrace: --redact hides what {option} shows\n'),
                   option)


def test():
    untraced = case.untraced(*CLIENT, env=env())
    all_outputs(untraced)
    other_tables(untraced)
    live_screen()
    refused()


case.main(test)
