# SPDX-License-Identifier: GPL-2.0-or-later
"""One FastCGI 1.0 request, like a web server's request to php-fpm."""
import struct

BEGIN, PARAMS, STDIN, STDOUT = 1, 4, 5, 6
RESPONDER = struct.pack('>HB5x', 1, 0)


def record(kind, content):
    """A record of one request: its head (version, type, request 1, length;
    FastCGI 1.0, 3.3) and its content."""
    return struct.pack('>BBHHBB', 1, kind, 1, len(content), 0, 0) + content


def pair(name, value):
    """A name and its value as a record has them, with their lengths in four
    bytes (FastCGI 1.0, 3.4)."""
    name, value = name.encode(), str(value).encode()
    return (struct.pack('>II', len(name) | 1 << 31, len(value) | 1 << 31) +
            name + value)


def get(script, query='', uri='/', more=None):
    """The bytes that request a responder to run a script. more: further
    variables of the script's environment, with their values."""
    words = {'SCRIPT_FILENAME': script, 'SCRIPT_NAME': '/',
             'REQUEST_METHOD': 'GET', 'REQUEST_URI': uri,
             'QUERY_STRING': query, **(more or {})}
    return (record(BEGIN, RESPONDER) +
            record(PARAMS, b''.join(pair(*word) for word in words.items())) +
            record(PARAMS, b'') + record(STDIN, b''))


def output(answer):
    """What the script has written, out of the records of an answer."""
    text = b''
    while len(answer) >= 8:
        _, kind, _, length, padding, _ = struct.unpack('>BBHHBB', answer[:8])
        if kind == STDOUT:
            text += answer[8:8 + length]
        answer = answer[8 + length + padding:]
    return text
