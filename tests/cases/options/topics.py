#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-Dh lists the topics of -D, as in ltrace, and -D accepts each of them."""
import subprocess

import case


def xtrace(*words):
    return subprocess.run([case.XTRACE, *words], check=False,
                          capture_output=True, text=True)


def test():
    listed = xtrace('-Dh')
    case.equal((listed.returncode, listed.stderr), (0, ''), 'the list')
    topics = listed.stdout.split()
    case.true({'base', 'tracer', 'all'} <= set(topics), f'topics: {topics}')
    case.equal(xtrace('-D', 'help').stdout, listed.stdout, '-D help')
    for topic in topics:
        case.equal(xtrace('-D', topic, '--version').returncode, 0, topic)


case.main(test)
