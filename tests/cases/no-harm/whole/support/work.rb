# SPDX-License-Identifier: GPL-2.0-or-later
# The same work in each of four threads, once for each line that is not 'stop',
# beside a thread that works all the time.
require 'json'
require 'digest'
require 'set'
require 'stringio'
STDOUT.sync = true

Point = Struct.new(:x, :y) do
  include Comparable
  def <=>(other) = x <=> other.x
end

def texts(n)
  words = (1..60).map { |i| format('%05.2f|%s|%x', i * n / 7.0, 'aé' * (i % 5), i * n) }
  again = words.join(',').split(/,/).map { |w| w.gsub(/[a-z]/) { |c| c.upcase }.tr('0-4', 'v-z') }
  [again.sort.uniq.size, again.inspect.hash == again.inspect.hash, again.join.encode('UTF-16LE').bytesize,
   'x%d' % n, words.join.unpack('C*').sum, [n, n * 2.5, 'z'].pack('NGa4').bytes.inspect]
end

def numbers(n)
  big = (1..40).reduce(1) { |a, b| a * b } + n
  [big.to_s(36), big.pow(5, 1_000_007), Rational(n, 12) + Rational(1, 3), Complex(n, 1)**2, Math.sqrt(n).round(6),
   big.digits.sum, n.gcd(84), (n.to_f / 3).floor(4), Integer.sqrt(big), -n.divmod(7)[1]]
end

def containers(n)
  hash = (1..80).to_h { |i| ["k#{i * n % 31}", i] }
  list = hash.to_a.sort_by { |k, v| [-v, k] }.each_slice(3).map(&:first)
  set = Set.new(list.flatten) ^ [1, 'k1']
  [list.flatten.take(9), set.size, hash.group_by { |_, v| v % 3 }.transform_values(&:size),
   (1..9).each_cons(2).sum { |a, b| a * b }, [3, 1, 2].permutation.to_a.size, hash.min_by(&:last),
   JSON.parse(JSON.generate(hash)) == hash, Marshal.load(Marshal.dump(list)) == list,
   [Point.new(2, 1), Point.new(1, n)].min.to_a]
end

def control(n)
  out = []
  10.times do |i|
    out << catch(:done) { [1, 2, 3].each { |x| throw :done, x * i if x == 2 } }
    begin
      raise ArgumentError, "no #{i}" if i.odd?
      out << Integer('x')
    rescue ArgumentError => e
      out << e.message.size
    ensure
      out << i
    end
  end
  fiber = Fiber.new { |x| 4.times { x = Fiber.yield(x + n) }; x }
  out << 5.times.map { |i| fiber.resume(i) }
  out << Enumerator.new { |y| 3.times { |i| y << i } }.lazy.map { |i| i + 1 }.to_a
  kind = Class.new { define_method(:m) { |x = 1, *r, k: 2, **o, &b| [x, r, k, o.size, b&.call] } }
  out << kind.new.m(1, 2, k: n, z: 1) { 7 } << kind.new.respond_to?(:m) << kind.instance_method(:m).arity
  out << eval("#{n} + 1") << binding.local_variables.size << ObjectSpace.garbage_collect.inspect
end

def once(n) = Digest::SHA256.hexdigest([texts(n), numbers(n), containers(n), control(n)].inspect)

stopping, faults = false, 0
always = Thread.new do
  wanted = once(3)
  until stopping
    faults += 1 if once(3) != wanted
    sleep 0.02
  end
end
puts 'ready'
while (line = gets) && line != "stop\n"
  puts (1..4).map { |n| Thread.new { 5.times.map { once(n) }.uniq } }.map(&:value).inspect
  puts texts(9).inspect, numbers(9).inspect, containers(9).inspect, control(9).inspect
  puts "#{line.chomp} done"
end
stopping = true
always.join
puts "faults #{faults}"
exit 5
