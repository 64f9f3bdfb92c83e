#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads lines of [HEX, TEXT], and checks that TEXT stands for the bytes of
HEX. Prints the lines that are wrong, and nothing if there are none.
"""
import json
import sys


def back(text):
    if isinstance(text, dict):
        return text['$bytes'].encode('latin-1')
    return text.encode('utf-8')


def is_utf8(data):
    try:
        data.decode('utf-8')
    except UnicodeDecodeError:
        return False
    return True


def main():
    for number, line in enumerate(sys.stdin.buffer, 1):
        digits, text = json.loads(line.decode('utf-8'))
        data = bytes.fromhex(digits)
        if back(text) != data or is_utf8(data) != isinstance(text, str):
            print(f'{number}: {line!r}')


if __name__ == '__main__':
    main()
