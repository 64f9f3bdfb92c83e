# SPDX-License-Identifier: GPL-2.0-or-later
# Objects of many kinds. Writes how many objects there are of each class of its
# own, and "all" with the number of slots that Ruby has in use. With a word, a
# thread makes and drops objects until a line comes.
class Plain
  def initialize(at)
    @at = at
  end
  attr_reader :at
end

class Wide
  def initialize
    @one, @two, @three, @four, @five = 1, 2, 3, 4, 5
  end
end

class Old; end
module Outer
  class Inner; end
end
class Text < String; end
class List < Array; end
class Table < Hash; end
module Mixed; end
class Within
  include Mixed
end
Pair = Struct.new(:one, :two)
unnamed = Class.new

old = Array.new(321) { Old.new }
2.times { GC.start }
GC.disable
kept = {
  'Old' => old,
  'Plain' => Array.new(30_000) { |at| Plain.new(at) },
  'Wide' => Array.new(2000) { Wide.new },
  'Outer::Inner' => Array.new(1234) { Outer::Inner.new },
  'Text' => Array.new(500) { Text.new('text') },
  'List' => Array.new(400) { List.new([1]) },
  'Table' => Array.new(300) { Table.new },
  'Within' => Array.new(200) { Within.new },
  'Pair' => Array.new(150) { Pair.new(1, 2) },
  'Rational' => Array.new(100) { |n| Rational(n + 1, 1009) },
  '#<Class:0x0>' => Array.new(17) { unnamed.new }
}
# Twenty objects of Within get a singleton class each.
kept['Within'].first(20).each { |one| def one.own; end }
$long = 'x' * 1_000_000
over = false
made = 0
if ARGV[0]
  GC.enable
  maker = Thread.new do
    until over
      500.times { Plain.new(0) }
      500.times { 'text' * 3 }
      made += 1000
    end
  end
end
$stdout.sync = true
kept.each { |name, objects| puts "#{objects.size} #{name}" }
counts = ObjectSpace.count_objects
puts "all #{counts[:TOTAL] - counts[:FREE]}"
$stdin.gets
over = true
maker&.join
puts "#{made > 0} #{kept['Plain'].sum(&:at)}"
