# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells whether a process has a handler area (docs/SURVIVAL.md)."""
import pathlib


def exists(pid):
    """True if an executable anonymous mapping begins with the area's magic
    bytes."""
    rows = [row.split() for row in
            pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines()]
    return any('x' in row[1] and len(row) < 6 for row in rows)
