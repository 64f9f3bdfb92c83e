#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Checks lines of JSON with a schema: validate.py SCHEMA < LINES.

Prints each error with its line, and nothing if there is none.
"""
import json
import sys

import jsonschema


def reject(name):
    raise ValueError(f'{name} is no JSON')


def unique(pairs):
    keys = [key for key, _ in pairs]
    if len(keys) != len(set(keys)):
        raise ValueError(f'a key twice: {keys}')
    return dict(pairs)


def main():
    with open(sys.argv[1], encoding='utf-8') as file:
        schema = json.load(file)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for number, line in enumerate(sys.stdin.buffer, 1):
        try:
            item = json.loads(line.decode('utf-8'), parse_constant=reject,
                              object_pairs_hook=unique)
        except ValueError as error:
            print(f'{number}: {error}: {line!r}')
            continue
        for error in validator.iter_errors(item):
            print(f'{number}: {error.json_path}: {error.message}')


if __name__ == '__main__':
    main()
