# SPDX-License-Identifier: GPL-2.0-or-later
#
# Sends queries to SQLite forever, and loads and unloads a library in between.
#
# queries.rb COUNTERS FOLDER
#
# counts queries in COUNTERS, and checks each result. A line of input ends it.
require 'fiddle'
require 'sqlite3'

ROWS = 12
database = SQLite3::Database.new(':memory:')
database.execute('CREATE TABLE t (n INTEGER, s TEXT)')
(1..ROWS).each { |i| database.execute('INSERT INTO t VALUES (?, ?)', [i, "s#{i}"]) }
counters = File.open(ARGV[0], 'r+b')
plug = "#{ARGV[1]}/libplug6.so"
number = wrong = 0
puts 'ready'
$stdout.flush
until IO.select([$stdin], nil, nil, 0)
  number += 1
  rows = database.execute('SELECT n + ?, s FROM t ORDER BY n', [number])
  wrong += 1 if rows != (1..ROWS).map { |i| [i + number, "s#{i}"] }
  if (number % 4).zero?
    library = Fiddle.dlopen(plug)
    call = Fiddle::Function.new(library['p22'], [Fiddle::TYPE_LONG], Fiddle::TYPE_LONG)
    wrong += 1 if call.call(number) != number * 22 + 1
    library.close
  end
  counters.pwrite([number, wrong, number / 4].pack('q<3'), 0)
end
puts wrong.zero? ? 'right' : 'wrong'
exit(wrong.zero? ? 7 : 1)
