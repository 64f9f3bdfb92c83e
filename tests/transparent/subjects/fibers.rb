# SPDX-License-Identifier: GPL-2.0-or-later
# Threads, fibers, exceptions, signals, processes and sockets of Ruby.
require 'socket'
require 'timeout'
require 'open3'
require 'monitor'
STDOUT.sync = true
File.read('gate')

# Fibers: generators, transfer, many of them, an exception through one.
squares = Enumerator.new { |y| n = 0; loop { y << n * n; n += 1 } }
puts squares.lazy.select(&:even?).first(20).inspect
fibers = (1..200).map { |n| Fiber.new { |x| 5.times { |i| x = Fiber.yield(n * i + x) }; :end } }
sum = 0
6.times { fibers.each { |f| v = f.resume(1); sum += v if v.is_a?(Integer) } }
puts sum, fibers.count(&:alive?)
begin
  Fiber.new { Fiber.new { raise ArgumentError, 'deep' }.resume }.resume
rescue ArgumentError => e
  puts "rescued #{e.message}"
end
a = Fiber.new { |x| b = Fiber.new { |y| a.transfer(y + 1) }; b.transfer(x * 2) }
puts a.transfer(20).inspect

# Threads: a mutex, a queue, a condition, a value, one killed, one raised into.
lock, count = Mutex.new, 0
(1..8).map { Thread.new { 200.times { lock.synchronize { count += 1 } } } }.each(&:join)
puts count
queue, results = SizedQueue.new(5), Queue.new
workers = 4.times.map { Thread.new { while (job = queue.pop) != :stop do results << job * 2 end } }
200.times { |i| queue << i }
4.times { queue << :stop }
workers.each(&:join)
puts results.size, Array.new(results.size) { results.pop }.sum
waiting = Thread.new { Thread.current[:ready] = true; begin; sleep; ensure; puts 'ensured'; end }
Thread.pass until waiting.stop?
waiting.kill.join
caught = Thread.new { begin; sleep; rescue IOError => e; "raised #{e.message}"; end }
Thread.pass until caught.stop?
caught.raise(IOError, 'from outside')
puts caught.value
begin
  Timeout.timeout(0.2) { sleep }
rescue Timeout::Error
  puts 'timed out'
end
puts catch(:done) { 10.times { |i| 10.times { |j| throw :done, [i, j] if i * j == 42 } } }.inspect

# Signals and processes.
got = Queue.new
trap('USR1') { got << 1 }
20.times { Process.kill('USR1', Process.pid); got.pop }
puts 'twenty signals'
puts((1..5).map { |n| pid = fork { exit! n }; Process.wait2(pid)[1].exitstatus }.inspect)
pid = fork { trap('TERM', 'DEFAULT'); sleep }
Process.kill('TERM', pid)
puts Process.wait2(pid)[1].termsig
puts `echo from a shell`, $?.exitstatus
out, status = Open3.capture2e('sh', '-c', 'sort -r; exit 3', stdin_data: "b\na\nc\n")
puts out.inspect, status.exitstatus
pids = 10.times.map { |i| spawn('true') }
puts pids.map { |p| Process.wait2(p)[1].success? }.all?

# A server and its clients in threads.
server = TCPServer.new('127.0.0.1', 0)
serving = Thread.new { 5.times.map { c = server.accept; Thread.new { while (l = c.gets) do c.puts l.upcase end } }.each(&:join) }
replies = 5.times.map { |n| Thread.new { s = TCPSocket.new('127.0.0.1', server.addr[1]); r = 100.times.map { |i| s.puts "w#{n}-#{i}"; s.gets.chomp }; s.close; r } }.map(&:value)
serving.join
puts replies.flatten.sort.values_at(0, 250, -1).inspect
def recurse(n) = recurse(n + 1)
begin
  recurse(0)
rescue SystemStackError
  puts 'stack too deep'
end
GC.stress = true
x = (1..20).map { |i| i.to_s * 3 }
GC.stress = false
File.write('result', x.join(' '))
at_exit { puts 'at exit'; exit! 6 }
raise 'the end'
