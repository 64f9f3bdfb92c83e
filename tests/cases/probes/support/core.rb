# SPDX-License-Identifier: GPL-2.0-or-later
# Makes objects that look like broken strings in memory that a collection has
# freed, without calling a method. Then `alias` calls a method of FrozenCore.
class Shop
  def open
  end
end
if ARGV[0]
  GC.start
  puts 'ready'
  $stdout.flush
  $stdin.gets
end
round = 0
while round < 3
  GC.start
  kept = []
  i = 0
  while i < 100_000
    kept << (i...i + 1)
    i += 1
  end
  Shop.class_eval { alias sell open }
  round += 1
end
puts 'done'
