#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The samples of a fiber of Ruby lead to the fiber that has resumed it, and on to
the fiber that has resumed that one; so they do in an enumerator. A fiber that
was reached by a transfer, and the first fiber of a thread, have no such frames.

NEEDS: ruby
TIMEOUT: 60
"""
import re

import case

SCRIPT = """
def burn(seconds)
  limit = Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) + seconds
  nil while Process.clock_gettime(Process::CLOCK_THREAD_CPUTIME_ID) < limit
end

def nested = burn(0.02)
def middle = Fiber.new { nested }.resume
def outer = Fiber.new { middle }.resume
def made = burn(0.02)
def taken = ENUMERATOR.next
def first = burn(0.02)
def in_thread = burn(0.02)
def threaded = Fiber.new { in_thread }.resume
def transferred = burn(0.02)
def moved = MOVED.transfer

ENUMERATOR = Enumerator.new { |found| loop { made; found << 1 } }
main = Fiber.current
MOVED = Fiber.new { loop { transferred; main.transfer } }
20.times { outer; taken; first; moved }
Thread.new { 20.times { threaded } }.join
puts 'over'
"""
# The frames of the script from the outermost on, for each innermost one.
WANTED = {
    'nested': ['outer', '[fiber]', 'middle', '[fiber]', 'nested'],
    'made': ['taken', '[fiber]', 'made'],
    'first': ['first'],
    'in_thread': ['threaded', '[fiber]', 'in_thread'],
    'transferred': ['transferred'],
}
NAMES = {name for names in WANTED.values() for name in names} | {'moved'}


def test():
    if 'ruby 3.1' not in case.untraced('ruby', '--version')[1]:
        case.skip('no Ruby 3.1')
    script = case.FOLDER / 'script.rb'
    script.write_text(SCRIPT)
    folded = case.FOLDER / 'folded'
    run = case.start(case.XTRACE, '--sample=499', f'--folded={folded}', '--',
                     'ruby', script)
    case.equal((run.wait(), run.out, run.err), (0, 'over\n', ''), 'the script')
    seen = dict.fromkeys(WANTED, 0)
    for line in folded.read_text().splitlines():
        frames = [re.sub(r' \(.*', '', frame)
                  for frame in line.rsplit(' ', 1)[0].split(';')]
        if 'burn' not in frames:
            continue
        named = [frame for frame in frames if frame in NAMES]
        case.true(named and named[-1] in WANTED, line)
        case.equal(named, WANTED[named[-1]], line)
        seen[named[-1]] += 1
    case.true(min(seen.values()) > 0, f'{seen}')


case.main(test)
