# SPDX-License-Identifier: GPL-2.0-or-later
"""uwsgi serves this, see hosted.py: it calls isatty(NUMBER) from several
places.
"""
import os
import sys
import threading
import traceback


def said(number, frame):
    words = [str(number)]
    for at, line in traceback.walk_stack(frame):
        words += [at.f_code.co_name, at.f_code.co_filename, str(line)]
    return '\t'.join(words) + '\n'


def probe(number):
    os.isatty(number); return said(number, sys._getframe())


class Places:
    def method(self, number):
        return probe(number)

    def generator(self, number):
        yield (
            probe(number)
        )
        yield from (self.method(n) for n in range(number + 1, number + 3))


def on_thread(number):
    rows = []
    other = threading.Thread(target=lambda: rows.append(probe(number)))
    other.start()
    other.join()
    return rows[0]


def application(environ, start_response):
    number = int(environ['PATH_INFO'][1:])
    rows = [probe(number)]
    rows += Places().generator(number + 1)
    rows += map(lambda n: probe(n), [number + 4])
    rows.append(on_thread(number + 5))
    exec(compile('rows.append(probe(\n number + 6))', 'made', 'exec'),
         {**globals(), **locals()})
    start_response('200 OK', [('Content-Type', 'text/plain')])
    return [''.join(rows).encode()]
