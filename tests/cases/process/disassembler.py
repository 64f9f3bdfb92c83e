#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The disassembler's library is loaded when an instruction needs it, and not at
the start: loading takes longer than everything else that happens until main()
begins.

NEEDS: plain
"""
import os
import subprocess

import case


def loaded(*arguments):
    """The files that the dynamic loader of xtrace has loaded."""
    done = subprocess.run([case.XTRACE, '-o', '/dev/null', *arguments],
                          env={**os.environ, 'LD_DEBUG': 'files',
                               'LD_DEBUG_OUTPUT': str(case.FOLDER / 'debug')},
                          capture_output=True, text=True)
    case.equal(done.returncode, 0, done.stderr)
    texts = [path.read_text() for path in case.FOLDER.glob('debug.*')]
    for path in case.FOLDER.glob('debug.*'):
        path.unlink()
    # LD_DEBUG also works in the traced program, which loads no libdw.
    ours, = [text for text in texts if 'libdw.so' in text]
    return ours


def test():
    case.true('libcapstone' not in loaded('/bin/true'), 'true does not need it')
    case.true('libcapstone' not in loaded('-x', 'nothing', '/bin/true'),
              'a name that matches nothing does not need it')
    # Among all of libc's functions some begin with vector instructions.
    case.true('libcapstone' in loaded('-c', '-x', '*@libc.so.6', '/bin/true'),
              'libc needs it')


case.main(test)
