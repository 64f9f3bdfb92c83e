# SPDX-License-Identifier: GPL-2.0-or-later
"""A debugger in place of xtrace: Tracer(..., program=debugger.runs(COMMANDS)).
"""
import os

import case

ALWAYS = '''set pagination off
set confirm off
set debuginfod enabled off
'''


def runs(commands):
    (case.FOLDER / 'commands').write_text(ALWAYS + commands)
    path = case.FOLDER / 'debugged'
    path.write_text('#!/bin/sh\nexec gdb -nx -batch -return-child-result '
                    f'-x commands --args {case.XTRACE} "$@" 2>&1\n')
    os.chmod(path, 0o700)
    return path
