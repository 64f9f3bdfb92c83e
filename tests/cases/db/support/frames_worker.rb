# SPDX-License-Identifier: GPL-2.0-or-later
# A worker whose jobs are calls of perform, as in frames_worker.py: from a list,
# from a socket, and from the database.
require 'socket'
require 'sqlite3'

JOBS = 5
ROWS = 6
BASE = SQLite3::Database.new(':memory:')

def perform(job = 0)
  BASE.execute("SELECT 'first'")
  count = (1..ROWS).sum { |row| BASE.execute('SELECT ? + 1', row).size }
  BASE.execute("SELECT 'last'")
  count
end

def listed
  (0...JOBS).map { |job| perform(job) }
end

def sent
  near, far = UNIXSocket.pair
  Array.new(JOBS) do
    far.write('job')
    near.readpartial(3)
    perform
  end
end

def stored
  (0...JOBS).map do |job|
    BASE.execute("SELECT 'the next job', ?", job)
    perform
  end
end

# With an argument: waits for a line, so that xtrace can attach before the jobs.
if ARGV[0]
  $stdout.sync = true
  puts 'ready'
  $stdin.gets
end
p listed, sent, stored
