# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether a process has a handler area (docs/SURVIVAL.md)."""
import pathlib


def exists(pid):
    """Is there executable anonymous memory?"""
    rows = [row.split() for row in
            pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines()]
    return any('x' in row[1] and len(row) < 6 for row in rows)
