# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a process has what survives us: the home of docs/SURVIVAL.md."""
import pathlib


def stands(pid):
    """Is there executable memory that is no file's, but for the kernel's?"""
    rows = [row.split() for row in
            pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines()]
    return any('x' in row[1] and len(row) < 6 for row in rows)
