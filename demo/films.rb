#!/usr/bin/ruby
# SPDX-License-Identifier: GPL-2.0-or-later
# Asks SQLite for films, as films.py does, with a statement that fails.
require 'sqlite3'

base = SQLite3::Database.new(':memory:')
base.execute('CREATE TABLE film (title TEXT, year INTEGER)')
base.execute("INSERT INTO film VALUES ('Metropolis', 1927), ('M', 1931)")
begin
  base.execute('SELECT title FROM films')
rescue SQLite3::SQLException => fault
  puts fault.message
end
base.execute('SELECT title FROM film WHERE year < ?', [1930]) { |row| puts row }
