#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Python within uwsgi, on several threads: the frames are the frames that Python
reports.

NEEDS: uwsgi_python3
TIMEOUT: 120
"""
import case
import hosted

path = str(case.FOLDER / 'socket')
case.main(lambda: hosted.test(
    ['uwsgi_python3', '--http-socket', path, '--wsgi-file',
     case.SUPPORT / 'hosted_subject.py', '--threads', '2', '--die-on-term'],
    path, 'isatty', 'int isatty(int);', 7))
