# SPDX-License-Identifier: GPL-2.0-or-later
# Queries from functions and from recursion in Ruby, for languages.py.
require 'sqlite3'
$base = SQLite3::Database.new(':memory:')

def run(sql)
  $base.execute(sql)
end

def tree(depth, sql)
  return tree(depth - 1, sql) if depth > 0
  run(sql)
end

run('create table film (title text)')
12.times do |number|
  run("insert into film values (#{number})")
  tree(number % 3, 'select count(*) from film a, film b')
end
