#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--format: the output for another tool is read by that tool, or with the
schema of its format. The output must have the sums of the folded stacks that
were written in the same run.

TIMEOUT: 120
"""
import collections
import gzip
import json
import re
import subprocess

import case

# The folder of the schema in Debian's golang-github-google-pprof-dev.
PROFILE = '/usr/share/gocode/src/github.com/google/pprof/proto'
PROTOTYPES = case.TESTS.parent / 'etc' / 'libsqlite3.so.conf'
SCRIPT = '''
import sqlite3


def count(base, depth):
    if depth:
        return count(base, depth - 1)
    return base.execute('select ?', (1,)).fetchall()


base = sqlite3.connect(':memory:')
for number in range(20):
    count(base, number % 3)
'''
FILTER = 'sqlite3_prepare_v2+sqlite3_step+sqlite3_column_*+sqlite3_bind_*'


def run(weight, *formats):
    tracer = case.trace('--folded=out.folded', '--json=out.json', '-w', '20',
                        '-F', PROTOTYPES, '--weight', weight, '-x', FILTER,
                        *formats,
                        command=[case.PYTHON, 'script.py'])
    tracer.wait(0)
    folded = {}
    for line in (case.FOLDER / 'out.folded').read_text().splitlines():
        stack, _, number = line.rpartition(' ')
        folded[tuple(stack.split(';'))] = int(number)
    return folded


def labels_to_functions(stack):
    """The names of a stack without file and line, which some tools show
    separately."""
    return tuple(re.sub(r' \(.*:\d+\)$', '', name) for name in stack)


def by_function(folded):
    sums = collections.Counter()
    for stack, weight in folded.items():
        sums[labels_to_functions(stack)] += weight
    return dict(sums)


def tool(*command, feed=None):
    done = subprocess.run([str(word) for word in command], input=feed,
                          capture_output=True)
    case.equal((done.returncode, done.stderr), (0, b''), f'{command}')
    return done.stdout.decode()


# ---- pprof ---------------------------------------------------------------------

def text_format(text):
    """protoc's text of a message as {field: [values]}. A value that is a
    message is such a dict, too."""
    top, open_ = collections.defaultdict(list), []
    at = top
    for line in text.splitlines():
        line = line.strip()
        if line.endswith('{'):
            inner = collections.defaultdict(list)
            at[line[:-2]].append(inner)
            open_.append(at)
            at = inner
        elif line == '}':
            at = open_.pop()
        else:
            key, _, value = line.partition(': ')
            at[key].append(json.loads(value))
    return top


def test_pprof(weight):
    folded = run(weight, '--format', 'pprof:out.pb')
    profile = text_format(tool(
        'protoc', '-I', PROFILE, '--decode', 'perftools.profiles.Profile',
        f'{PROFILE}/profile.proto',
        feed=gzip.decompress((case.FOLDER / 'out.pb').read_bytes())))
    strings = profile['string_table']
    case.equal(strings[0], '', 'the first string')
    types = [(strings[kind['type'][0]], strings[kind['unit'][0]])
             for kind in profile['sample_type']]
    wanted = [('calls', 'count'), ('time', 'microseconds'),
              ('bytes', 'bytes')]
    case.equal(types, wanted[:3 if weight == 'bytes' else 2], 'types')
    case.equal(strings[profile['default_sample_type'][0]], weight, 'default')
    functions = {function['id'][0]: strings[function['name'][0]]
                 for function in profile['function']}
    names, lines = {}, set()
    for location in profile['location']:
        line = location['line'][0]
        names[location['id'][0]] = functions[line['function_id'][0]]
        lines.add(line['line'][0] if line['line'] else 0)
    which = [name for name, _ in types].index(weight)
    sums = collections.Counter()
    for sample in profile['sample']:
        case.equal(len(sample['value']), len(types), 'values of a sample')
        sums[tuple(names[number] for number in
                   reversed(sample['location_id']))] += sample['value'][which]
    case.equal({stack: number for stack, number in sums.items() if number},
               by_function(folded), 'sums')
    case.true({7, 8, 13} <= lines, f'lines of the script: {lines}')


# ---- callgrind -----------------------------------------------------------------

COST = re.compile(r'^ *([\d,]+) +\( *[\d.]+%\) +([\d,]+) +\( *[\d.]+%\)'
                  r' +\S+?:(\S+)', re.M)


def annotated(*options):
    """{function: us} and {function: calls} in callgrind_annotate's output, and
    the output."""
    sums = collections.Counter(), collections.Counter()
    text = tool('callgrind_annotate', '--threshold=100', '--auto=no', *options,
                case.FOLDER / 'out.cg')
    for us, calls, name in COST.findall(text):
        sums[0][name] += int(us.replace(',', ''))
        sums[1][name] += int(calls.replace(',', ''))
    return sums, text


def test_callgrind():
    folded = run('time', '--format', 'callgrind:out.cg')
    case.true('fl=' in (case.FOLDER / 'out.cg').read_text(), 'a profile')
    own, text = annotated()
    wanted = collections.Counter()
    for stack, weight in folded.items():
        wanted[stack[-1]] += weight
    case.equal({name: us for name, us in own[0].items() if us}, dict(wanted),
               f'own times: {text}')
    calls = collections.Counter(event['name'] for event in events('call'))
    case.equal({name: count for name, count in own[1].items() if count},
               dict(calls), 'calls')
    total = re.search(r'^ *([\d,]+).*PROGRAM TOTALS', text, re.M).group(1)
    case.equal(int(total.replace(',', '')), sum(folded.values()), 'the total')
    # callgrind_annotate lists a file by its full path and, again, by its
    # relative path.
    whole = tool('callgrind_annotate', '--threshold=100', '--auto=no',
                 '--inclusive=yes', case.FOLDER / 'out.cg')
    within = sum(weight for stack, weight in folded.items()
                 if any(name.startswith('<module>') for name in stack))
    case.true(re.search(rf'^ *{within:,} .*:<module>$', whole, re.M),
              f'{within:,} within the script: {whole}')


def events(kind):
    with open(case.FOLDER / 'out.json') as file:
        return [event for event in map(json.loads, file)
                if event['event'] == kind]


# ---- speedscope ----------------------------------------------------------------

def test_speedscope(weight, unit):
    folded = run(weight, '--format', 'speedscope:out.speedscope.json')
    with open(case.FOLDER / 'out.speedscope.json') as file:
        whole = json.load(file)
    case.equal(whole['$schema'],
               'https://www.speedscope.app/file-format-schema.json', 'schema')
    frames = [frame['name'] for frame in whole['shared']['frames']]
    sums = collections.Counter()
    for profile in whole['profiles']:
        case.equal((profile['type'], profile['unit'], profile['startValue']),
                   ('sampled', unit, 0), 'what a profile says of itself')
        case.equal(len(profile['samples']), len(profile['weights']), 'samples')
        case.equal(profile['endValue'], sum(profile['weights']), 'endValue')
        process, _, thread = profile['name'].rpartition(', ')
        for sample, number in zip(profile['samples'], profile['weights']):
            sums[process, thread, *(frames[at] for at in sample)] += number
    case.equal(dict(sums), by_function(folded), 'sums')
    case.true({'name': 'count', 'file': f'{case.FOLDER}/script.py', 'line': 8}
              in whole['shared']['frames'] or
              {'name': 'count', 'file': 'script.py', 'line': 8}
              in whole['shared']['frames'], 'a frame with its place')


# ---- chrome --------------------------------------------------------------------

def test_chrome(*options):
    """The file has each call once, with its duration, within the outer calls.

    Without --wall, the time of xtrace is taken off, with measuring errors. No
    call of a time line may end after the call around it, so a call may be
    shorter in it than its duration. With --wall both are equal."""
    run('time', '--format', 'chrome:out.trace', *options)
    with open(case.FOLDER / 'out.trace') as file:
        trace = json.load(file)
    calls = [event for event in trace if event['ph'] == 'X']
    for event in trace:
        case.true({'ph', 'name', 'pid', 'tid'} <= set(event), f'{event}')
        case.true(event['ph'] in 'XMi', f'kind of {event}')
        case.true(event['ph'] == 'M' or event['ts'] > 0, f'time of {event}')
    told = events('call')
    case.equal(collections.Counter((event['name'], event['tid'])
                                   for event in calls),
               collections.Counter((event['name'], event['tid'])
                                   for event in told), 'calls')
    for event, call in zip(calls, told):
        case.equal(event['name'], call['name'], 'in the order of their ends')
        if '--wall' in options:
            case.true(abs(event['dur'] / 1e6 - call['duration']) < 2e-9,
                      f"duration of {event}: {call['duration']}")
        case.equal([name for name in event['args']
                    if name not in ('result', 'stack')],
                   [argument.get('name', f'arg{number}') for number, argument
                    in enumerate(call['arguments'], 1)],
                   'arguments')
        case.equal(len(event['args']['stack']), len(call['frames']), 'stack')
    prepared = [event['args'] for event in calls
                if event['name'] == 'sqlite3_prepare_v2']
    case.true('"select ?"' in prepared[-1].values() and
              prepared[-1]['result'] == 'SQLITE_OK', f'{prepared[-1]}')
    nested(calls)
    case.true(any(event['name'] == 'process_name' and
                  event['args']['name'].startswith('python3')
                  for event in trace), 'the name of the process')
    case.true(any(event['name'] == 'thread_name' for event in trace), 'thread')


def nanoseconds(micros):
    return round(micros * 1000)


def nested(calls):
    """Compares whole nanoseconds: a sum of two numbers of the file can differ
    from a third one in the last bit, although the call ends when the next one
    begins."""
    times = sorted((nanoseconds(call['ts']), -nanoseconds(call['dur']),
                    call['name']) for call in calls)
    open_ = []
    for began, took, name in times:
        end = began - took
        while open_ and open_[-1] <= began:
            open_.pop()
        case.true(not open_ or end <= open_[-1],
                  f'{name} at {began} ns is within the calls around it: '
                  f'{[end, *open_]}')
        open_.append(end)


# ---- where they go -------------------------------------------------------------

def test_places():
    """A format is written in place of the trace, to a file for each process
    with -ff, and if no call is traced at all."""
    tracer = case.trace('-x', 'no_such_function', '--format=chrome',
                        command=['true'])
    tracer.wait(0)
    trace = json.loads('\n'.join(tracer.lines()))
    case.equal([event['ph'] for event in trace], ['M'], 'in place of -o')
    for name in ('pprof', 'speedscope', 'callgrind'):
        tracer = case.trace('-x', 'no_such_function', '--format', name,
                            command=['true'])
        tracer.wait(0)
        case.true(tracer.path.stat().st_size > 0, f'{name} without a call')
    tracer = case.trace('-x', 'no_such_function', '-ff', '--format=speedscope',
                        command=['true'])
    tracer.wait(0)
    for path in case.FOLDER.glob(f'{tracer.path.name}.*'):
        json.loads(path.read_text())


def test():
    (case.FOLDER / 'script.py').write_text(SCRIPT)
    for weight in ('time', 'calls', 'bytes'):
        test_pprof(weight)
    test_callgrind()
    test_speedscope('time', 'microseconds')
    test_speedscope('calls', 'none')
    test_chrome()
    test_chrome('--wall')
    test_places()


case.main(test)
