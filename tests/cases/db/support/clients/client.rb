# SPDX-License-Identifier: GPL-2.0-or-later
# Clients in Ruby: client.rb DRIVER FILE [THREADS]; see README.md.

def mysql2
  require 'mysql2'
  Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                     database: 'xtrace')
end

def open_one(driver)
  case driver
  when 'mysql2'
    base = mysql2
    ->(sql, count) { count.times { base.query(sql).to_a } }
  when 'mysql2-prepared'
    base = mysql2
    lambda do |sql, count|
      statement = base.prepare(sql)
      $began = now
      count.times { statement.execute.to_a }
      statement.close
    end
  when 'mysql2-async'
    base = mysql2
    lambda do |sql, count|
      count.times do
        base.query(sql, async: true)
        base.async_result.to_a
      end
    end
  when 'sequel'
    require 'sequel'
    base = Sequel.connect(adapter: 'mysql2', socket: ENV['MARIADB_SOCKET'],
                          user: 'root', database: 'xtrace',
                          single_threaded: true)
    base.test_connection
    ->(sql, count) { count.times { base.fetch(sql).all } }
  when 'pg-exec'
    require 'pg'
    base = PG.connect
    ->(sql, count) { count.times { base.exec(sql).to_a } }
  when 'pg-sync'
    require 'pg'
    base = PG.connect
    ->(sql, count) { count.times { base.sync_exec(sql).to_a } }
  when 'pg-params'
    require 'pg'
    base = PG.connect
    ->(sql, count) { count.times { base.exec_params(sql, []).to_a } }
  when 'pg-prepared'
    require 'pg'
    base = PG.connect
    names = 0
    lambda do |sql, count|
      name = "mine#{names += 1}"
      base.prepare(name, sql)
      $began = now
      count.times { base.exec_prepared(name).to_a }
    end
  when 'sqlite3'
    require 'sqlite3'
    base = SQLite3::Database.new(':memory:')
    base.create_function('pause', 1) { |f, span| f.result = sleep(span) }
    ->(sql, count) { count.times { base.execute(sql) } }
  end
end

def now
  Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

def run(ask, count, sql)
  $began = now
  how = 'ok'
  begin
    ask.call(sql, count)
  rescue StandardError => e
    raise unless e.class.name =~ /Mysql2|PG::|SQLite3|Sequel/
    how = 'error'
  end
  [now - $began, how]
end

rows = File.readlines(ARGV[1], chomp: true).map do |line|
  count, sql = line.split("\t", 2)
  [count.to_i, sql]
end
opened = Array.new((ARGV[2] || 1).to_i) { open_one(ARGV[0]) }
$stdout.sync = true
puts 'ready'
$stdin.gets
if opened.size == 1
  rows.each do |count, sql|
    took, how = run(opened[0], count, sql)
    puts format("query\t%.6f\t%s", took, how)
  end
else
  opened.map { |one| Thread.new { rows.each { |row| run(one, *row) } } }
        .each(&:join)
end
puts 'end'
