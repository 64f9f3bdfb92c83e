# SPDX-License-Identifier: GPL-2.0-or-later
# called.rb N: calls Array#rindex N times, and prints the nanoseconds per call:
# the mean, and the median of chunks of 20 calls, as the subjects in C do. The
# method is one in C, because Ruby reports methods in Ruby only while a
# TracePoint asks for them.
CHUNK = 20
array = [1]
now = -> { Process.clock_gettime(Process::CLOCK_MONOTONIC, :nanosecond) }
took = []
start = now.call
(ARGV[0].to_i / CHUNK).times do
  CHUNK.times { array.rindex(1) }
  stop = now.call
  took << stop - start
  start = stop
end
puts took.sum.to_f / took.size / CHUNK, took.sort[took.size / 2].to_f / CHUNK
