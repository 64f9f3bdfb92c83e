#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual, --help and the version say the same as the table of options, and
the manual is well formed. (The completions are in completion.py, the formats
in formats.py.)

NEEDS: mandoc
"""
import json
import os
import re
import subprocess

import case

TOP = case.TESTS.parent


def output(*command, env=None):
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, env={**os.environ,
                                                    **(env or {})})
    case.equal([done.returncode, done.stderr], [0, ''], f'{command}')
    return done.stdout


def test_options():
    output(TOP / 'docs' / 'manual-options', '--check')
    told = output(case.XTRACE, '--help')
    case.equal(output(case.XTRACE, '-h'), told, '-h and --help')
    manual = (TOP / 'docs' / 'xtrace.1').read_text().replace('\\-', '-')
    table = (TOP / 'tracer/options/options.def').read_text()
    rows = re.findall(r"^OPTION\(\w+, (?:'(.)'|0), \"([^\"]+)\"", table, re.M)
    case.true(len(rows) > 40, f'options of the table: {rows}')
    for letter, word in rows:
        shown = f'-{letter}, --{word}' if letter else f'      --{word}'
        case.true(re.search(rf'^ +{re.escape(shown.strip())}(?=[ \[\n])', told,
                            re.M), f'{shown} is in --help')
        case.true(f'\\fB--{word}\\fP' in manual, f'--{word} is in the manual')
        case.true(not letter or f'\\fB-{letter}\\fP' in manual, f'-{letter}')
    for line in told.splitlines():
        case.true(len(line) <= 80, f'not too long: {line}')


def test_languages():
    """Each language is in the manual, and in the pages that describe JSON."""
    table = (TOP / 'stacks/languages.def').read_text()
    rows = re.findall(r'^LANGUAGE\(\w+, (\w+), "([^"]+)"\)$', table, re.M)
    case.true(len(rows) >= 4, f'languages of the table: {rows}')
    manual, page, schema = ((TOP / 'docs' / name).read_text() for name in
                            ('xtrace.1', 'JSON.md', 'json-schema.json'))
    kinds = json.loads(schema)['$defs']['frame']['properties']['kind']['enum']
    case.equal(kinds, ['native', *(name for name, _ in rows)], 'the schema')
    for name, versions in rows:
        case.true(versions in ' '.join(manual.split()),
                  f'{versions} is in the manual')
        case.true(re.search(rf'frame has `kind` \(.*`{name}`', page),
                  f'{name} is in JSON.md')


def test_page():
    """The manual as man prints it: no complaints, and no line is wider than a
    terminal.
    """
    text = output('groff', '-t', '-man', '-ww', '-Tutf8', '-P-cbou', '-rLL=80n',
                  TOP / 'docs' / 'xtrace.1', env={'LC_ALL': 'C.UTF-8'})
    wide = [line for line in text.splitlines()
            if len(line.strip('─ ')) > 80 and 'SELECT sleep(1)' not in line]
    case.equal(wide, [], 'lines that are too wide')
    for title in ('OPTIONS', 'FILTERS', 'CONDITIONS', 'PROTOTYPES', 'OUTPUT',
                  'EXIT STATUS', 'ENVIRONMENT', 'FILES', 'COOKBOOK',
                  'DIFFERENCES FROM LTRACE', 'LIMITS'):
        case.true(f'\n{title}\n' in text, f'{title} is a section')


def test_lint():
    """mandoc, another program that reads manuals, prints no complaint."""
    for page in sorted((TOP / 'docs').glob('*.[15]')):
        done = subprocess.run(['mandoc', '-Tlint', page], text=True,
                              capture_output=True, check=False)
        case.equal((done.returncode, done.stdout, done.stderr), (0, '', ''),
                   f'mandoc -Tlint {page.name}')


def test_suite():
    """The checks of ltrace's tests that fail are as many as the text says."""
    page = (TOP / 'docs' / 'xtrace.1').read_text()
    part = page.split('\n.SS The tests of ltrace\n')[1].split('\n.SH ')[0]
    told = int(re.search(r'pass but these (\d+)', part)[1])
    rows = [int(n) for n in re.findall(r'\|(\d+)\|T\{', part)]
    case.equal(sum(rows), told, f'the sum of {rows}')


def test_version():
    version = output(case.XTRACE, '--version').split()
    case.equal(version[0], 'xtrace', '--version')
    case.equal(output(case.XTRACE, '-V').split(), version, '-V')
    ltrace = case.FOLDER / 'ltrace'
    ltrace.symlink_to(case.XTRACE)
    case.equal(output(ltrace, '-V'), f'ltrace (xtrace {version[1]})\n',
               '-V under the name ltrace')
    page = (TOP / 'docs' / 'xtrace.1').read_text()
    case.true(f'"xtrace {version[1]}"' in page, 'the version of the manual')
    log = (TOP / 'debian' / 'changelog').read_text()
    case.true(log.startswith(f'xtrace (1:{version[1]}) '), 'of the package')


def test():
    test_options()
    test_languages()
    test_page()
    test_lint()
    test_suite()
    test_version()


case.main(test)
