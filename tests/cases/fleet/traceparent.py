#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The traceparent of a request: gunicorn with a WSGI application, puma with a Rack
application, php-fpm. The application answers with what its environment has. If
that is one well-formed traceparent, the span of the request has its trace and
its parent, the queries of the request are in that trace below that span, and
JSON has both ids; else the request begins a trace of its own. A head may come
in pieces. With --request-frame, functions of Python have it in WSGI's environ,
in ASGI's scope, or in an object's environment, and methods of Ruby in Rack's env.
The answers are as without xtrace.

NEEDS: gunicorn puma /usr/sbin/php-fpm8.2 root
TIMEOUT: 120
"""
import array
import fcntl
import json
import signal
import socket
import termios

import case
import fastcgi
from spans import spans_of

SOCKET = case.FOLDER / 'socket'
FPM = case.FOLDER / 'fpm.conf'
PUMA = case.FOLDER / 'puma.rb'
SUPPORT = case.SUPPORT
SERVERS = {
    'gunicorn': ['/usr/bin/gunicorn', '--chdir', SUPPORT, '-w', '1',
                 '--worker-tmp-dir', case.FOLDER, '-b', f'unix:{SOCKET}',
                 'traced:application'],
    'puma': ['/usr/bin/puma', '-b', f'unix://{SOCKET}', '-t', '1:1', '-C',
             PUMA, SUPPORT / 'traced.ru'],
    'php-fpm': ['/usr/sbin/php-fpm8.2', '-F', '-R', '-y', FPM],
}
TRACE, PARENT = '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'
GOOD = f'00-{TRACE}-{PARENT}-01'
UNSAMPLED = f'00-{TRACE[::-1]}-{PARENT[::-1]}-00'
LATER = f'cc-{TRACE}-{PARENT}-01-what-the-future-will-bring'
BAD = [f'00-{TRACE.upper()}-{PARENT}-01', f'00-{"0" * 32}-{PARENT}-01',
       f'ff-{TRACE}-{PARENT}-01', f'00-{TRACE}-{PARENT}-01-more', 'nonsense']
WANTED = {GOOD: (TRACE, PARENT, 1), LATER: (TRACE, PARENT, 1),
          UNSAMPLED: (TRACE[::-1], PARENT[::-1], 0)}


def exchange(pieces):
    with socket.socket(socket.AF_UNIX) as near:
        near.settimeout(case.LIMIT)
        near.connect(str(SOCKET))
        for piece in pieces:
            near.sendall(piece)
        parts = []
        while parts[-1:] != [b'']:
            parts.append(near.recv(65536))
    return b''.join(parts)


def head(path, *fields):
    lines = [f'GET {path} HTTP/1.0', 'Host: x', *fields, '', '']
    return '\r\n'.join(lines).encode()


def ask(name, path, parent=None):
    """The body of the answer."""
    if name == 'php-fpm':
        words = {'HTTP_TRACEPARENT': parent} if parent else {}
        answer = fastcgi.output(exchange([fastcgi.get(
            SUPPORT / 'traced.php', uri=path, more=words)]))
    else:
        answer = exchange([head(path, *([f'TraceParent:  {parent}']
                                        if parent else []))])
    return answer.partition(b'\r\n\r\n')[2].decode()


def answers(name):
    try:
        return ask(name, '/') == 'none 3'
    except OSError:
        return False


def ask_in_pieces(path):
    whole = head(path, 'Accept: */*', f'traceparent: {GOOD}')
    near = whole.index(b'8448')
    with socket.socket(socket.AF_UNIX) as near_end:
        near_end.settimeout(case.LIMIT)
        near_end.connect(str(SOCKET))
        # The server answers only after the last piece, so each other piece is
        # sent when the server has read the one before.
        for piece in (whole[:20], whole[20:near], whole[near:]):
            case.until(lambda: not unread(near_end), 'the server has read')
            near_end.sendall(piece)
        answer = b''
        while more := near_end.recv(65536):
            answer += more
    return answer.partition(b'\r\n\r\n')[2].decode()


def unread(near):
    """The bytes that the peer of this UNIX socket has not read (SIOCOUTQ)."""
    count = array.array('i', [0])
    fcntl.ioctl(near, termios.TIOCOUTQ, count)
    return count[0]


def ask_all(name):
    """Checks each answer. Returns {path: the traceparents of the request}."""
    asked = {'/none': []}
    case.equal(ask(name, '/none'), 'none 3', f'{name}: no header')
    for number, parent in enumerate([GOOD, LATER, UNSAMPLED, *BAD]):
        path = f'/{number}'
        asked[path] = [parent]
        case.equal(ask(name, path, parent), f'{parent} 3', f'{name}: answer')
    if name != 'php-fpm':
        asked['/pieces'] = [GOOD]
        case.equal(ask_in_pieces('/pieces'), f'{GOOD} 3', f'{name}: pieces')
        asked['/two'] = [GOOD, UNSAMPLED]
        exchange([head('/two', *(f'traceparent: {parent}'
                                 for parent in asked['/two']))])
    return asked


def check(name, asked):
    spans = [span for _, span in spans_of(
        json.loads(line) for line in
        (case.FOLDER / 'out.otlp').read_text().splitlines())]
    rows = [json.loads(line) for line in
            (case.FOLDER / 'out.json').read_text().splitlines()]
    told = {row['path']: row for row in rows if row['event'] == 'request'}
    served = {span['attributes']['url.path']: span for span in spans
              if span['kind'] == 2}
    case.equal((set(told), set(served)), (set(asked), set(asked)),
               f'{name}: requests')
    for path, parents in asked.items():
        trace, parent, flags = WANTED.get(*parents, (None, None, 1)) \
            if len(parents) == 1 else (None, None, 1)
        what = f'{name}: {path} with {parents}'
        span = served[path]
        case.equal((told[path].get('trace'), told[path].get('parent')),
                   (trace, parent), what)
        case.equal(span.get('parentSpanId'), parent, what)
        case.equal(span['flags'], flags | (0x300 if trace else 0x100), what)
        if trace:
            case.equal(span['traceId'], trace, what)
        else:
            case.true(span['traceId'] not in (TRACE, TRACE[::-1]), what)
        queries = [one for one in spans if one['kind'] == 3 and
                   one.get('parentSpanId') == span['spanId']]
        case.equal([(one['traceId'], one['flags']) for one in queries],
                   [(span['traceId'], flags | 0x100)] * 3, what)


def run(name):
    server = case.start(*SERVERS[name])
    case.until(lambda: answers(name), f'{name} serves')
    tracer = case.attach(server, '--requests', '--otlp=out.otlp',
                         '--json=out.json', '-f')
    asked = ask_all(name)
    tracer.leave()
    case.equal(answers(name), True, f'{name} serves after the trace')
    check(name, asked)
    server.signal(signal.SIGTERM)
    case.equal(server.wait(), 143 if name == 'puma' else 0, f'end of {name}')
    SOCKET.unlink(missing_ok=True)


def run_frames():
    """With --request-frame, the variables of Python's functions have it."""
    command = [case.PYTHON, SUPPORT / 'frames_traced.py', GOOD, UNSAMPLED]
    untraced = case.untraced(*command)
    case.equal(untraced[0], 0, 'the script itself')
    tracer = case.trace('--requests', '--request-frame', 'handle_*',
                        '--otlp=out.otlp', '--json=out.json', command=command)
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    spans = [span for _, span in spans_of(
        json.loads(line) for line in
        (case.FOLDER / 'out.otlp').read_text().splitlines())]
    rows = [json.loads(line) for line in
            (case.FOLDER / 'out.json').read_text().splitlines()]
    told = {row['request']: (row.get('trace'), row.get('parent'))
            for row in rows if row['event'] == 'request'}
    calls = [row for row in rows if row['event'] == 'call']
    good, other = WANTED[GOOD][:2], WANTED[UNSAMPLED][:2]
    none = (None, None)
    wanted = [('wsgi', good)] * 2 + [('wsgi', none)] * 2
    wanted += [('/a', good), ('/b', other), ('/two', none),
               ('/none', none)] * 2
    wanted += [('view', other), ('job', none)]
    case.equal([(row['arguments'][0]['value'][8:-1], told[row['request']])
                for row in calls], wanted, 'requests of queries')
    case.equal([one['traceId'] if trace[0] else None for one, (_, trace) in
                zip([span for span in spans if span['kind'] == 3], wanted)],
               [trace[0] for _, trace in wanted], 'traces of queries')
    case.equal(sorted(one.get('parentSpanId', '') for one in spans
                      if one['kind'] == 1),
               sorted([good[1]] * 2 + [other[1]] * 2 + [''] * 4),
               'parents of requests')
    tracer = case.trace('--requests', '--request-frame', 'handle_*',
                        command=command)
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced, the table alone')
    case.equal([line.split()[0] for line in tracer.lines()
                if 'handle_wsgi' in line], ['2'], 'as many without --json')


