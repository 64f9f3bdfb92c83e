# SPDX-License-Identifier: GPL-2.0-or-later
# ActiveRecord, for Puma; see service.py. DRIVER: mysql2, pg.
require 'active_record'
require 'cgi'
require 'json'

base = if ENV['DRIVER'] == 'pg'
         { adapter: 'postgresql', database: 'postgres', host: ENV['PGHOST'],
           username: 'xtrace' }
       else
         { adapter: 'mysql2', socket: ENV['MARIADB_SOCKET'], username: 'root',
           database: 'xtrace', prepared_statements: true }
       end
ActiveRecord::Base.establish_connection(**base, pool: 8)

class Book < ActiveRecord::Base
  self.table_name = 'book'
end

def title_of(word, number)
  books = Book.where("'#{word}' = '#{word}'").where(id: number)
  books.to_a.first.title # ORM-LINE
end

def sleep_for(sql)
  began = Process.clock_gettime(Process::CLOCK_MONOTONIC)
  Book.connection.select_all(sql).to_a # SLOW-LINE
  Process.clock_gettime(Process::CLOCK_MONOTONIC) - began
end

application = lambda do |environ|
  _, word, number = environ['PATH_INFO'].split('/')
  sql = CGI.parse(environ['QUERY_STRING'])['sleep'][0]
  body = Book.connection_pool.with_connection do
    titles = (0..2).map { |i| title_of(word, number.to_i + i) }
    [titles, sql ? sleep_for(sql) : 0]
  end
  [200, { 'Content-Type' => 'application/json' }, [body.to_json]]
end
run application
