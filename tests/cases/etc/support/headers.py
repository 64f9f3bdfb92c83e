# SPDX-License-Identifier: GPL-2.0-or-later
"""Finds what C headers declare, by asking the compiler.

declared = headers.declarations(source, flags)
"""
import collections
import pathlib
import re
import subprocess
import tempfile

Declared = collections.namedtuple('Declared', 'result params more')

# The classes of types as __builtin_classify_type() tells them (GCC manual,
# "Other Builtins"). Its argument is an expression of the type, so characters
# and enums have become integers.
CLASSES = {1: 'i', 5: 'p', 8: 'f', 9: 'c', 12: 's', 13: 's'}


def gcc(source, *flags):
    done = subprocess.run(['gcc', '-w', '-x', 'c', *flags, '-'], input=source,
                          text=True, errors='replace', stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    if done.returncode:
        raise RuntimeError(done.stdout)


def ask(source, rows, flags):
    """Compiles and runs a program that prints two numbers for each row. A row
    has the two C expressions, with a comma between."""
    body = ''.join(f'printf("%d %d\\n", {row});\n' for row in rows)
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / 'ask'
        gcc(f'{source}\n#include <stdio.h>\nint main(void) {{\n{body}return 0; }}',
            *flags, '-o', program)
        out = subprocess.run([program], text=True, stdout=subprocess.PIPE)
    return [tuple(map(int, row.split())) for row in out.stdout.splitlines()]


def split(text):
    """Splits the text at its commas, except within brackets."""
    parts, depth, start = [], 0, 0
    for at, letter in enumerate(text):
        depth += letter in '([{'
        depth -= letter in ')]}'
        if letter == ',' and depth == 0:
            parts.append(text[start:at].strip())
            start = at + 1
    return [*parts, text[start:].strip()]


def take_apart(line):
    """Takes a line of -aux-info apart: the function's name, the type of its
    result, the types of its parameters. None if the line is the definition of
    an inline function, which no library exports."""
    if not re.match(r'/\* \S+:[NO]C \*/', line):
        return None
    line = re.sub(r'^/\*.*?\*/ *', '', line)
    line = re.sub(r' */\*.*$', '', line).rstrip('; ')
    line = re.sub(r'^((extern|static|volatile) +)+', '', line)
    line = re.sub(r'(struct )?__va_list_tag', 'void', line)
    # The unions __SOCKADDR_ARG are passed like the pointers in them.
    line = re.sub(r'__(CONST_)?SOCKADDR_ARG', 'void *', line)
    # Functions that return a pointer: "void (*f (int)) (int)" returns a pointer
    # to a function, "pem_password_cb (*f (int))" a pointer to a type.
    back = re.match(r'^(.*?)\(\*(\w+) \((.*?)\)\)(?: (\(.*\)))?$', line)
    if back:
        result = f'{back[1]}(*){back[4]}' if back[4] else back[1] + '*'
        return back[2], result, split(back[3])
    found = re.search(r'(\w+) \(', line)
    if not found or not line.endswith(')'):
        return None
    return found[1], line[:found.start()].strip(), \
        split(line[found.end():-1])


def classes(source, types, flags):
    """Returns {spelling of a type: class and size, as model.c writes them}."""
    types = sorted(types - {'void'})
    named = source + ''.join(f'\ntypedef __typeof__({spelling}) T{i};'
                             for i, spelling in enumerate(types))
    kinds = ask(named, [f'__builtin_classify_type(*(T{i} *)0), '
                        f'(int)sizeof(T{i})' for i in range(len(types))],
                flags)
    numbers = [i for i, (kind, _) in enumerate(kinds) if CLASSES[kind] == 'i']
    signs = ask(named, [f'{i}, (T{i})-1 < (T{i})1' for i in numbers], flags)
    signed = {i for i, sign in signs if sign}
    reals = [i for i, (kind, size) in enumerate(kinds)
             if CLASSES[kind] == 'f' and size == 16]
    quads = {i for i, quad in ask(
        named, [f'{i}, __builtin_types_compatible_p(T{i}, _Float128)'
                for i in reals], flags) if quad}
    known = {'void': 'v0'}
    for i, (kind, size) in enumerate(kinds):
        letter = CLASSES[kind]
        if letter == 'i' and i not in signed:
            letter = 'u'
        if i in quads:
            letter = 'q'
        known[types[i]] = f'{letter}{size}'
    return known


def declarations(source, flags=()):
    with tempfile.NamedTemporaryFile(suffix='.X') as aux:
        gcc(source, *flags, '-fsyntax-only', '-aux-info', aux.name)
        lines = pathlib.Path(aux.name).read_text(errors='replace')
    found, types = {}, set()
    for line in lines.splitlines():
        parts = take_apart(line)
        if not parts:
            continue
        name, result, params = parts
        if '{' in line:  # an unnamed struct cannot be written as a type
            continue
        found[name] = result, params
        types.update([result, *params])
    known = classes(source, types - {'...', ''}, flags)
    return {name: Declared(known[result],
                           [known[p] for p in params
                            if p not in ('...', 'void')],
                           params[-1] == '...')
            for name, (result, params) in found.items()}
