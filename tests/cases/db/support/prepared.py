# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that a client prepared before xtrace attached.

The client has ask(name, value), which prepares a statement for each name and
executes it. It asks WORDS, says `ready`, waits for a line, and asks them
again.
"""
import json

import case
import matrix

WORDS = ('one', 'two', 'three', 'four')
ROUNDS = 3
PYTHON = f'''
for value in range(2):
    for name in {WORDS!r}:
        ask(name, value)
print('ready', flush=True)
sys.stdin.readline()
for value in range({ROUNDS}):
    for name in {WORDS!r}:
        ask(name, value)
'''
RUBY = f"""
$stdout.sync = true
words = '{' '.join(WORDS)}'.split
2.times {{ |value| words.each {{ |name| ask(name, value) }} }}
puts 'ready'
$stdin.gets
{ROUNDS}.times {{ |value| words.each {{ |name| ask(name, value) }} }}
"""
PERL = f"""
$| = 1;
my @words = split ' ', '{' '.join(WORDS)}';
for my $value (0, 1, 0, 1) {{ ask($_, $value) for @words }}
print "ready\\n";
<STDIN>;
for my $value (0 .. {ROUNDS - 1}) {{ ask($_, $value) for @words }}
"""
PHP = f"""
$words = explode(' ', '{' '.join(WORDS)}');
for ($value = 0; $value < 2; $value++)
    foreach ($words as $name)
        ask($name, $value);
echo "ready\\n";
fgets(STDIN);
for ($value = 0; $value < {ROUNDS}; $value++)
    foreach ($words as $name)
        ask($name, $value);
"""


def texts(command, *options):
    """The texts of the queries after the attach; None for an unknown text."""
    client = case.start(*command, env=matrix.env())
    client.wait_for('ready')
    tracer = case.attach(client, '--sql', '--json', '-s', '1000', *options)
    client.say()
    case.finish(client)
    tracer.wait(0)
    rows = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'call']
    return [row['arguments'][0].get('value') for row in rows]


def check(name, command, text_of, *options):
    """text_of(word) is the text of the statement of that word. Between the
    expected statements, the trace may have others that the client's library
    added (BEGIN, COMMIT)."""
    found = texts(command, *options)
    wanted = [text_of(word) for word in WORDS]
    case.equal([text for text in found if text is None or text in wanted],
               wanted * ROUNDS, f'{name}: statements, of {found}')
