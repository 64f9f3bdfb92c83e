#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A real trace in JSON: each line matches docs/json-schema.json, and has the
values that were passed.
"""
import json

import jsonschema

import case

CONF = '''
typedef wstring_t = string(array(wchar_t, zero)*);
enum kind { FIRST = 1, SECOND };
struct point { int x; double y; const char *name; };
int numbers(signed char c, unsigned short h, int i, unsigned long l, float f,
	double d);
string texts(string plain, string bytes, wstring_t wide, string null,
	string nowhere);
struct point *pointed(inout struct point *point, array(int, n) *array, int n);
int flagged(flags(int, O_WRONLY=1, O_RDWR=2, O_CREAT=64) flags, enum kind kind);
errno(int) failing(void);
void jumping(int n);
'''


def by_name(events):
    """{name: the first call of this function}"""
    calls = {}
    for event in events:
        if event['event'] == 'call':
            calls.setdefault(event['name'], event)
    return calls


def values(call):
    return [argument['value'] for argument in call['arguments']]


def check(events, pid):
    calls = by_name(events)
    case.equal(values(calls['numbers']),
               [-1, 65535, -2, 18446744073709551615, 1.5, 1e300], 'numbers')
    texts = calls['texts']
    case.equal(values(texts)[0], '01234567890123456789012345678901', 'cut')
    case.equal(texts['arguments'][0].get('cut'), True, 'the first event')
    case.equal(values(texts)[1:], [{'$bytes': 'caf\xe9 "\\\n'}, 'wide \xe9',
                                   None, {'$unreadable': '0x10'}], 'texts')
    case.equal([argument['name'] for argument in texts['arguments']],
               ['plain', 'bytes', 'wide', 'null', 'nowhere'], 'names')
    point = calls['pointed']['arguments'][0]
    case.equal(point['value'], {'x': 1, 'y': 0.1, 'name': 'here'}, 'before')
    case.equal(point['after']['value'], {'x': 7, 'y': 0.1, 'name': 'here'}, 'after')
    case.equal(values(calls['pointed'])[1], [1, 2, 3, 4], 'an array')
    case.equal(values(calls['flagged']),
               [{'$name': 'O_RDWR|O_CREAT', '$number': 66},
                {'$name': 'FIRST', '$number': 1}], 'flags and enum')
    case.equal([calls['failing']['result'].get(key)
                for key in ('value', 'errno', 'error')], [-1, 2, 'ENOENT'],
               'an error')
    case.equal(calls['jumping']['end'], 'unwound', 'longjmp')
    case.equal(calls['unknown'].get('guessed'), True, 'no prototype')
    case.true(any(event['tid'] != pid for event in events), 'a thread')
    case.true(0 <= calls['numbers']['duration'] < 5, 'a duration')
    kinds = [event['event'] for event in events if event['event'] != 'call']
    case.equal([kinds[0], kinds[-1]], ['start', 'killed'], 'first and last')
    case.equal(sorted(kinds[1:-1]), ['exec', *['signal'] * 2,
                                     *['thread-end'] * 2,
                                     *['thread-start'] * 2], 'between')
    case.equal(events[-1]['name'], 'SIGKILL', 'its end')


def test():
    schema = json.loads((case.TESTS.parent / 'docs' / 'json-schema.json')
                        .read_text())
    validator = jsonschema.Draft202012Validator(schema)
    program = case.build('jsonlines.c')
    (case.FOLDER / 'p.conf').write_text(CONF)
    tracer = case.trace('-F', 'p.conf', '--json', '-x',
                        'numbers+texts+pointed+flagged+failing+jumping'
                        '+unknown', command=[program])
    tracer.wait(128 + 9)
    case.equal(tracer.says(), [], 'what xtrace says')
    events = [json.loads(line) for line in tracer.lines()]
    for event in events:
        for fault in validator.iter_errors(event):
            case.fail(fault.message, event)
    case.equal(len({event['pid'] for event in events}), 1, 'processes')
    check(events, events[0]['pid'])


case.main(test)
