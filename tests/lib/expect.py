# SPDX-License-Identifier: GPL-2.0-or-later
"""Expected lines: literal text with a few placeholders.

    %num     a decimal number, perhaps negative
    %hex     0x and hexadecimal digits
    %time    22:31:50, perhaps with microseconds
    %epoch   seconds since 1970 with microseconds
    %dur     seconds with microseconds, as -T prints them within <>
    %id      a process or thread id
    %word    no blanks, commas or parentheses
    %any     anything, also nothing
    %go      what follows the arguments of a call: ") = ..." at once, or
             " <unfinished ...>" if another line comes between
    %{NAME}  like %word, with the same text at each %{NAME}
    %%       a percent sign

A line that ends in " |xN" means N equal lines.
"""
import re

PLACEHOLDERS = {
    'num': r'-?\d+',
    'hex': r'0x[0-9a-f]+',
    'time': r'\d\d:\d\d:\d\d(?:\.\d{6})?',
    'epoch': r'\d{9,}\.\d{6}',
    'dur': r'\d+\.\d{6}',
    'id': r'\d+',
    'word': r'[^\s,()]+',
    'any': r'.*?',
    'go': r'(?:\) = .*| <unfinished \.\.\.>)',
}
TOKEN = re.compile(r'%(%|\{(\w+)\}|(' + '|'.join(PLACEHOLDERS) + r'))')
REPEAT = re.compile(r'^(.*?) +\|x(\d+)$')
ALIGNMENT = re.compile(r'\)\s+= ')


def normal(line):
    """A line of a trace without its alignment."""
    return ALIGNMENT.sub(') = ', line.rstrip())


def regex(line, known):
    """The pattern of an expected line, with the NAMEs known so far."""
    out, at, fresh = [], 0, set()
    for token in TOKEN.finditer(line):
        out.append(re.escape(line[at:token.start()]))
        at = token.end()
        name, kind = token.group(2), token.group(3)
        if kind:
            out.append(PLACEHOLDERS[kind])
        elif not name:
            out.append('%')
        elif name in known:
            out.append(re.escape(known[name]))
        elif name in fresh:
            out.append(f'(?P={name})')
        else:
            fresh.add(name)
            out.append(f'(?P<{name}>{PLACEHOLDERS["word"]})')
    out.append(re.escape(line[at:]))
    return re.compile(''.join(out))


class Matcher:
    """Matches lines one after the other and remembers the text of each
    %{NAME}.
    """

    def __init__(self):
        self.known = {}

    def matches(self, wanted, line):
        found = regex(wanted, self.known).fullmatch(line)
        if found:
            self.known.update(found.groupdict())
        return bool(found)


def expanded(wanted):
    out = []
    for line in wanted:
        repeat = REPEAT.match(line)
        if repeat:
            out += [normal(repeat.group(1))] * int(repeat.group(2))
        else:
            out.append(normal(line))
    return out


def clipped(lines, most=60):
    if len(lines) > most:
        return lines[:most] + [f'... and {len(lines) - most} more']
    return lines


def exact(wanted, got):
    """Returns [] if got equals wanted line by line, else an explanation."""
    wanted, got = expanded(wanted), [normal(line) for line in got]
    matcher = Matcher()
    for at in range(max(len(wanted), len(got))):
        if at < len(wanted) and at < len(got) \
                and matcher.matches(wanted[at], got[at]):
            continue
        fault = [f'line {at + 1} differs',
                 '  expected: ' + (wanted[at] if at < len(wanted)
                                   else '(nothing)'),
                 '  got:      ' + (got[at] if at < len(got)
                                   else '(nothing)')]
        return fault + ['  all that was got:'] + \
            ['    ' + line for line in clipped(got)]
    return []


def contains(wanted, got):
    """Returns [] if the wanted lines are in got, in their order."""
    wanted, rest = expanded(wanted), [normal(line) for line in got]
    matcher = Matcher()
    for line in wanted:
        for at, have in enumerate(rest):
            if matcher.matches(line, have):
                rest = rest[at + 1:]
                break
        else:
            return [f'missing: {line}', '  in:'] + \
                ['    ' + have for have in clipped(list(got))]
    return []


def count(wanted, got):
    """The number of lines in got that match the one wanted line."""
    pattern = regex(normal(wanted), {})
    return sum(1 for line in got if pattern.fullmatch(normal(line)))