def run_ruby_frames():
    command = ['ruby', SUPPORT / 'frames_traced.rb', GOOD, UNSAMPLED]
    untraced = case.untraced(*command)
    case.equal(untraced[0], 0, 'the script itself')
    tracer = case.trace('--requests', '--request-frame', '*handle_*',
                        '--json=out.json', command=command)
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    rows = [json.loads(line) for line in
            (case.FOLDER / 'out.json').read_text().splitlines()]
    told = {row['request']: (row.get('trace'), row.get('parent'))
            for row in rows if row['event'] == 'request'}
    good, other = WANTED[GOOD][:2], WANTED[UNSAMPLED][:2]
    none = (None, None)
    case.equal([(row['arguments'][0]['value'][8:-1], told[row['request']])
                for row in rows if row['event'] == 'call' and
                row['arguments'][0]['value'].startswith("select '")],
               [('rack', good)] * 2 + [('rack', other)] * 2 +
               [('rack', none)] * 4 +
               [('block', good), ('lambda', other), ('proc', good),
                ('object', other), ('object', good),
                ('object', other), ('self', good), ('job', none)],
               'requests of queries')


def test():
    run_frames()
    run_ruby_frames()
    FPM.write_text(f'[global]\nerror_log = {case.FOLDER}/fpm.log\n[www]\n'
                   f'user = root\nlisten = {SOCKET}\npm = static\n'
                   'pm.max_children = 1\n')
    # Each thread receives the request that it answers: only then, the request
    # of a query is known when the query ends.
    PUMA.write_text('queue_requests false\n')
    for name in SERVERS:
        run(name)


case.main(test)
