# SPDX-License-Identifier: GPL-2.0-or-later
# A client of SQLite by the sqlite3 gem; see clients/README.md.
$stdout.sync = true

def hear(word)
  puts word
  $stdin.gets
end

hear('begin')
require 'sqlite3'
base = SQLite3::Database.new(':memory:')
base.create_function('pause', 1) do |result, span|
  sleep(span.to_f)
  result.result = 1
end
hear('loaded')
File.foreach(ARGV[0], chomp: true) do |sql|
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  base.execute(sql)
  took = Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
  puts format("query\t%.6f\t%s", took, sql)
end
puts 'end'
base.close
