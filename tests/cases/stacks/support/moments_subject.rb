# SPDX-License-Identifier: GPL-2.0-or-later
# The subject of moments.py in Ruby; it does what moments_subject.py does.
$over = false

def alpha(depth)
  text = (0...20).map { |n| n.to_s }.join
  return beta(depth - 1) if depth > 0
  text.size
end

def beta(depth)
  found = [depth, depth].map { |n| gamma(n) }
  alpha(depth - 1) if depth > 1
  found
end

def gamma(depth)
  delta(depth)
rescue ArgumentError => error
  error.message
ensure
  GC.start if rand(50) == 0
end

def delta(depth)
  kept = (0...9).map { |n| { n => [n] } }
  raise ArgumentError, "#{depth} of #{kept.size}"
end

def epsilon(depth)
  zeta(depth) { |number| [3, 1, 2].sort_by { |n| eta(n, number) } }
end

def zeta(depth, &block)
  zeta(depth - 1, &block) if depth > 0
  yield depth
end

def eta(n, number)
  n.to_s * number
end

def first
  alpha(4) until $over
end

def second
  epsilon(5) until $over
end

def main
  other = Thread.new { second() }
  Thread.new { listen() }
  first()
  other.join
end

def listen
  $stdout.puts 'ready'
  $stdout.flush
  $stdin.gets
  $over = true
end

main()
