# SPDX-License-Identifier: GPL-2.0-or-later
# A method and an exception. Ruby tells of methods only while a TracePoint asks
# for them.
class Shop
  def fill(n)
    [n].map(&:to_s)
  end
end
TracePoint.new(:call, :return) {}.enable do
  Shop.new.fill(3)
end
begin
  raise ArgumentError, 'x'
rescue ArgumentError
  puts 'caught'
end
