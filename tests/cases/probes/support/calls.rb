# SPDX-License-Identifier: GPL-2.0-or-later
# Methods of a class and an object, recursion, an exception, and two fibers that
# take turns. Ruby tells of methods only while a TracePoint asks for them.
class Shop
  def self.open(n)
    new.fill(n)
  end

  def fill(n)
    n.zero? ? raise(ArgumentError) : fill(n - 1)
  end

  def safe
    fill(1)
  rescue ArgumentError
    [1].first
  end

  def turn
    Fiber.yield 1
    2
  end
end
TracePoint.new(:call, :return) {}.enable
begin
  Shop.open(0)
rescue ArgumentError
  puts 'caught'
end
shop = Shop.new
shop.safe
fibers = Array.new(2) { Fiber.new { shop.turn } }
fibers.each(&:resume)
fibers.each(&:resume)
