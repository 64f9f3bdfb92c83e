# SPDX-License-Identifier: GPL-2.0-or-later
# Calls umask(NUMBER) from all kinds of places, and writes down for each from
# where, as Ruby itself sees it: NUMBER TAB function TAB file TAB line TAB ...

require_relative 'ruby_module'

$number = 999
$turn = Mutex.new
$said = File.open(ARGV[0], 'w')
NEW = RUBY_VERSION >= '3.4'

def note(number, frames)
  words = frames.flat_map do |frame|
    # If nothing in Ruby has called the code, Ruby reports the program's name
    # as its file, and no line.
    found = /\A(.*?)(?::(\d+))?:in [`'](.*)'\z/m.match(frame)
    [found[3], found[2] ? found[1] : '', found[2] || '0']
  end
  first = [NEW ? 'File.umask' : 'umask', words[1], words[2]]
  $said.puts([number, *first, *words].join("\t"))
end

def probe(_)
  $turn.synchronize do
    number = $number += 1
    File.umask(number); note(number, caller(0))
    number
  end
end

# ---- places ------------------------------------------------------------------

def plain(number)
  probe(number)
end

def blocks(number)
  [number].each do |n|
    1.times do
      { n => 1 }.each { |key, _| probe(key) }
    end
  end
end

class Base
  def act(number)

    probe(number)
  end

  def self.of_class(number)
    new.act(number)
  end

  define_method(:defined) { |number| probe(number) }

  def method_missing(name, *arguments)
    return super unless name == :missing
    probe(
      *arguments
    )
  end

  def respond_to_missing?(*)
    true
  end

  alias other act

  class << self
    def within(number)
      probe(number)
    end
  end
end

module Before
  def act(number)
    super
  end
end

class Derived < Base
  prepend Before
  def act(number)
    if number.odd?
      super(
        number
      )
    else
      super
    end
  end
end

def closures(number)
  add = proc { |n| probe(n) }
  made = lambda do |n|
    add.call(
      n
    )
  end
  made.(number)
end

def recursion(number)
  return recursion(number - 1) if number % 20 > 0
  probe(number)
end

def in_fiber(number)
  fiber = Fiber.new do
    probe(number)
    Fiber.yield
    probe(number)
  end
  fiber.resume
  probe(number)
  fiber.resume
end

def in_enumerator(number)
  Enumerator.new do |out|
    out << probe(number)
    out << probe(number)
  end.next
end

def in_lazy(number)
  (1..3).lazy.map { |n| probe(n + number) }.first(2)
end

def by_sort(number)
  [3, 1, 2].sort_by { |n| probe(n) }
  [3, 1].sort do |a, b|
    probe(number)
    a <=> b
  end
  [3, 1].inject { |a, b| probe(a + b) }
end

def by_compare(number)
  keeper = Kept::Keeper.new { |n| probe(n + number) }
  keeper == Kept::Keeper.new {}
  [keeper, keeper].max
  keeper.map { |n| probe(n) }
  "#{keeper} and #{keeper}"
end

def by_index(number)
  Kept::Keeper.new { |n| plain(n) }[number]
end

def by_send(number)
  Derived.new.send(:act, number)
  Base.new.public_send(:defined, number)
  Base.new.missing(number)
  Base.instance_method(:other).bind(Base.new).call(number)
  [number].map(&method(:plain))
  [number].each(&:then)
  number.then { |n| probe(n) }
  number.tap { |n| probe(n) }
end

def in_rescue(number)
  begin
    raise ArgumentError, 'x'
  rescue ArgumentError
    probe(number)
  else
    nil
  ensure
    probe(number)
  end
  begin
    Integer('x')
  rescue StandardError
    [1].each { probe(number) }
  end
end

def in_catch(number)
  catch(:done) do
    loop do
      probe(number)
      throw :done
    end
  end
end

def in_class_body(number)
  $kept = number
  Class.new do
    probe($kept)
    attr_reader :x
  end
  Object.class_eval do
    probe(number)
  end
  number.instance_eval { probe(self) }
end

# A function that is defined again and again, so that its old code is freed.
def by_eval(number)
  text = "\n" * (number % 7) + "def made_#{number % 9}(n)\n" +
         "  n + 1\n" * (number % 5) + "  probe(n)\nend\n" \
         "made_#{number % 9}(#{number})\n"
  eval(text, TOPLEVEL_BINDING, "<made #{number % 11}>", 3)
  eval('probe(number)')
  Base.class_eval('probe(1)', 'class.rb', 77)
end

def by_gc(number)
  GC.start if number % 50 == 0
  probe(number)
end

def by_hash(number)
  Hash.new { |hash, key| hash[key] = probe(key) }[number]
  [[1, 2]].to_h { |a, b| [probe(a), b] }
  'abc'.gsub(/b/) { probe(number).to_s }
end

def with_defaults(number, other = probe(number), named: probe(other))
  probe(named)
end

# Many instructions, to go beyond each part of the table of lines.
lines = (1..400).map { |i| "  a += #{i} if a == -1\n" }
[5, 11, 20, 60, 120, 399].each { |i| lines[i] = "  probe(a)\n" }
eval("def many(number)\n  a = number\n#{lines.join}end\n", TOPLEVEL_BINDING,
     'many.rb', 1)

def grüße(number)
  probe(number)
end

PLACES = [
  method(:plain), method(:blocks), Base.new.method(:act),
  Base.method(:of_class), Base.method(:within), Derived.new.method(:act),
  method(:closures), method(:recursion), method(:in_fiber),
  method(:in_enumerator), method(:in_lazy), method(:by_sort),
  method(:by_compare), method(:by_index), method(:by_send),
  method(:in_rescue), method(:in_catch), method(:in_class_body),
  method(:by_eval), method(:by_gc), method(:by_hash),
  method(:with_defaults), method(:many), method(:grüße)
].freeze

def wander(chance, depth)
  if depth > 0 && chance.rand < 0.4
    return Kept.later(nil) { wander(chance, depth - 1) }
  end
  PLACES[chance.rand(PLACES.size)].call(1 + chance.rand(98))
end

def run(seed, count)
  chance = Random.new(seed)
  PLACES.each { |place| place.call(7) }
  count.times { wander(chance, 6) }
end

count = ARGV[1].to_i
other = Thread.new { run(2, count) }
run(1, count)
other.join
$said.close
