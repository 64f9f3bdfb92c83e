# SPDX-License-Identifier: GPL-2.0-or-later
# Exceptions, throw and catch, and fibers, for which libruby uses longjmp and
# separate stacks. See languages.py.
FROZEN = 'text'.freeze
first, last = ARGV.map(&:to_i)
raised = thrown = sum = 0
fiber = Fiber.new { |x| loop { x = Fiber.yield(x + 1) } }
(1..last).each do |i|
  begin
    Integer('none')
  rescue ArgumentError
    raised += 1
  end
  begin
    FROZEN << 'more'
  rescue FrozenError
    raised += 1
  end
  thrown += catch(:out) { [1].each { throw :out, 1 } }
  sum += fiber.resume(i)
  next unless [first, last].include?(i)
  puts 'ready'
  $stdout.flush
  $stdin.gets
end
puts "#{raised} raised, #{thrown} thrown, sum #{sum}"
exit 3
