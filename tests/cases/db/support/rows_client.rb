# SPDX-License-Identifier: GPL-2.0-or-later
# Fetches rows by mysql2; see rowscase.py for what it prints.
require 'mysql2'

NAP = Float(ARGV[0])
BASE = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                          database: 'xtrace')

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# Seconds in which the thread ran or waited for a CPU, proc(5).
def ran
  File.read('/proc/thread-self/schedstat').split.first(2).sum(&:to_i) / 1e9
end

def fetch_slowly(rows)
  worked = 0
  rows.each do
    began = now
    sleep(NAP)
    worked += now - began
  end
  worked
end

def fetch(way, sql)
  case way
  when 'stored' then BASE.query(sql).to_a
  when 'used-slowly'
    rows = BASE.query(sql, stream: true, cache_rows: false)
    $asked = now - $began
    return fetch_slowly(rows)
  when 'prepared'
    statement = BASE.prepare(sql)
    $began = now
    statement.execute.to_a
    statement.close
  end
  0
end

$stdin.each_line do |line|
  way, sql = line.chomp.split("\t")
  $asked = nil
  busy = ran
  $began = now
  worked = fetch(way, sql)
  took = now - $began
  printf("query\t%s\t%.6f\t%.6f\t%.6f\t%.6f\n", way, took, worked,
         $asked || took, ran - busy)
  $stdout.flush
end
